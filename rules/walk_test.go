package rules_test

import (
	"slices"
	"testing"

	"dudo.example/rules"
)

func shippedFile(t *testing.T, game string) *rules.File {
	t.Helper()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f *rules.File) bool { return f.Game == game })
	if i < 0 {
		t.Fatalf("there is no game %s", game)
	}
	return files[i]
}

// TestWalkCounts holds the walk against the known tree of Kuhn poker: 24 decisions, 30 ends, and before them the draw of the
// first card and, after each of its three outcomes, that of the second.
func TestWalkCounts(t *testing.T) {
	walked, err := shippedFile(t, "cards/kuhn-poker").Walk()
	if err != nil || len(walked) == 0 {
		t.Fatalf("Walk = %v, %v", walked, err)
	}
	if in := walked[0]; in.Seats != 2 || in.Positions != 24+30+4 || !in.Whole {
		t.Errorf("Walk began with %+v, want all 58 positions of two seats", in)
	}
}

// TestWalkCovers wants every file that ships to be walked whole with the fewest seats and one die, and tried with more seats
// and with each preset.
func TestWalkCovers(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		walked, err := f.Walk()
		if err != nil {
			t.Errorf("%s: %v", f.Game, err)
			continue
		}
		if !walked[0].Whole {
			t.Errorf("%s: the smallest instance was not walked whole: %+v", f.Game, walked[0])
		}
		for _, in := range walked {
			if in.Positions < 2 {
				t.Errorf("%s: %+v", f.Game, in)
			}
		}
		if f.MaxSeats > f.MinSeats && !slices.ContainsFunc(walked, func(in rules.Instance) bool { return in.Seats == f.MinSeats+1 }) {
			t.Errorf("%s was not walked with %d seats", f.Game, f.MinSeats+1)
		}
	}
}
