//go:build unix && !linux

package host

import (
	"os/exec"
	"syscall"
)

// setGroup puts the process into a group of its own.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// waitExit returns when the process has ended. Its id may be given to another
// from then on; its group's is not while a member lives.
func waitExit(cmd *exec.Cmd) { _, _ = cmd.Process.Wait() }
