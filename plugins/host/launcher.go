package host

import (
	"os/exec"
	"runtime"
)

// launcher starts processes from one thread that lives as long as the host: the
// kernel sends the death signal when the thread that started a process ends, which
// Go's threads may do at any time.
type launcher struct {
	jobs chan launch
	done chan struct{}
}

type launch struct {
	cmd *exec.Cmd
	err chan error
}

func newLauncher() *launcher {
	l := &launcher{jobs: make(chan launch), done: make(chan struct{})}
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		defer close(l.done)
		for job := range l.jobs {
			job.err <- job.cmd.Start()
		}
	}()
	return l
}

// start is cmd.Start. It must not be called after close.
func (l *launcher) start(cmd *exec.Cmd) error {
	job := launch{cmd: cmd, err: make(chan error, 1)}
	l.jobs <- job
	return <-job.err
}

// close ends the thread, and with it all processes that still run.
func (l *launcher) close() {
	close(l.jobs)
	<-l.done
}
