package starter_test

import (
	"regexp"
	"strings"
	"testing"

	"dudo.example/rules"
	"dudo.example/rules/starter"
)

func start(t *testing.T, game string) string {
	t.Helper()
	text, err := starter.File(game)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The file is right as it is: its examples hold, and small games of it end.
func TestFileIsChecked(t *testing.T) {
	f, err := rules.Parse("mine.yaml", []byte(start(t, starter.Mine)))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range f.Check() {
		t.Error(err)
	}
	if f.Game != starter.Mine {
		t.Errorf("the game is %s, want %s", f.Game, starter.Mine)
	}
}

// Without its notes and its id it is the standard game to the letter.
func TestFileIsTheStandardGame(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	text := start(t, rules.Standard)
	bare := regexp.MustCompile(`(?m)^ *#.*\n`).ReplaceAllString(text, "")
	want := regexp.MustCompile(`(?m)^ *#.*\n`).ReplaceAllString(string(files[0].Text), "")
	if bare != want {
		t.Errorf("without its notes the file is not the standard game:\n%s", bare)
	}
}

// Every key of the file has a note above it, and no note is longer than a line of a terminal.
func TestEveryKeyIsExplained(t *testing.T) {
	before := ""
	for line := range strings.Lines(start(t, starter.Mine)) {
		if key, _, ok := strings.Cut(line, ":"); ok && regexp.MustCompile(`^[a-z]`).MatchString(line) && key != "about" &&
			!strings.HasPrefix(before, "#") {
			t.Errorf("%s has no note; above it stands %q", key, before)
		}
		if n := len([]rune(line)); strings.HasPrefix(strings.TrimSpace(line), "#") && n > 132 {
			t.Errorf("a note of %d characters: %s", n, line)
		}
		before = line
	}
}

func TestFileRefusesAnID(t *testing.T) {
	if _, err := starter.File("My Game"); err == nil || !strings.Contains(err.Error(), "game is an id such as") {
		t.Errorf("a game that is called My Game: %v", err)
	}
}
