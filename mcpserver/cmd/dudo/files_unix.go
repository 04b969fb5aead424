//go:build unix

package main

import (
	"math"
	"syscall"
)

// openFiles is how many files the process may have open, connections among them.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return math.MaxInt
	}
	return int(min(uint64(limit.Cur), math.MaxInt)) //nolint:unconvert // of another type on some systems
}
