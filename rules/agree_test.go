package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestClosuresAgree evaluates every expression of every rule file in positions of random games and of random values, by the
// closures that the product runs and by the reference, and wants the same value from both.
func TestClosuresAgree(t *testing.T) {
	total := 0
	for _, f := range allFiles(t) {
		t.Run(f.Game, func(t *testing.T) {
			for seed := range uint64(4) {
				r := generator(seed)
				options := map[string]int{}
				for _, o := range f.Options {
					options[o.Name] = o.Default
					if seed > 0 {
						options[o.Name] = o.Low + r.below(min(o.High-o.Low+1, 6))
					}
				}
				seats := f.MinSeats + r.below(min(f.MaxSeats, 4)-f.MinSeats+1)
				n, never := agree(t, f, seats, options, &r)
				for _, text := range never {
					t.Errorf("%s was never compared", text)
				}
				total += n
			}
		})
	}
	t.Logf("%d evaluations agree", total)
	if want := 100_000; total < want && !raceEnabled {
		t.Errorf("%d evaluations were compared, want at least %d", total, want)
	}
}

// agree compares every expression of a file and says how many evaluations were compared, and which expressions never were, as they
// failed every time.
func agree(t *testing.T, f *rules.File, seats int, options map[string]int, r *generator) (n int, never []string) {
	t.Helper()
	g, err := f.Compile(seats, options)
	if err != nil {
		t.Fatalf("options %v: %v", options, err)
	}
	probes, err := f.Probes(seats, options)
	if err != nil {
		t.Fatal(err)
	}
	ref := referenceOf(t, f, seats, options)
	compared := map[string]int{}
	c := course{Position: start(t, g), r: r, count: &counts{}}
	positions := 80
	if raceEnabled {
		positions = 8 // enough for races
	}
	for i := range positions {
		in, err := c.next()
		if i%2 == 1 {
			scatter(c.Position, r)
		}
		if err := ref.load(c.Position); err != nil {
			t.Fatal(err)
		}
		for _, probe := range probes {
			switch ok, err := probed(c.Position, ref, probe, r); {
			case err != nil:
				t.Fatal(err)
			case ok:
				compared[probe.Where+probe.Text]++
				n++
			}
		}
		// Random values may stop a game.
		if err != nil || i%2 == 1 || in.apply(c.Position) != nil || c.Turn().Actor == machine.Over {
			c.Position = start(t, g)
		}
	}
	for _, probe := range probes {
		if compared[probe.Where+probe.Text] == 0 && !raceEnabled {
			never = append(never, probe.Text)
		}
	}
	return n, never
}

// probed compares one expression with random arguments and locals. ok is false if the expression fails, which the closures know.
func probed(p *machine.Position, ref *reference, probe rules.Probe, r *generator) (ok bool, err error) {
	var args [machine.MaxParams]int
	var names []string
	var values []any
	let := func(name string, value any) { names, values = append(names, name), append(values, value) }
	me := r.below(ref.seats)
	if probe.Me {
		let("me", me)
	}
	for i, name := range probe.Params {
		args[i] = r.below(7)
		let(name, args[i])
	}
	locals := make([]int, len(probe.Locals))
	for i, l := range probe.Locals {
		if l.Kind == "true or false" {
			locals[i] = r.below(2)
			let(l.Name, locals[i] == 1)
			continue
		}
		locals[i] = r.below(ref.seats) // procedures take seats as integers
		let(l.Name, locals[i])
	}
	got, err := probe.Eval(p, me, args, locals)
	if err != nil {
		return false, nil // an index or a value is out of range
	}
	return true, ref.with(names, values, func() error {
		x, err := ref.eval(probe.Text)
		want, ok := x.(int)
		if !ok && err == nil {
			want = b2i(x.(bool))
		}
		if err == nil && got != want {
			err = fmt.Errorf("%d, expr says %v", got, x)
		}
		if err != nil {
			err = fmt.Errorf("%s: %s with %v = %v: %w", probe.Where, probe.Text, names, values, err)
		}
		return err
	})
}

// load takes all values over from a position.
func (r *reference) load(p *machine.Position) error {
	return r.everything(func(o owner) error {
		i, ok := p.Game().Var(o.name())
		values := p.Values(i, max(o.seat, 0))
		f := o.h.fields[o.field]
		switch {
		case !ok:
			return errOutside
		case f.list > 0:
			return o.write(slices.Clone(values))
		case f.bool:
			return o.write(values[0] == 1)
		}
		return o.write(values[0])
	})
}
