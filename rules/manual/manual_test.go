package manual_test

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/rules"
	"dudo.example/rules/manual"
)

var update = flag.Bool("update", false, "write the golden file")

func library(t *testing.T) []*rules.File {
	t.Helper()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func manualOf(t *testing.T, f *rules.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := manual.Write(&b, f.Describe(), nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStandard(t *testing.T) {
	const golden = "testdata/standard.txt"
	for _, f := range library(t) {
		if f.Game != "liars-dice/standard" {
			continue
		}
		got := manualOf(t, f)
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("want -, got +; if it is right, run with -update\n%s", diff)
		}
	}
}

// Whatever a file says to people stands in its manual, in lines that fit a terminal.
func TestEverythingIsSaid(t *testing.T) {
	for _, f := range library(t) {
		text := manualOf(t, f)
		words := strings.ToLower(strings.Join(strings.Fields(text), " "))
		d := f.Describe()
		want := append([]string{d.Game, d.Title, d.About, d.SHA256, d.Rank, d.Payoff}, d.Examples...)
		for _, o := range d.Options {
			want = append(want, o.Name, o.Doc)
		}
		for _, p := range d.Presets {
			want = append(want, p.Name, p.Doc)
		}
		for _, v := range d.State {
			want = append(want, v.Name, v.ShownAs, v.Doc)
		}
		for _, ph := range d.Phases {
			want = append(want, ph.Name, ph.Turn)
			for _, a := range ph.Actions {
				want = append(want, a.Name, a.Doc, a.When, a.Who)
				for _, r := range a.Refuse {
					want = append(want, r.If, r.Say)
				}
				for _, p := range a.Params {
					want = append(want, p.Name+": "+p.Low+" to "+p.High, p.Doc)
				}
			}
		}
		for _, s := range want {
			if !strings.Contains(words, strings.ToLower(strings.Join(strings.Fields(s), " "))) {
				t.Errorf("%s: the manual does not say %q", f.Game, s)
			}
		}
		for line := range strings.Lines(text) {
			if n := len([]rune(line)); n > 101 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%s: a line of %d characters: %s", f.Game, n, line)
			}
		}
	}
}
