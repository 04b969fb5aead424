package bot

import (
	"bufio"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// exitWith ends the process, and all that it started, when r ends: dudo holds
// the other side of standard input open as long as it lives.
func exitWith(r io.Reader) {
	_, _ = io.Copy(io.Discard, r)
	killGroup(os.Getpid())
	os.Exit(0)
}

// guard is the other thing that a house bot's program can be: a process that
// outlives dudo by an instant to clear up after it. It reads lines from r
//
//	dir PATH     remove PATH with all that is in it
//	+PID  -PID   the process group PID was started, has ended
//
// and does its work when r ends, which is when dudo does, however it does.
// It serves dudo that was killed: bots that left their death signal behind or
// forked, and a socket that had not been removed yet.
func guard(r io.Reader) int {
	ignoreSignals()
	groups := make(map[int]bool)
	var dir string
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Text()
		if path, ok := strings.CutPrefix(line, "dir "); ok {
			dir = path
			continue
		}
		if pid, err := strconv.Atoi(line); err == nil && pid > 1 {
			groups[pid] = true
		} else if err == nil {
			delete(groups, -pid)
		}
	}
	for pid := range groups {
		killGroup(pid)
	}
	if dir != "" {
		_ = os.RemoveAll(dir)
	}
	return 0
}

// killGroup kills the process group that pid leads, if it leads one.
func killGroup(pid int) {
	if group, err := syscall.Getpgid(pid); err == nil && group != pid {
		return
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// ignoreSignals keeps the process from ending before its parent.
func ignoreSignals() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
}
