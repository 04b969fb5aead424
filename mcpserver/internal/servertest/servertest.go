// Package servertest runs the real program as a process of its own, for tests that kill it and measure it.
package servertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
)

// Build builds the program into a folder of the test's and gives its path.
func Build(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dudo")
	out, err := exec.Command("go", "build", "-o", path, "dudo.example/mcpserver/cmd/dudo").CombinedOutput()
	if err != nil {
		t.Fatalf("build the program: %v\n%s", err, out)
	}
	return path
}

// FreeAddress is an address of this machine with a port that nobody listens on.
func FreeAddress(t testing.TB) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	return ln.Addr().String()
}

// Server is a running `dudo serve`.
type Server struct {
	URL    string
	Exited <-chan struct{} // closed when the process has ended
	cmd    *exec.Cmd
	log    *Output
}

// Start starts a server on an address with no limits of addresses and tables; args are further flags. It does not wait
// until the server answers. The process is killed when the test ends.
func Start(t testing.TB, program, addr, data string, args ...string) *Server {
	t.Helper()
	exited := make(chan struct{})
	s := &Server{URL: "http://" + addr, Exited: exited, log: &Output{}}
	s.cmd = exec.Command(program, append([]string{
		"serve", "--addr", addr, "--data", data,
		"--requests-per-minute", "-1", "--new-tables", "1000000", "--tables", "1000", "--address-waiters", "4000",
	}, args...)...)
	s.cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	s.cmd.Stdout, s.cmd.Stderr = s.log, s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(exited)
	}()
	t.Cleanup(s.Kill)
	return s
}

// Ready waits until the server answers.
func (s *Server) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c := client.New(s.URL, 1)
	defer c.Close()
	for {
		err := c.Health(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.Exited:
			return fmt.Errorf("the server has ended:\n%s", s.Log())
		case <-ctx.Done():
			return fmt.Errorf("the server does not answer (%w):\n%s", err, s.Log())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Kill ends the process by SIGKILL, if it is there, and waits for its end.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill() // an error says that it has ended
	<-s.Exited
}

// Stop ends the process by SIGTERM and says how long that took.
func (s *Server) Stop() (time.Duration, error) {
	began := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	select {
	case <-s.Exited:
		return time.Since(began), nil
	case <-time.After(30 * time.Second):
		s.Kill()
		return 0, errors.New("the server does not end")
	}
}

// Log is what the server has written so far.
func (s *Server) Log() string { return s.log.String() }

// Resident is the memory of the process in bytes, as the kernel counts it.
func (s *Server) Resident() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmRSS:" {
			kb, err := strconv.ParseInt(f[1], 10, 64)
			return kb << 10, err
		}
	}
	return 0, errors.New("the kernel does not tell the memory of a process")
}

// Running are the processes that run a program.
func Running(t testing.TB, program string) (pids []string) {
	t.Helper()
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range links {
		if exe, err := os.Readlink(link); err == nil && exe == program {
			pids = append(pids, filepath.Base(filepath.Dir(link)))
		}
	}
	return pids
}

// Output is what a process writes, while others read it.
type Output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}
