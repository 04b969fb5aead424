package rules_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dudo.example/rules"
)

// allFiles gives the shipped files and those of testdata.
func allFiles(tb testing.TB) []*rules.File {
	tb.Helper()
	files, err := readFiles()
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

var readFiles = sync.OnceValues(func() ([]*rules.File, error) {
	files, err := rules.Library()
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no rule files in testdata: %w", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := rules.Parse(path, text)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
})

// shipped gives the files that ship.
func shipped(tb testing.TB) []*rules.File {
	tb.Helper()
	files, err := rules.Library()
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// fileOf gives the rule file of a game.
func fileOf(tb testing.TB, game string) *rules.File {
	tb.Helper()
	for _, f := range allFiles(tb) {
		if f.Game == game {
			return f
		}
	}
	tb.Fatalf("no rule file of %s", game)
	return nil
}

func TestCheck(t *testing.T) {
	for _, f := range allFiles(t) {
		t.Run(f.Game, func(t *testing.T) {
			t.Parallel()
			for _, err := range f.Check() {
				t.Error(err)
			}
		})
	}
}

// TestExamplesAreChecked breaks each kind of expectation in turn and wants a complaint.
func TestExamplesAreChecked(t *testing.T) {
	tests := []struct{ name, example, want string }{
		{"legal", "legal: [guess 0], given: {lost: [1, 0]}", "should be legal"},
		{"illegal", "illegal: [guess 1]", "should not be legal"},
		{"count", "legal_count: 7", "4 moves legal, want 7"},
		{"play", "play: ['1:guess 1']", "not_your_turn"},
		{"value", "play: [guess 1], expect: {lost: [0, 0]}", "lost of seat 0 is 1, want 0"},
		{"record", "expect: {claim: {seat: 1, face: 0}}", "claim.seat is none, want 1"},
		{"phase", "expect: {phase: toss}", "the phase is play, want toss"},
		{"over", "play: [look], expect: {over: no}", "over is yes, want no"},
		{"payoff", "expect: {payoff: [1, 1]}", "payoff is [0, 0], want [1, 1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := replaced(t, "result:", "examples:\n  - {name: x, phase: play, "+tt.example+"}\nresult:")
			f, err := rules.Parse("coin.yaml", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			errs := f.RunExamples()
			var e *rules.Error
			if len(errs) != 1 || !errors.As(errs[0], &e) || e.Line == 0 {
				t.Fatalf("RunExamples gave %v, want one error with a position", errs)
			}
			if !strings.Contains(e.Msg, tt.want) {
				t.Errorf("RunExamples gave %q, want %q in it", e.Msg, tt.want)
			}
		})
	}
}
