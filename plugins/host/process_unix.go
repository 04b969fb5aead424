//go:build unix

package host

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// setSession puts the process into a session of its own, away from the
// terminal's signals.
func setSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// killGroup kills the process group that pid leads.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }

// lowPriority is how much later than the host a bot gets the processor, as a
// nice value.
const lowPriority = 5

// yield has the process group that pid leads wait for the host when both want the processor.
func yield(pid int) { _ = syscall.Setpriority(syscall.PRIO_PGRP, pid, lowPriority) }

// lock locks f for as long as it is open, or says that another has it.
func lock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// mine says whether the file belongs to the user that runs the host.
func mine(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
