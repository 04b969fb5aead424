//go:build unix

package bot

import (
	"os/signal"
	"syscall"
)

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
