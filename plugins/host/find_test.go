package host_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/plugins/host"
)

func TestBots(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := []struct {
		name string
		mode os.FileMode
	}{
		{"dudo-bot-b", 0o755},
		{"dudo-bot-a_1.2-X", 0o700},
		{"dudo-bot-" + strings.Repeat("n", 24), 0o700},
		{"dudo-bot-" + strings.Repeat("n", 25), 0o700},
		{"dudo-bot-house", 0o700}, // a house bot has the name
		{"dudo-bot-", 0o700},
		{"dudo-bot-a b", 0o700},
		{"dudo-bot-é", 0o700},
		{"dudo-bot-plain", 0o600},
		{"dudo-bot-open", 0o707},
		{"other", 0o700},
	}
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, f.mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/bin/sh", filepath.Join(dir, "dudo-bot-link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "dudo-bot-dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	h, err := host.New(host.Options{
		Dir: dir, TempDir: shortDir(t), House: []host.House{{Name: "house", Path: self, Args: []string{"bot", "good"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	var got []string
	for _, b := range h.Bots() {
		got = append(got, b.Name)
		if b.House != (b.Name == "house") || len(b.SHA256) != 64 {
			t.Errorf("Bots() has %+v", b)
		}
	}
	want := []string{"house", "a_1.2-X", "b", strings.Repeat("n", 24)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Bots() (-want +got):\n%s", diff)
	}
}

func TestNewErrors(t *testing.T) {
	tests := []struct {
		name string
		o    host.Options
	}{
		{"no folder", host.Options{Dir: "/nonexistent"}},
		{"no file", host.Options{House: []host.House{{Name: "a", Path: "/nonexistent"}}}},
		{"bad name", host.Options{House: []host.House{{Name: "a/b", Path: "/bin/sh"}}}},
		{"same name", host.Options{House: []host.House{{Name: "a", Path: "/bin/sh"}, {Name: "a", Path: "/bin/sh"}}}},
		{"no temp", host.Options{TempDir: "/nonexistent"}},
		{"long temp", host.Options{TempDir: longDir(t)}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if h, err := host.New(test.o); err == nil {
				h.Close()
				t.Error("New() succeeds, want an error")
			}
		})
	}
}

func longDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), strings.Repeat("d", 100))
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A host removes what a host that was killed has left, and not what a living one has.
func TestStale(t *testing.T) {
	temp := shortDir(t)
	left := filepath.Join(temp, "dudo-bots-123")
	if err := os.MkdirAll(filepath.Join(left, "1"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	young := filepath.Join(temp, "dudo-bots-124")
	if err := os.Mkdir(young, 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := host.New(host.Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b, err := host.New(host.Options{TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := os.Stat(left); err == nil {
		t.Errorf("%s is still there", left)
	}
	entries, err := os.ReadDir(temp)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("%v, want two hosts' directories and the young one", entries)
	}
}

// A system's directory for temporary files that is too deep for sockets is no reason not to play.
func TestDeepTempDir(t *testing.T) {
	t.Setenv("TMPDIR", longDir(t))
	h, err := host.New(host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Error(err)
	}
}
