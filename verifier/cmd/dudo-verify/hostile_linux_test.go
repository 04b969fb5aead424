//go:build !race

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/verifier/internal/hostile"
)

// What a file may cost the program, the program itself included. It looks at the clock, and is not patient for more than a second.
const (
	mostMemory = 64 << 20
	mostTime   = 2 * time.Second // of a processor
)

// No file takes the program (without the race detector, which takes more by itself) more memory or more time than it may.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	program := link(t, dir)
	put := func(name string, text []byte) string {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var all, records []string
	for name, text := range hostile.Bytes() {
		all = append(all, put(name, text))
	}
	for _, g := range hostile.Games() {
		text, err := g.Record()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, put(g.Name, text))
	}
	all = append(all, records...)
	for _, path := range all {
		within(t, 1, program, "-q", path)
		within(t, 1, program, "evidence", path, path)
	}
	for _, path := range records {
		within(t, 1, program, "--json", path)
	}
	within(t, len(records), program, append([]string{"-q"}, records...)...) // in one process
}

// link gives the test binary the program's name, as which it is the program.
func link(t *testing.T, dir string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "dudo-verify")
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	return program
}

// within runs the program on so many files and wants it to keep to its limits, and to come to an end of its own.
func within(t *testing.T, files int, program string, args ...string) {
	t.Helper()
	what := strings.ReplaceAll(strings.Join(args, " "), filepath.Dir(program)+"/", "")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestMeasured$")
	cmd.Env = append(os.Environ(), measured+"="+strings.Join(append([]string{program}, args...), "\n"))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	_, figures, _ := strings.Cut(string(out), measured)
	var exit int
	var memory int64
	var took time.Duration
	if _, err := fmt.Sscan(figures, &exit, &memory, &took); err != nil {
		t.Fatalf("%s: %v in %q", what, err, out)
	}
	t.Logf("%d MiB, %v, exit %d: %.100s", memory>>20, took, exit, what)
	switch {
	case exit < exitVerified || exit > exitUnreadable:
		t.Errorf("%s: exit code %d", what, exit)
	case memory > mostMemory:
		t.Errorf("%s: %d MiB, want at most %d", what, memory>>20, mostMemory>>20)
	case took > mostTime*time.Duration(files):
		t.Errorf("%s: %v of processor time, want at most %v a file", what, took, mostTime)
	}
}

// measured is the variable with the words of a command that [TestMeasured] runs.
const measured = "DUDO_MEASURED"

// TestMeasured runs a command in a process that is small itself: to the system, a program has at least the memory of who started it.
func TestMeasured(t *testing.T) {
	words := strings.Split(os.Getenv(measured), "\n")
	if len(words) < 2 {
		t.Skip("it is a part of TestHostileFiles")
	}
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		t.Fatal("no resource usage")
	}
	fmt.Println(measured, cmd.ProcessState.ExitCode(), usage.Maxrss<<10, int64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()))
}
