package clients_test

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"dudo.example/store"
)

// A server is the program itself, with a folder and a port of its own.
type server struct {
	data    string
	address string // host and port; the same after a restart
	cmd     *exec.Cmd
	log     log
}

// serve starts a server that counts nobody's requests. It is stopped, and must exit with 0, when the test ends.
func serve(t *testing.T) *server {
	s := &server{data: t.TempDir(), address: "127.0.0.1:0"}
	s.start(t)
	t.Cleanup(func() {
		if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("stop the server: %v", err)
		}
		if err := s.cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", s.log.String())
		}
	})
	return s
}

func (s *server) start(t *testing.T) {
	t.Helper()
	s.cmd = exec.Command(filepath.Join(binaries, "dudo"), "serve",
		"--addr", s.address, "--data", s.data, "--requests-per-minute", "-1", "--new-tables", "1000")
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	found := regexp.MustCompile(`http://([\d.:]+)/mcp`).FindStringSubmatch(line)
	if err != nil || found == nil {
		_ = s.cmd.Process.Kill()
		t.Fatalf("the server says %q, %v, instead of where it is; its log:\n%s", line, err, s.log.String())
	}
	s.address = found[1]
	go func() { _, _ = io.Copy(io.Discard, lines) }()
}

// kill ends the server as a power cut does, and starts it again at the same address.
func (s *server) kill(t *testing.T) {
	t.Helper()
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	s.start(t)
}

// key gives the public key that the server signs with, from its folder.
func (s *server) key(t *testing.T) ed25519.PublicKey {
	t.Helper()
	key, err := store.ServerKey(s.data)
	if err != nil {
		t.Fatal(err)
	}
	return key.Public().(ed25519.PublicKey)
}

func (s *server) endpoint() string { return "http://" + s.address + "/mcp" }

// call calls a tool as the shortest request does that the server takes.
func (s *server) call(t *testing.T, tool string, arguments map[string]any, answer any) {
	t.Helper()
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.Post(s.endpoint(), "application/json", bytes.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var message struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	if err := json.NewDecoder(reply.Body).Decode(&message); err != nil {
		t.Fatal(err)
	}
	if len(message.Result.Content) != 1 || message.Result.IsError {
		t.Fatalf("%s(%v) = %+v", tool, arguments, message)
	}
	if err := json.Unmarshal([]byte(message.Result.Content[0].Text), answer); err != nil {
		t.Fatal(err)
	}
}

// record downloads the record of a table.
func (s *server) record(t *testing.T, table string) []byte {
	t.Helper()
	reply, err := http.Get(fmt.Sprintf("http://%s/record/%s", s.address, table))
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode != http.StatusOK {
		t.Fatalf("the record of %s: %s, %v", table, reply.Status, err)
	}
	return text
}

// until waits until a spectator of the table sees what is asked for.
func (s *server) until(t *testing.T, table string, seen func(status string, n int64) bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var state struct {
			Status string
			N      int64
		}
		if s.call(t, "get_state", map[string]any{"table": table}, &state); seen(state.Status, state.N) {
			return
		}
	}
	t.Fatal("a minute passed")
}

// log is what a process writes while the test may read it.
type log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
