package main

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/internal/servertest"
)

// The test binary stands in for the program and for the bots: it is the program when it is told so, or when it is run as one
// of its house bots, and a bot when its file is named like one.
func TestMain(m *testing.M) {
	name, isBot := strings.CutPrefix(filepath.Base(os.Args[0]), "dudo-bot-")
	switch {
	case isBot && name == "listener":
		listen()
	case isBot:
		faulty[name].run()
	case os.Getenv("DUDO_TEST_MAIN") != "", len(os.Args) > 1 && os.Args[1] == "bot":
		_ = os.Unsetenv("DUDO_TEST_MAIN")
		main()
	default:
		os.Exit(m.Run())
	}
}

// command makes a run of the program.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "DUDO_TEST_MAIN=1")
	return cmd
}

// server is a running `dudo serve`.
type server struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string
	data    string
	temp    string
	out     *servertest.Output
	exited  chan struct{}
}

// startServer serves a data folder on an address, a free one if it is empty.
func startServer(t *testing.T, data, addr string, args ...string) *server {
	t.Helper()
	if addr == "" {
		addr = freeAddress(t)
	}
	temp, err := os.MkdirTemp("", "dudo") // short: a socket's path has 100 bytes
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	s := &server{t: t, address: "http://" + addr, data: data, temp: temp, out: &servertest.Output{}, exited: make(chan struct{})}
	s.cmd = command(t, append([]string{"serve", "--addr", addr, "--data", data, "--requests-per-minute", "-1", "--new-tables", "1000"}, args...)...)
	s.cmd.Env = append(s.cmd.Env, "TMPDIR="+s.temp)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	t.Cleanup(func() { s.signal(syscall.SIGKILL) })
	c := client.New(s.address, 1)
	defer c.Close()
	for deadline := time.Now().Add(20 * time.Second); c.Health(context.Background()) != nil; {
		select {
		case <-s.exited:
			t.Fatalf("the server ended: %s", s.out)
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatalf("the server does not answer: %s", s.out)
		}
	}
	return s
}

func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	return ln.Addr().String()
}

// logs waits a little for a text in the log, which comes through a pipe.
func (s *server) logs(text string) bool {
	for range 100 {
		if strings.Contains(s.out.String(), text) {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// signal sends a signal and waits for the end.
func (s *server) signal(sig syscall.Signal) {
	s.t.Helper()
	select {
	case <-s.exited:
		return
	default:
	}
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.t.Error(err)
	}
	select {
	case <-s.exited:
	case <-time.After(20 * time.Second):
		s.t.Error("the server does not end")
		_ = s.cmd.Process.Kill()
	}
}

var botPID = regexp.MustCompile(`bot started.*bot=(\S+) pid=(\d+)`)

// botPIDs are the processes of a bot that the server has started so far.
func (s *server) botPIDs(name string) (pids []int) {
	for _, m := range botPID.FindAllStringSubmatch(s.out.String(), -1) {
		if pid, err := strconv.Atoi(m[2]); err == nil && m[1] == name {
			pids = append(pids, pid)
		}
	}
	return pids
}

// checkNothingLeft waits for every bot to be gone and looks for sockets that nobody listens on any more.
func (s *server) checkNothingLeft() {
	s.t.Helper()
	for _, m := range botPID.FindAllStringSubmatch(s.out.String(), -1) {
		gone := false
		for range 100 {
			if state, err := os.ReadFile("/proc/" + m[2] + "/stat"); err != nil || strings.Contains(string(state), ") Z ") {
				gone = true
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if !gone {
			s.t.Errorf("the process %s of bot %s was left behind", m[2], m[1])
		}
	}
	var left string
	for range 100 {
		if left = anySocket(s.temp); left == "" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Errorf("the socket %s was left behind", left)
}

// anySocket finds a socket in a folder, which somebody may be taking away at this moment.
func anySocket(folder string) (found string) {
	_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type() == fs.ModeSocket {
			found = path
		}
		return nil
	})
	return found
}
