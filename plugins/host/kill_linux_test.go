package host_test

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"dudo.example/plugins/host"
)

// gone returns when a process, somebody's child, has ended.
func gone(t *testing.T, pidfd int, within time.Duration) {
	t.Helper()
	defer unix.Close(pidfd)
	deadline := time.Now().Add(within)
	for {
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(pidfd), Events: unix.POLLIN}}, int(max(0, time.Until(deadline).Milliseconds())))
		if err == unix.EINTR {
			continue
		}
		if n == 0 || err != nil {
			t.Errorf("the process still lives: %v", err)
		}
		return
	}
}

// watch gets hold of a process, so that its id cannot come to mean another.
func watch(t *testing.T, pid int64) int {
	t.Helper()
	fd, err := unix.PidfdOpen(int(pid), 0)
	if err != nil {
		t.Fatalf("process %d: %v", pid, err)
	}
	return fd
}

// Nothing is left of a host that is killed: no bot, even if it is stopped, no child of a
// bot, no file.
func TestHostKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "doomed")
	copyFile(t, self, program)
	dir := shortDir(t)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "DUDO_TEST_HOST="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatal(err)
	}
	var pids []int64
	if err := json.Unmarshal(line, &pids); err != nil || len(pids) != 3 {
		t.Fatalf("the host says %s, %v", line, err)
	}
	var fds []int
	for _, pid := range pids {
		fds = append(fds, watch(t, pid))
	}
	if err := unix.Kill(int(pids[2]), unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for _, fd := range fds {
		gone(t, fd, 10*time.Second)
	}
	// The guard's last act is to remove the directory.
	deadline := time.Now().Add(10 * time.Second)
	for {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the host has left %v", left)
		}
		time.Sleep(time.Millisecond)
	}
}

// The children of a bot end with it.
func TestFork(t *testing.T) {
	h, _ := newHost(t, host.Options{RestartMin: time.Millisecond, RestartMax: time.Millisecond}, "fork")
	s := open(t, h, "fork", 0)
	m, err := s.Decide(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	child := watch(t, m.Args["child"])
	if err := unix.Kill(int(m.Args["pid"]), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	gone(t, child, 5*time.Second)

	m, err = s.Decide(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	child = watch(t, m.Args["child"])
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	gone(t, child, 5*time.Second)
}

// Bots get the processor after the host.
func TestPriority(t *testing.T) {
	h, _ := newHost(t, host.Options{}, "echo")
	m, err := open(t, h, "echo", 0).Decide(t.Context(), view)
	if err != nil {
		t.Fatal(err)
	}
	mine, err1 := unix.Getpriority(unix.PRIO_PROCESS, 0) // 20 less the nice value
	bots, err2 := unix.Getpriority(unix.PRIO_PROCESS, int(m.Args["pid"]))
	if err1 != nil || err2 != nil || bots >= mine {
		t.Errorf("priorities %d of the host and %d of the bot, %v, %v, want less for the bot", mine, bots, err1, err2)
	}
}
