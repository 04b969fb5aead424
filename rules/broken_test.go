package rules_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/rules"
)

// TestBroken reads files with one mistake each. There must be one message, with a place, and it must be the one in the golden
// file beside it.
func TestBroken(t *testing.T) {
	paths, err := filepath.Glob("testdata/broken/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(strings.TrimSuffix(name, ".yaml"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			faults := check(name, text)
			if len(faults) != 1 || faults[0].Line == 0 {
				t.Errorf("%d messages, want one with a place", len(faults))
			}
			compare(t, strings.TrimSuffix(path, ".yaml")+".txt", faults.Error()+"\n")
		})
	}
}

// TestSeveral reads a file with more mistakes than are told at once, and some that only follow from others.
func TestSeveral(t *testing.T) {
	text, err := os.ReadFile("testdata/several/coins.yaml")
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "testdata/several/coins.txt", check("coins.yaml", text).Error()+"\n")
}

// compare holds what came out against a golden file.
func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// check gives all that is wrong with a rule file.
func check(name string, text []byte) rules.Errors {
	var faults rules.Errors
	f, err := rules.Parse(name, text)
	if errors.As(err, &faults) {
		return faults
	}
	for _, err := range f.Check() {
		var fault *rules.Error
		if errors.As(err, &fault) {
			faults = append(faults, fault)
		}
	}
	return faults
}
