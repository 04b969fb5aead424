package rulebook_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"dudo.example/mcpserver/rulebook"
	"dudo.example/rules"
)

// shelf is a folder of rule files and the book that reads it.
type shelf struct {
	t   *testing.T
	dir string
	log *bytes.Buffer
	*rulebook.Book
}

func open(t *testing.T, check func([]*rules.File) error, files map[string]string) *shelf {
	t.Helper()
	s := &shelf{t: t, dir: write(t, files), log: &bytes.Buffer{}}
	b, err := rulebook.Open([]string{s.dir}, check, slog.New(slog.NewTextHandler(s.log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s.Book = b
	return s
}

func (s *shelf) path(name string) string { return filepath.Join(s.dir, name) }

// put writes a file anew; "" takes it away.
func (s *shelf) put(name, text string) {
	s.t.Helper()
	err := os.WriteFile(s.path(name), []byte(text), 0o600)
	if text == "" {
		err = os.Remove(s.path(name))
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// titles are those of the games of test/ on offer, by id.
func (s *shelf) titles() string {
	var list []string
	for _, f := range s.Files() {
		if strings.HasPrefix(f.Game, "test/") {
			list = append(list, f.Game+" "+f.Title)
		}
	}
	return strings.Join(list, ", ")
}

func (s *shelf) faults() string {
	var list []string
	for _, f := range s.Faults() {
		list = append(list, f.File()+": "+f.Brief())
	}
	return strings.Join(list, ", ")
}

func titled(game, title string) string {
	return strings.Replace(pick(game), "title: Pick a number", "title: "+title, 1)
}

// TestReload edits a folder step by step.
func TestReload(t *testing.T) {
	s := open(t, nil, map[string]string{"a.yaml": titled("test/a", "one")})
	const bad = "dudo: 1\ngame: test/a\ntitle: \"half\n"
	tests := []struct {
		what, name, text string
		changed          bool
		titles, faults   string
	}{
		{"nothing", "notes.txt", "no rules", false, "test/a one", ""},
		{"an edit", "a.yaml", titled("test/a", "two"), true, "test/a two", ""},
		{"the same again", "a.yaml", titled("test/a", "two"), false, "test/a two", ""},
		{"a mistake", "a.yaml", bad, false, "test/a two", "a.yaml: 3:8: "},
		{"another file meanwhile", "b.yaml", titled("test/b", "b"), true, "test/a two, test/b b", "a.yaml: 3:8: "},
		{"the mistake undone", "a.yaml", titled("test/a", "two"), false, "test/a two, test/b b", ""},
		{"half of a file", "a.yaml", titled("test/a", "three")[:200], false, "test/a two, test/b b", "a.yaml: "},
		{"the whole of it", "a.yaml", titled("test/a", "three"), true, "test/a three, test/b b", ""},
		{"an empty file", "a.yaml", " ", false, "test/a three, test/b b", "a.yaml: "},
		{"right again", "a.yaml", titled("test/a", "four"), true, "test/a four, test/b b", ""},
		{"the game of another file", "b.yaml", titled("test/a", "b"), false, "test/a four, test/b b", "b.yaml: the game test/a is in both a.yaml and b.yaml; give one of them another id"},
		{"which goes away", "a.yaml", "", true, "test/a b", ""},
		{"a new id", "b.yaml", titled("test/c", "c"), true, "test/c c", ""},
		{"a new file that is bad", "a.yaml", bad, false, "test/c c", "a.yaml: 3:8: "},
		{"and is taken away", "a.yaml", "", false, "test/c c", ""},
		{"the last one", "b.yaml", "", true, "", ""},
	}
	for _, tt := range tests {
		s.put(tt.name, tt.text)
		changed := s.Reload()
		faults := s.faults()
		if changed != tt.changed || s.titles() != tt.titles || !strings.HasPrefix(faults, tt.faults) || tt.faults == "" && faults != "" {
			t.Errorf("%s: changed %v, on offer %q, faults %q; want %v, %q, %q", tt.what, changed, s.titles(), faults, tt.changed, tt.titles, tt.faults)
		}
		if s.Files()[0].Game != "liars-dice/standard" {
			t.Errorf("%s: the default is %s", tt.what, s.Files()[0].Game)
		}
		if s.Reload() || s.faults() != faults {
			t.Errorf("%s: reading it again changes something", tt.what)
		}
	}
	for _, want := range []string{
		`msg="a game is on offer" game=test/b`, `msg="a game has new rules" game=test/a`, `msg="a game is not on offer any more" game=test/a`,
		`msg="a rule file is not taken" file=` + s.path("a.yaml"), `a.yaml:3:8: `, `on_offer="test/a as it was"`, `on_offer=nothing`,
		`msg="a rule file is right again" file=` + s.path("a.yaml"),
	} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the log has no %s:\n%s", want, s.log)
		}
	}
	if n := strings.Count(s.log.String(), "is not taken"); n != 5 {
		t.Errorf("the log tells of %d faults, want 5: each once\n%s", n, s.log)
	}
}

// Files that exchange their games, or that only together are right, are taken together.
func TestExchange(t *testing.T) {
	s := open(t, nil, map[string]string{"a.yaml": titled("test/a", "one"), "b.yaml": titled("test/b", "two")})
	s.put("a.yaml", titled("test/b", "three"))
	s.put("b.yaml", titled("test/a", "four"))
	if !s.Reload() || s.titles() != "test/b three, test/a four" || s.faults() != "" {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
}

// What the server cannot have on offer together is found by file, and tried again when another file has changed.
func TestCheck(t *testing.T) {
	check := func(files []*rules.File) error {
		long := 0
		for _, f := range files {
			if strings.HasPrefix(f.Title, "long") {
				long++
			}
		}
		if long > 1 {
			return fmt.Errorf("%d long titles", long)
		}
		return nil
	}
	s := open(t, check, map[string]string{"a.yaml": titled("test/a", "long"), "b.yaml": titled("test/b", "short")})
	s.put("b.yaml", titled("test/b", "longer"))
	s.put("c.yaml", titled("test/c", "new"))
	if !s.Reload() || s.titles() != "test/a long, test/b short, test/c new" || s.faults() != "b.yaml: 2 long titles" {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
	s.put("a.yaml", titled("test/a", "brief"))
	if !s.Reload() || s.titles() != "test/a brief, test/b longer, test/c new" || s.faults() != "" {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
}

// A file that is named by itself must be there and right when the book is opened; later it can come and go.
func TestNamedFiles(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": titled("test/a", "one"), "bad.yaml": "dudo: 2\n"})
	a := filepath.Join(dir, "a.yaml")
	log := slog.New(slog.DiscardHandler)
	for _, name := range []string{"bad.yaml", "none.yaml"} {
		if _, err := rulebook.Open([]string{filepath.Join(dir, name)}, nil, log); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("opening %s gives %v", name, err)
		}
	}
	b, err := rulebook.Open([]string{a}, nil, log)
	if err != nil || b.Files()[0].Game != "test/a" {
		t.Fatalf("%v, on offer %q", err, games(b.Files()))
	}
	if err := os.Remove(a); err != nil {
		t.Fatal(err)
	}
	if !b.Reload() || b.Files()[0].Game != "liars-dice/standard" || len(b.Faults()) != 1 || b.Faults()[0].Brief() != "no such file or directory" {
		t.Errorf("without its file: on offer %q, faults %+v", games(b.Files()), b.Faults())
	}
	b.Rename([]string{"dice/pig", "liars-dice/perudo"})
	if !b.Reload() || b.Files()[0].Game != "dice/pig" || len(b.Faults()) != 0 {
		t.Errorf("with other names: on offer %q, faults %+v", games(b.Files()), b.Faults())
	}
}

// What is no file, and what cannot be read, holds nothing up.
func TestOddFiles(t *testing.T) {
	s := open(t, nil, map[string]string{"a.yaml": titled("test/a", "one")})
	if err := syscall.Mkfifo(s.path("pipe.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(s.path("folder.yaml"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(s.path("nowhere"), s.path("link.yaml")); err != nil {
		t.Fatal(err)
	}
	s.put(".#b.yaml", "an editor's")
	s.put("large.yaml", strings.Repeat("# too much\n", 200_000))
	if s.Reload() || s.titles() != "test/a one" || !strings.Contains(s.faults(), "pipe.yaml: it is no file") ||
		!strings.Contains(s.faults(), "folder.yaml: it is no file") || !strings.Contains(s.faults(), "large.yaml: ") || len(s.Faults()) != 3 {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
}

// A folder that goes away, or cannot be looked into, takes nothing off the offer.
func TestFolderIsAway(t *testing.T) {
	s := open(t, nil, map[string]string{"a.yaml": titled("test/a", "one"), "b.yaml": titled("test/b", "two")})
	if err := os.Rename(s.dir, s.dir+"-away"); err != nil {
		t.Fatal(err)
	}
	if s.Reload() || s.titles() != "test/a one, test/b two" || len(s.Faults()) != 1 {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
	if err := os.Rename(s.dir+"-away", s.dir); err != nil {
		t.Fatal(err)
	}
	s.put("b.yaml", "")
	if !s.Reload() || s.titles() != "test/a one" || s.faults() != "" {
		t.Errorf("on offer %q, faults %q", s.titles(), s.faults())
	}
}

// Moved waits until the files stay as they are.
func TestMoved(t *testing.T) {
	s := open(t, nil, map[string]string{"a.yaml": titled("test/a", "one")})
	look := func(want ...bool) {
		t.Helper()
		var got []bool
		for range want {
			got = append(got, s.Moved())
		}
		if !slices.Equal(got, want) {
			t.Errorf("Moved gives %v, want %v", got, want)
		}
	}
	look(false, false)
	s.put("a.yaml", titled("test/a", "two, and longer"))
	look(false, true, true)
	s.Reload()
	look(false, false)
	s.put("a.yaml", titled("test/a", "half")[:100]) // a file that grows is not settled
	look(false)
	s.put("a.yaml", titled("test/a", "half")[:200])
	look(false)
	s.put("a.yaml", titled("test/a", "whole"))
	look(false, true)
	s.Reload()
	if s.titles() != "test/a whole" {
		t.Errorf("on offer %q", s.titles())
	}
	temp := s.path(".a.yaml.new") // renaming over
	if err := errors.Join(os.WriteFile(temp, []byte(titled("test/a", "other")), 0o600), os.Chtimes(temp, time.Time{}, time.Unix(1, 0)), os.Rename(temp, s.path("a.yaml"))); err != nil {
		t.Fatal(err)
	}
	look(false, true)
	s.put("a.yaml", "")
	look(false, true)
	s.Reload()
	look(false)
	if s.titles() != "" {
		t.Errorf("on offer %q", s.titles())
	}
}
