//go:build !race

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/core/record"
)

// No file takes the program (without the race detector, which takes more by itself) more than 64 MiB, the program itself included, or more than a moment.
func TestMemory(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "dudo-verify") // the test binary is the program if it is called so
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	fill := func(s string) string { return strings.Repeat(s, record.MaxRecord/len(s)) }
	line := func(head, filling, tail string) string {
		return fill(head + strings.Repeat(filling, (record.MaxLine-len(head)-len(tail))/len(filling)) + tail + "\n")
	}
	tests := map[string]string{
		"lists":      line(`{"n":0,"t":[`, "1,", `1],"type":"show"}`),
		"objects":    line(`{"facts":{"a":[`, "{},", `{}]},"hands":{},"keys":{},"n":0,"t":0,"type":"show"}`),
		"escapes":    line(`{"n":0,"type":"`, `\n`, `"}`),
		"many lines": strings.Repeat("{\"n\":0,\"type\":\"x\",\"xxxxxxxxxxxxxxxxx\":[[[[[]]]]],\"y\":{\"z\":null}}\n", record.MaxLines),
		"garbage":    fill("{[\""),
	}
	for name, text := range tests {
		cmd := exec.CommandContext(t.Context(), program, "-")
		cmd.Stdin = strings.NewReader(text)
		start := time.Now()
		err := cmd.Run()
		took := time.Since(start)
		if code := cmd.ProcessState.ExitCode(); code != exitRefuted && code != exitUnreadable {
			t.Errorf("%s: exit code %d (%v)", name, code, err)
		}
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		if !ok {
			t.Fatal("no resource usage")
		}
		t.Logf("%s: %d MiB, %v", name, usage.Maxrss>>10, took)
		if mib := usage.Maxrss >> 10; mib > 64 {
			t.Errorf("%s: %d MiB, want at most 64", name, mib)
		}
	}
}
