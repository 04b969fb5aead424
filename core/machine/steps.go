package machine

import "fmt"

// Step is one instruction of a step list: [Set], [Let], [If], [Each], [Goto], [End], [Reveal], [Hide] or [Emit].
type Step interface {
	// link looks up once what the step needs of the game.
	link(l *linker) linked
}

// linked is a step that can run.
type linked interface {
	// run does the step. It gives the phase to go to, ended after an end, or next to go on.
	run(p *Position, f *Frame) int
}

const (
	next  = -1
	ended = -2
)

func runSteps(p *Position, f *Frame, list []linked) int {
	for _, s := range list {
		if to := s.run(p, f); to != next || f.err != nil {
			return to
		}
	}
	return next
}

// linker links step lists. It keeps those that it has linked, as lists may be shared.
type linker struct {
	game  *Game
	lists map[*Step][]linked
}

func (l *linker) list(list []Step) []linked {
	if len(list) == 0 {
		return nil
	}
	if done := l.lists[&list[0]]; len(done) == len(list) {
		return done
	}
	out := make([]linked, len(list))
	for i, s := range list {
		out[i] = s.link(l)
	}
	l.lists[&list[0]] = out
	return out
}

// Assign writes one integer variable, not a zone.
type Assign struct {
	Var   int
	Seat  Int // whose; nil if the variable belongs to no seat
	Value Int
}

// MaxAssigns is how many variables one [Set] can write.
const MaxAssigns = 16

// Set writes variables simultaneously: every seat and every value is read before anything is written, and every write is
// checked against the variable's bounds.
type Set []Assign

func (s Set) link(l *linker) linked {
	list := make(writes, len(s))
	for i, a := range s {
		v := &l.game.Vars[a.Var]
		list[i] = write{
			name: v.Name, at: l.game.offsets[a.Var], seats: l.game.Seats, seat: a.Seat, value: a.Value, least: v.Min, most: v.Max,
		}
	}
	return &list
}

type writes []write

type write struct {
	name        string
	at          int
	seats       int
	seat        Int
	value       Int
	least, most int
}

func (s *writes) run(p *Position, f *Frame) int {
	var at, value [MaxAssigns]int32
	for i := range *s {
		w := &(*s)[i]
		off := w.at
		if w.seat != nil {
			seat := w.seat(f)
			if seat < 0 || seat >= w.seats {
				f.Fail(fmt.Errorf("set %s: no seat %d", w.name, seat))
				return next
			}
			off += seat // an integer variable's stride is 1
		}
		x := w.value(f)
		if x < w.least || x > w.most {
			f.Fail(fmt.Errorf("set %s: %d is not in %d to %d", w.name, x, w.least, w.most))
			return next
		}
		at[i], value[i] = int32(off), int32(x)
	}
	if f.err != nil {
		return next
	}
	for i := range *s {
		p.cells[at[i]] = value[i]
	}
	return next
}

// Let keeps a value in a local slot for the steps that follow.
type Let struct {
	Slot  int
	Value Int
}

func (s Let) link(*linker) linked { return &s }

func (s *Let) run(_ *Position, f *Frame) int {
	f.Locals[s.Slot] = s.Value(f)
	return next
}

// If runs one of two step lists. A nil Cond means Then always.
type If struct {
	Cond       Bool
	Then, Else []Step
}

func (s If) link(l *linker) linked { return &branch{s.Cond, l.list(s.Then), l.list(s.Else)} }

type branch struct {
	cond        Bool
	then, other []linked
}

func (s *branch) run(p *Position, f *Frame) int {
	list := s.other
	if s.cond == nil || s.cond(f) {
		list = s.then
	}
	if f.err != nil {
		return next
	}
	return runSteps(p, f, list)
}

// Each runs a step list for every seat in order, the seat in a local slot. When, if given, says for which; it is asked just
// before each.
type Each struct {
	Slot int
	When Bool
	Do   []Step
}

func (s Each) link(l *linker) linked { return &loop{s.Slot, s.When, l.list(s.Do)} }

type loop struct {
	slot int
	when Bool
	do   []linked
}

func (s *loop) run(p *Position, f *Frame) int {
	for seat := range p.game.Seats {
		f.Locals[s.slot] = seat
		if s.when != nil && !s.when(f) {
			continue
		}
		if to := runSteps(p, f, s.do); to != next || f.err != nil {
			return to
		}
	}
	return next
}

// Goto enters a phase; the steps after it do not run.
type Goto struct{ Phase int }

func (s Goto) link(*linker) linked { return s }

func (s Goto) run(*Position, *Frame) int { return s.Phase }

// End ends the game; the steps after it do not run.
type End struct{}

func (s End) link(*linker) linked { return s }

func (End) run(p *Position, _ *Frame) int {
	p.cells[cellOver] = int32(Finished)
	return ended
}

// Reveal shows a variable to everybody, of one seat or of all, until its next draw or a [Hide]. Each owner's values are an
// [Effect], as they are at this step; empty zones are not shown.
type Reveal struct {
	Var  int
	Seat Int // whose; nil for all
}

func (s Reveal) link(*linker) linked { return &s }

func (s *Reveal) run(p *Position, f *Frame) int {
	v := &p.game.Vars[s.Var]
	p.each(f, s.Var, s.Seat, func(owner int) {
		if at := p.game.flags[s.Var]; at > 0 {
			p.cells[at+owner] = 1
		}
		from := len(p.values)
		p.values = p.appendValues(p.values, s.Var, owner)
		if v.Zone > 0 && len(p.values) == from {
			return
		}
		e := Effect{Var: s.Var, Owner: None, Name: v.Name, Kind: v.Kind, Values: p.values[from:len(p.values):len(p.values)]}
		if v.PerSeat {
			e.Owner = owner
		}
		p.effects = append(p.effects, e)
	})
	return next
}

// Hide takes back a [Reveal].
type Hide struct {
	Var  int
	Seat Int // whose; nil for all
}

func (s Hide) link(*linker) linked { return &s }

func (s *Hide) run(p *Position, f *Frame) int {
	p.each(f, s.Var, s.Seat, func(owner int) {
		if at := p.game.flags[s.Var]; at > 0 {
			p.cells[at+owner] = 0
		}
	})
	return next
}

// each calls do for the owners that seat names.
func (p *Position) each(f *Frame, variable int, seat Int, do func(owner int)) {
	owners := p.game.Vars[variable].owners(p.game.Seats)
	if seat == nil {
		for owner := range owners {
			do(owner)
		}
		return
	}
	owner := seat(f)
	if owner < 0 || owner >= owners {
		f.Fail(fmt.Errorf("%s of seat %d", p.game.Vars[variable].Name, owner))
		return
	}
	do(owner)
}

// Fact is a public fact that the rules emit.
type Fact struct {
	Name  string // "record.field" for a field of a record
	Kind  Kind
	Value Int
}

// Emit makes facts public.
type Emit []Fact

func (s Emit) link(*linker) linked { return &s }

func (s *Emit) run(p *Position, f *Frame) int {
	for i := range *s {
		fact := &(*s)[i]
		from := len(p.values)
		p.values = append(p.values, fact.Value(f))
		p.effects = append(p.effects, Effect{
			Var: -1, Owner: None, Name: fact.Name, Kind: fact.Kind,
			Values: p.values[from:len(p.values):len(p.values)],
		})
	}
	return next
}
