package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin/runner"
)

// drainTime is how long output may still come from a process that has ended.
const drainTime = 200 * time.Millisecond

// botPath is the PATH of every bot, whatever the host's is.
const botPath = "PATH=/usr/local/bin:/usr/bin:/bin"

// socketDirKey is the variable by which a bot learns where to put its socket.
const socketDirKey = "PLUGIN_UNIX_SOCKET_DIR="

// runner is a process as go-plugin wants to run it. It gives the process a
// standard input that ends with the host, a group of its own and the kernel's
// promise to kill it with the host, and it knows of the end when it comes.
type runner struct {
	ctx                context.Context // ends when the start takes too long
	path, dir, sockets string
	args               []string
	log                *slog.Logger
	launcher           *launcher
	guard              *guard
	grace              time.Duration

	env      []string
	cmd      *exec.Cmd
	stdin    *os.File
	greeting *greeting
	exited   chan struct{} // closed when the process and its group are gone
	stopping sync.Once
	ready    atomic.Bool // the start is over

	mu     sync.Mutex
	reaped bool // the process id may be another's by now
}

// Start starts the process.
func (r *runner) Start(context.Context) error {
	cmd := exec.Command(r.path, r.args...)
	cmd.Env = r.env
	cmd.Dir = r.dir
	setGroup(cmd)
	var files []*os.File
	pipe := func() (in, out *os.File, err error) {
		in, out, err = os.Pipe()
		if err == nil {
			files = append(files, in, out)
		}
		return in, out, err
	}
	closeAll := func() {
		for _, f := range files {
			_ = f.Close()
		}
	}
	in, stdin, err1 := pipe()
	stdout, out, err2 := pipe()
	stderr, errs, err3 := pipe()
	if err := errors.Join(err1, err2, err3); err != nil {
		closeAll()
		return fmt.Errorf("pipes for a bot: %w", err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
	if err := r.launcher.start(cmd); err != nil {
		closeAll()
		return err
	}
	for _, f := range []*os.File{in, out, errs} {
		_ = f.Close()
	}
	yield(cmd.Process.Pid)
	r.guard.started(cmd.Process.Pid)
	r.mu.Lock()
	r.cmd, r.stdin = cmd, stdin
	r.mu.Unlock()
	var output sync.WaitGroup
	output.Go(func() {
		logLines(r.log.With("stream", "stdout"), stdout, r.greeting.take)
		r.greeting.end()
	})
	output.Go(func() { logLines(r.log.With("stream", "stderr"), stderr, nil) })
	go r.reap(&output, stdout, stderr)
	context.AfterFunc(r.ctx, func() {
		if !r.ready.Load() {
			r.kill()
		}
	})
	return nil
}

// reap waits for the end of the process, ends its group and its output.
func (r *runner) reap(output *sync.WaitGroup, stdout, stderr *os.File) {
	waitExit(r.cmd)
	r.mu.Lock()
	killGroup(r.cmd.Process.Pid)
	r.reaped = true
	_ = r.cmd.Wait()
	r.mu.Unlock()
	r.guard.ended(r.cmd.Process.Pid)
	_ = r.stdin.Close()
	// A grandchild in a session of its own may still hold the pipes.
	timer := time.AfterFunc(drainTime, func() {
		_ = stdout.Close()
		_ = stderr.Close()
	})
	output.Wait()
	timer.Stop()
	_ = stdout.Close()
	_ = stderr.Close()
	close(r.exited)
}

// stop asks the process to go, by the end of its standard input, and kills it
// if it has not within the grace. It does not wait.
func (r *runner) stop() {
	r.stopping.Do(func() {
		_ = r.stdin.Close()
		go func() {
			select {
			case <-r.exited:
			case <-time.After(r.grace):
				r.kill()
			}
		}()
	})
}

// kill ends the process and its group at once. It does not wait.
func (r *runner) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd != nil && !r.reaped {
		killGroup(r.cmd.Process.Pid)
	}
}

// Wait waits for the end of the process.
func (r *runner) Wait(context.Context) error {
	<-r.exited
	return nil
}

// Kill is kill for go-plugin.
func (r *runner) Kill(context.Context) error {
	r.kill()
	return nil
}

// Stdout has the handshake line and no more.
func (r *runner) Stdout() io.ReadCloser { return r.greeting.r }

// Stderr is empty: the host logs standard error itself.
func (r *runner) Stderr() io.ReadCloser { return io.NopCloser(strings.NewReader("")) }

// Name is the path of the executable, ID the process id.
func (r *runner) Name() string { return r.path }

// ID is the process id.
func (r *runner) ID() string {
	if r.cmd == nil {
		return ""
	}
	return strconv.Itoa(r.cmd.Process.Pid)
}

// Diagnose knows nothing more.
func (r *runner) Diagnose(context.Context) string { return "" }

// PluginToHost admits a socket in the directory that the bot was given, only.
func (r *runner) PluginToHost(network, address string) (string, string, error) {
	if network != "unix" || filepath.Dir(address) != r.sockets {
		return "", "", fmt.Errorf("the bot's address is not in its directory: %.20q %.200q", network, address)
	}
	return network, address, nil
}

// HostToPlugin is never used: the bot does not connect to the host.
func (r *runner) HostToPlugin(string, string) (string, string, error) {
	return "", "", errors.New("bots do not connect to the host")
}

// takeEnv makes the process's environment of what go-plugin wants it to have.
func (r *runner) takeEnv(env []string) {
	r.env = []string{botPath, socketDirKey + r.sockets}
	for _, kv := range env {
		if !strings.HasPrefix(kv, socketDirKey) {
			r.env = append(r.env, kv)
		}
	}
}

// take is the RunnerFunc of a go-plugin client.
func (r *runner) take(_ hclog.Logger, cmd *exec.Cmd, _ string) (goplugin.Runner, error) {
	r.takeEnv(cmd.Env)
	return r, nil
}
