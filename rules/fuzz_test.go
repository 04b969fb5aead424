package rules_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// FuzzLoad reads any text as a rule file. What is accepted is compiled for some seats and options, checked and played a little.
// Nothing may panic, hang or come without a place.
func FuzzLoad(f *testing.F) {
	seed := uint64(0)
	add := func(text []byte) {
		if seed++; len(text) < 8<<10 { // of the larger ones TestBounded takes care
			f.Add(text, seed)
		}
	}
	add([]byte(coin))
	for _, file := range shipped(f) {
		add(file.Text)
	}
	for _, text := range hostileTexts() {
		add([]byte(text))
	}
	for _, game := range hostileGames() {
		add([]byte(game.text))
	}
	for _, text := range hostileChecks() {
		add([]byte(text))
	}
	for _, hazard := range hazards {
		add([]byte(changed(coin, guardHere, "when: |\n          "+hazard)))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		begin := time.Now()
		file, err := rules.Parse("fuzz.yaml", text)
		var faults rules.Errors
		switch {
		case err != nil && !errors.As(err, &faults):
			t.Errorf("the error is no list: %v", err)
		case err != nil && (len(faults) == 0 || len(faults) > 10):
			t.Errorf("%d errors are told", len(faults))
		case err == nil && string(file.Text) != string(text):
			t.Error("the text is not kept")
		}
		if err == nil {
			tried(t, file, seed)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// tried compiles a game for seats and options that the seed chooses, and plays a little.
func tried(t *testing.T, file *rules.File, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	options := map[string]int{}
	for _, o := range file.Options {
		options[o.Name] = o.Low + r.IntN(o.High-o.Low+1)
	}
	file.Actions()
	g, err := file.Compile(file.MinSeats+r.IntN(file.MaxSeats-file.MinSeats+1), options)
	if err != nil {
		if !errors.As(err, new(*rules.Error)) {
			t.Errorf("the error of Compile has no place: %v", err)
		}
		return
	}
	p, err := g.NewPosition()
	if err != nil {
		return // a step that fails
	}
	var set machine.MoveSet
	for range 30 {
		before := p.Clone()
		switch p.Turn().Actor {
		case machine.Over:
			return
		case machine.Chance:
			if _, n, err := p.Outcomes(); err != nil || p.Draw(r.IntN(n)) != nil {
				return
			}
		case machine.Seat:
			seat := p.Turn().Seat
			if p.Legal(seat, &set); set.Len() == 0 {
				return
			}
			if err := p.Act(seat, set.At(r.IntN(set.Len()))); err != nil && !p.Equal(before) {
				t.Errorf("a move that failed (%v) changed the position", err)
			}
		}
		for seat := range g.Seats {
			p.View(seat)
		}
	}
	if _, err := file.Orders(file.MinSeats, options); err != nil && !errors.As(err, new(*rules.Error)) {
		t.Errorf("the error of Orders has no place: %v", err)
	}
	if seed%8 == 0 {
		file.Check()
	}
}
