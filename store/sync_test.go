package store_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	mapped = regexp.MustCompile(`mmap\(NULL, \d+, [A-Z_|]+, MAP_SHARED, \d+<[^>]*\.mem>, 0\) += (0x[0-9a-f]+)`)
	// Calls that another thread's line cuts in two.
	mapBegins = regexp.MustCompile(`^(\d+) +mmap\(NULL, \d+, [A-Z_|]+, MAP_SHARED, \d+<[^>]*\.mem>, 0 <unfinished`)
	mapEnds   = regexp.MustCompile(`^(\d+) +<\.\.\. mmap resumed>\) += (0x[0-9a-f]+)`)

	begins = regexp.MustCompile(`^(\d+) +msync\((0x[0-9a-f]+), \d+, MS_SYNC(\) += 0$| <unfinished)`)
	ends   = regexp.MustCompile(`^(\d+) +<\.\.\. msync resumed>\) += 0$`)
	answer = regexp.MustCompile(`write\(1<[^>]*>, "ack T (\d+)`)
)

// A killed process does not show whether anything was synced, since the page
// cache outlives it. This looks at the system calls: before each answer the
// write-ahead log, which Badger maps from a .mem file, was synced after the
// answer before.
func TestSyncBeforeAnswer(t *testing.T) {
	skip := t.Skipf
	if os.Getenv("CI") != "" {
		skip = t.Fatalf
	}
	strace, err := exec.LookPath("strace")
	if err != nil {
		skip("strace is not installed")
	}
	dir := t.TempDir()
	if err := exec.Command(strace, "-o", filepath.Join(dir, "try"), "true").Run(); err != nil {
		skip("strace may not trace here: %v", err)
	}
	trace := filepath.Join(dir, "trace")
	child := startChild(t, "few", filepath.Join(dir, "data"),
		strace, "-f", "-y", "-e", "trace=mmap,msync,write", "-o", trace)
	acks(t, child.out, nil)
	if err := child.Wait(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	answers, synced := 0, false
	wal := map[string]bool{}        // addresses at which a .mem file is mapped
	unfinished := map[string]bool{} // threads that are in an msync of one
	mapping := map[string]bool{}    // threads that are in an mmap of one
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case mapped.MatchString(line):
			wal[mapped.FindStringSubmatch(line)[1]] = true
		case mapBegins.MatchString(line):
			mapping[mapBegins.FindStringSubmatch(line)[1]] = true
		case mapEnds.MatchString(line):
			if m := mapEnds.FindStringSubmatch(line); mapping[m[1]] {
				wal[m[2]] = true
				delete(mapping, m[1])
			}
		case begins.MatchString(line):
			m := begins.FindStringSubmatch(line)
			if wal[m[2]] && strings.HasSuffix(line, "= 0") {
				synced = true
			} else {
				unfinished[m[1]] = wal[m[2]]
			}
		case ends.MatchString(line):
			m := ends.FindStringSubmatch(line)
			synced = synced || unfinished[m[1]]
			delete(unfinished, m[1])
		case answer.MatchString(line):
			if !synced {
				t.Errorf("no sync of the write-ahead log before: %s", line)
			}
			answers++
			synced = false
		}
	}
	if answers != 20 {
		t.Errorf("the trace has %d answers, want 20", answers)
	}
}
