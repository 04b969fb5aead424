package rules

import (
	"fmt"
	"hash/maphash"

	"dudo.example/core/machine"
)

// maxWalk is how many positions the walk of one instance visits at most.
const maxWalk = 30_000

// Check runs the worked examples and walks small instances of the game: the fewest seats and one more, every numeric option
// at its least. It gives an [*Error] for every example that comes out otherwise, for a position in which nobody can move, for
// a step that fails, and for players who can go round for ever without a draw between. What it does not find in a small
// instance may still be there in a larger one.
func (f *File) Check() []error {
	errs := f.RunExamples()
	for seats := f.MinSeats; seats <= min(f.MinSeats+1, f.MaxSeats); seats++ {
		options := map[string]int{}
		for _, o := range f.Options {
			if options[o.Name] = o.Low; o.Bool {
				options[o.Name] = o.Default
			}
		}
		if err := f.walk(seats, options); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// walk goes through positions. A position is known by what recurs in it, so counts of moves do not make it new.
type walk struct {
	seed   maphash.Seed
	number map[uint64]int
	list   []*machine.Position
	moves  [][]int // positions that a player's move leads to without a draw between
}

func (f *File) walk(seats int, options map[string]int) error {
	g, err := f.Compile(seats, options)
	if err != nil {
		return err
	}
	complain := func(format string, args ...any) error {
		return f.src.errorf(place{}, "in the small instance with %s and options %v (larger ones were not walked): %s",
			plural(seats, "seat"), options, fmt.Sprintf(format, args...))
	}
	start, err := g.NewPosition()
	if err != nil {
		return complain("%v", err)
	}
	w := walk{seed: maphash.MakeSeed(), number: map[uint64]int{}}
	w.visit(start)
	for i := 0; i < len(w.list) && len(w.list) < maxWalk; i++ {
		p := w.list[i]
		switch p.Turn().Actor {
		case machine.Over:
		case machine.Chance:
			err = w.draws(p)
		case machine.Seat:
			err = w.acts(i)
		}
		if err != nil {
			return complain("%v", err)
		}
		w.list[i] = nil
	}
	if w.rounds() {
		return complain("players can go round for ever: a position comes back without a draw between")
	}
	return nil
}

// visit gives the number of a position, a new one if it was not seen.
func (w *walk) visit(p *machine.Position) int {
	key := maphash.String(w.seed, p.Recurring())
	if i, ok := w.number[key]; ok {
		return i
	}
	w.number[key] = len(w.list)
	w.list = append(w.list, p)
	w.moves = append(w.moves, nil)
	return len(w.list) - 1
}

func (w *walk) draws(p *machine.Position) error {
	_, n, err := p.Outcomes()
	if err != nil {
		return err
	}
	for k := range n {
		q := p.Clone()
		if err := q.Draw(k); err != nil {
			return fmt.Errorf("draw %d of the phase %s fails: %w", k, p.Phase(), err)
		}
		w.visit(q)
	}
	return nil
}

func (w *walk) acts(i int) error {
	p := w.list[i]
	g := p.Game()
	var set machine.MoveSet
	legal := 0
	for seat := range g.Seats {
		p.Legal(seat, &set)
		for m := range set.All() {
			legal++
			q := p.Clone()
			if err := q.Act(seat, m); err != nil {
				return fmt.Errorf("seat %d may %s in the phase %s, but it fails: %w", seat, g.Text(m), p.Phase(), err)
			}
			if to := w.visit(q); q.Turn().Actor == machine.Seat {
				w.moves[i] = append(w.moves[i], to)
			}
		}
	}
	if legal == 0 {
		return fmt.Errorf("nobody has a legal move in the phase %s; seat %d would have to move", p.Phase(), p.Turn().Seat)
	}
	if p.Clocked() {
		q := p.Clone()
		if err := q.Timeout(); err != nil {
			return fmt.Errorf("a timeout in the phase %s fails: %w", p.Phase(), err)
		}
		w.visit(q)
	}
	return nil
}

// rounds reports whether players' moves lead from a position back to it.
func (w *walk) rounds() bool {
	into := make([]int, len(w.moves))
	for _, list := range w.moves {
		for _, to := range list {
			into[to]++
		}
	}
	var free []int
	for i, n := range into {
		if n == 0 {
			free = append(free, i)
		}
	}
	sorted := 0
	for len(free) > 0 {
		i := free[len(free)-1]
		free = free[:len(free)-1]
		sorted++
		for _, to := range w.moves[i] {
			if into[to]--; into[to] == 0 {
				free = append(free, to)
			}
		}
	}
	return sorted != len(w.moves)
}
