package host

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"dudo.example/plugins/proto"
)

// guard is the process that clears up if the host is killed. The host tells it which
// process groups there are; when the host's end of the pipe closes it kills what is
// left of them and removes the host's directory. A nil guard does nothing: a host
// without a house bot has none.
type guard struct {
	mu   sync.Mutex
	cmd  *exec.Cmd
	pipe *os.File
}

// startGuard starts h's program as a guard over dir.
func startGuard(h House, dir string) (*guard, error) {
	in, out, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	cmd := exec.Command(h.Path, h.Args...)
	cmd.Env = []string{proto.GuardKey + "=1"}
	cmd.Dir = "/"
	cmd.Stdin = in
	setSession(cmd)
	err = cmd.Start()
	_ = in.Close()
	if err != nil {
		_ = out.Close()
		return nil, fmt.Errorf("start the guard: %w", err)
	}
	g := &guard{cmd: cmd, pipe: out}
	g.tell("dir %s\n", dir)
	return g, nil
}

func (g *guard) started(pid int) { g.tell("+%d\n", pid) }

func (g *guard) ended(pid int) { g.tell("-%d\n", pid) }

// guardPatience is how long the host lets the guard keep it waiting.
const guardPatience = time.Second

// tell writes a line to the guard. If the guard does not listen there is nobody
// to tell, and nothing to be done about it.
func (g *guard) tell(format string, args ...any) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	_ = g.pipe.SetWriteDeadline(time.Now().Add(guardPatience))
	_, _ = fmt.Fprintf(g.pipe, format, args...)
}

// close lets the guard end and waits until it has.
func (g *guard) close() {
	if g == nil {
		return
	}
	_ = g.pipe.Close()
	timer := time.AfterFunc(guardPatience, func() { _ = g.cmd.Process.Kill() })
	defer timer.Stop()
	_ = g.cmd.Wait()
}
