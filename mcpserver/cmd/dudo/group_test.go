//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup puts a command and what it starts into a group of their own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// stopGroup ends them.
func stopGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
