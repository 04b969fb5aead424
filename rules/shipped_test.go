package rules_test

import (
	"strings"
	"testing"

	"dudo.example/rules"
)

// TestShippedFilesSayAll wants words for everything that a player, an agent or an operator meets in a file that ships, its sources
// in the comments above it, and at least eight worked examples, of which one lets the clock run out.
func TestShippedFilesSayAll(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(f.Game, func(t *testing.T) {
			if n := len(f.Examples()); n < 8 {
				t.Errorf("%d worked examples, want 8", n)
			}
			text := string(f.Text)
			if head, _, _ := strings.Cut(text, "\ndudo: 1"); f.Game != rules.Standard && !strings.HasPrefix(head, "# Source") {
				t.Error("no comment names the sources")
			}
			if !strings.Contains(text, "play: [timeout]") {
				t.Error("no example lets the clock run out")
			}
			say := func(what, name, doc string) {
				if doc == "" {
					t.Errorf("%s %s has no doc", what, name)
				}
			}
			for _, o := range f.Options {
				say("option", o.Name, o.Doc)
			}
			for _, p := range f.Presets {
				say("preset", p.Name, p.Doc)
			}
			for _, a := range f.Actions() {
				say("action", a.Name, a.Doc)
				for _, p := range a.Params {
					say("parameter of "+a.Name, p.Name, p.Doc)
				}
			}
			g, err := f.Compile(f.MaxSeats, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range g.Vars {
				say("variable", v.Name, v.Doc)
			}
			for _, ph := range g.Phases {
				for _, a := range ph.Actions {
					if a.When != nil && a.Refuse == nil {
						t.Errorf("%s of %s can be refused without a sentence of its own", a.Name, ph.Name)
					}
				}
			}
		})
	}
}
