package rules

import (
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"dudo.example/core/machine"
)

// Limits on walking small instances, so that it ends in about a second whatever the file says.
const (
	maxWalk      = 30_000      // positions of an instance
	maxWalkCells = 12 << 20    // integers in the positions of an instance that are still to be visited
	maxWalkCost  = 400_000_000 // evaluations for all instances of a file
)

// Instance is a small instance of a game that was walked.
type Instance struct {
	Seats     int
	Options   map[string]int // all of them
	Positions int            // that were seen
	Whole     bool           // these are all positions; else the walk stopped at its limit
	Preset    string         // whose options these are, "" for none
}

// Check runs the worked examples and walks small instances of the game; see [File.Walk]. It gives an [*Error] for every example
// that comes out otherwise, and for the first fault of the walk.
func (f *File) Check() []error {
	errs := f.RunExamples()
	if _, err := f.Walk(); err != nil {
		errs = append(errs, err)
	}
	return errs
}

// Walk goes through all positions of small instances of the game: the fewest seats and one more, with every numeric option at
// its least; every preset in the same way; and numeric options one above their least. It stops at the first [*Error]: a position
// in which nobody can move or from which the game cannot end, a step that fails, and players or draws that can go round for
// ever (players with a preset may: the limit of moves then ends the game). What it does not find in a small instance may still
// be there in a larger one. Instances that it had no more time for are left out.
func (f *File) Walk() ([]Instance, error) {
	var walked []Instance
	left := maxWalkCost
	for _, in := range f.small() {
		if left <= 0 {
			break
		}
		w, err := f.walk(in, &left)
		if err != nil {
			return walked, err
		}
		in.Positions, in.Whole = len(w.list), w.whole
		walked = append(walked, in)
	}
	return walked, nil
}

// small lists the instances to walk, the most telling first, each once.
func (f *File) small() []Instance {
	least, more := map[string]int{}, map[string]int{}
	for _, o := range f.Options {
		if least[o.Name], more[o.Name] = o.Low, min(o.Low+1, o.High); o.Bool {
			least[o.Name], more[o.Name] = o.Default, o.Default
		}
	}
	var list []Instance
	add := func(seats int, options map[string]int, preset string) {
		for _, in := range list {
			if in.Seats == seats && maps.Equal(in.Options, options) {
				return
			}
		}
		if seats <= f.MaxSeats {
			list = append(list, Instance{Seats: seats, Options: options, Preset: preset})
		}
	}
	add(f.MinSeats, least, "")
	add(f.MinSeats+1, least, "")
	for _, p := range f.Presets {
		options := maps.Clone(least)
		maps.Copy(options, p.Options)
		add(f.MinSeats, options, p.Name)
	}
	add(f.MinSeats, more, "")
	return list
}

// describe says in words what was walked: the seats, and the options that have not their defaults.
func (f *File) describe(in Instance) string {
	words := []string{plural(in.Seats, "seat")}
	for _, o := range f.Options {
		switch value := in.Options[o.Name]; {
		case value == o.Default:
		case o.Bool:
			words = append(words, o.Name+" "+yesNo(value != 0))
		default:
			words = append(words, fmt.Sprintf("%s %d", o.Name, value))
		}
	}
	return strings.Join(words, ", ")
}

// walk goes through positions. A position is known by what recurs in it, so counts of moves do not make it new.
type walk struct {
	file    *File
	game    *machine.Game
	left    *int // evaluations
	room    int  // positions
	whole   bool
	seed    maphash.Seed
	number  map[uint64]int
	list    []*machine.Position // nil once visited
	phases  []int               // of each
	leads   leads
	over    []int
	scratch *machine.Position
}

// walk walks an instance.
func (f *File) walk(in Instance, left *int) (*walk, error) {
	g, err := f.Compile(in.Seats, in.Options)
	if err != nil {
		return nil, err
	}
	complain := func(at place, what string) error {
		return f.src.errorf(at, "%s (found in the small instance with %s; larger ones were not walked)", what, f.describe(in))
	}
	start, err := g.NewPosition()
	if err != nil {
		return nil, complain(f.phases[f.start].at, fmt.Sprintf("the game cannot begin: %v", err))
	}
	w := walk{file: f, game: g, left: left, whole: true, seed: maphash.MakeSeed(), number: map[uint64]int{}, scratch: start.Clone()}
	w.room = min(maxWalk, maxWalkCells/(2*len(start.Cells())+200))
	w.visit(start)
	for i := 0; i < len(w.list) && w.whole; i++ {
		at, fault := place{}, ""
		switch p := w.list[i]; p.Turn().Actor {
		case machine.Over:
			w.over = append(w.over, i)
		case machine.Chance:
			at, fault = w.chance(i)
		case machine.Seat:
			at, fault = w.acts(i)
		}
		if fault != "" {
			return nil, complain(at, fault)
		}
		w.list[i] = nil
		w.whole = w.whole && *left > 0
	}
	if i, fault := w.circles(in.Preset == ""); fault != "" {
		return nil, complain(f.phases[w.phases[i]].at, fault)
	}
	return &w, nil
}

// visit gives the number of a position, a new one if it was not seen, or -1 if there is no room for it.
func (w *walk) visit(p *machine.Position) int {
	*w.left -= 60 + len(p.Cells())
	key := maphash.String(w.seed, p.Recurring())
	if i, ok := w.number[key]; ok {
		return i
	}
	if len(w.list) >= w.room {
		w.whole = false
		return -1
	}
	w.number[key] = len(w.list)
	w.list = append(w.list, p.Clone())
	w.phases = append(w.phases, slices.IndexFunc(w.file.phases, func(ph *phase) bool { return ph.name == p.Phase() }))
	return len(w.list) - 1
}

// chance draws everything that can be drawn in a position.
func (w *walk) chance(i int) (place, string) {
	p, ph := w.list[i], w.file.phases[w.phases[i]]
	_, n, err := p.Outcomes()
	if err != nil {
		return ph.at, fmt.Sprintf("nothing can be drawn in the phase %s: %v", ph.name, err)
	}
	for k := range n {
		q := w.scratch
		q.CopyFrom(p)
		*w.left -= ph.cost
		if err := q.Draw(k); err != nil {
			return ph.at, fmt.Sprintf("draw %d of the phase %s fails: %v", k, ph.name, err)
		}
		w.lead(byDraw, i, w.visit(q), q.Turn().Actor == machine.Chance)
	}
	return place{}, ""
}

// acts makes every legal move of a position, and lets the time run out.
func (w *walk) acts(i int) (place, string) {
	p, ph := w.list[i], w.file.phases[w.phases[i]]
	*w.left -= w.game.Seats * ph.listing(&w.game.Phases[w.phases[i]])
	var set machine.MoveSet
	legal := 0
	for seat := range w.game.Seats {
		p.Legal(seat, &set)
		for m := range set.All() {
			legal++
			q := w.scratch
			q.CopyFrom(p)
			a := ph.action(w.game, m)
			*w.left -= a.cost
			if err := q.Act(seat, m); err != nil {
				return a.at, fmt.Sprintf("seat %d may %s in the phase %s, but it fails: %v", seat, w.game.Text(m), ph.name, err)
			}
			w.lead(byPlayer, i, w.visit(q), q.Turn().Actor == machine.Seat)
		}
	}
	if legal == 0 {
		return ph.at, fmt.Sprintf("seat %d has to move in the phase %s, and nobody has a legal move", p.Turn().Seat, ph.name)
	}
	if p.Clocked() {
		q := w.scratch
		q.CopyFrom(p)
		if err := q.Timeout(); err != nil {
			return ph.at, fmt.Sprintf("the time may run out in the phase %s, but its timeout fails: %v", ph.name, err)
		}
		w.lead(byClock, i, w.visit(q), false)
	}
	return place{}, ""
}

// listing is what listing a seat's legal moves costs at most.
func (ph *phase) listing(m *machine.Phase) int {
	cost := 0
	for i, a := range ph.actions {
		tuples := 1
		for _, q := range m.Actions[i].Params {
			tuples *= q.High - q.Low + 1
		}
		if m.Actions[i].Row != nil {
			tuples = 1 + tuples/64
		}
		cost += a.guard * tuples
	}
	return cost
}

// action finds the action of a move of the phase.
func (ph *phase) action(g *machine.Game, m machine.Move) *action {
	of, _, _ := g.Action(m)
	for _, a := range ph.actions {
		if of != nil && a.name == of.Name {
			return a
		}
	}
	return ph.actions[0] // not reached
}
