// Command dudo-verify reads records of games, from files, addresses or standard input, derives each again from its rules and
// its seed, and says what that proves and what it does not. See package verifier, and dudo-verify --help.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"dudo.example/verifier"
)

// The exit codes.
const (
	exitVerified   = 0
	exitRefuted    = 1
	exitUnreadable = 2
)

// memory is what the program keeps to; a record and its rules need less.
const memory = 56 << 20

func main() {
	debug.SetMemoryLimit(memory)
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the program; it gives the exit code.
func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	c := &command{in: in, out: out, errOut: errOut, exit: exitVerified}
	root := c.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(errOut, "dudo-verify: %v\n", err)
		return exitUnreadable
	}
	return c.exit
}

// worse is the exit code of several files: one that is refuted counts more than one that is unreadable.
func worse(a, b int) int {
	if a == exitRefuted || b == exitRefuted {
		return exitRefuted
	}
	return max(a, b)
}

func exitCode(verdict string) int {
	switch verdict {
	case verifier.Verified:
		return exitVerified
	case verifier.Refuted:
		return exitRefuted
	}
	return exitUnreadable
}
