package machine

import "fmt"

// Step is one instruction of a step list: [Set], [Let], [If], [Each], [Goto], [End], [Transfer], [Clear],
// [Reveal], [Hide] or [Emit].
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
	if done, ok := l.lists[&list[0]]; ok {
		return done
	}
	out := make([]linked, 0, len(list))
	for _, s := range list {
		then, ok := s.(If)
		if !ok || then.Cond != nil {
			out = append(out, s.link(l))
			continue
		}
		if body := l.list(then.Then); len(body) <= mostCopied {
			out = append(out, body...)
		} else {
			out = append(out, block(body))
		}
	}
	l.lists[&list[0]] = out
	return out
}

// mostCopied is how long a body may be to be copied to where it runs. Longer ones are shared: a few lines of rules can name a long
// body thousands of times.
const mostCopied = 8

// block is a step list in the place of one step.
type block []linked

func (s block) run(p *Position, f *Frame) int { return runSteps(p, f, s) }

// Assign writes one integer variable, not a zone.
type Assign struct {
	Var   int
	Seat  Value // whose, if the variable belongs to seats
	Value Value
}

// MaxAssigns is how many variables one [Set] can write.
const MaxAssigns = 16

// Set writes variables simultaneously: every seat and every value is read before anything is written, and every write is
// checked against the variable's bounds.
type Set []Assign

func (s Set) link(l *linker) linked {
	list := &writes{}
	for _, a := range s {
		v := &l.game.Vars[a.Var]
		w := &write{v: v, at: l.game.offsets[a.Var], seats: v.owners(l.game.Seats), seat: a.Seat, value: a.Value, least: v.Min, most: v.Max}
		if !v.PerSeat && a.Value.Of == nil && a.Value.Cell < Registers {
			list.plain = append(list.plain, w)
		} else {
			list.other = append(list.other, w)
		}
	}
	return list
}

type writes struct {
	plain []*write // of a constant or a register to a cell that is always the same
	other []*write
}

type write struct {
	v           *Var
	at          int
	seats       int
	seat, value Value
	least, most int
}

// written is a cell and what it will hold.
type written struct {
	at    int
	value int32
}

func (s *writes) run(p *Position, f *Frame) int {
	for i, w := range s.other {
		seat, x := w.seat.get(f), w.value.get(f)
		if uint(seat) >= uint(w.seats) || x < w.least || x > w.most {
			w.fail(f, seat, x)
			return next
		}
		p.written[i] = written{w.at + seat, int32(x)} // an integer variable's stride is 1
	}
	if f.err != nil {
		return next
	}
	// All that reads the position has been read.
	for _, w := range s.plain {
		x := int(p.head[w.value.Cell]) + w.value.Plus
		if x < w.least || x > w.most {
			w.fail(f, 0, x)
			return next
		}
		p.cells[w.at] = int32(x)
	}
	for _, w := range p.written[:len(s.other)] {
		p.cells[w.at] = w.value
	}
	return next
}

func (w *write) fail(f *Frame, seat, x int) {
	if seat < 0 || seat >= w.seats {
		f.Fail(fmt.Errorf("set %s: no seat %d", w.v.Name, seat))
		return
	}
	f.Fail(fmt.Errorf("set %s: %d is not in %d to %d", w.v.Name, x, w.least, w.most))
}

// Let keeps a value in a local slot for the steps that follow.
type Let struct {
	Slot  int
	Value Value
}

func (s Let) link(*linker) linked { return &s }

func (s *Let) run(_ *Position, f *Frame) int {
	f.Cells[Local+s.Slot] = int32(s.Value.get(f))
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
	if s.cond(f) {
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
		f.Cells[Local+s.slot] = int32(seat)
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
	p.head[cellOver] = int32(Finished)
	return ended
}

// Reveal shows a variable to everybody, of one seat or of all, until its next draw or a [Hide]. Each owner's values are an
// [Effect], as they are at this step; empty zones are not shown.
type Reveal struct {
	Var  int
	Seat Int // whose; nil for all
}

func (s Reveal) link(l *linker) linked { return &reveal{owning: l.owning(s.Var, s.Seat)} }

type reveal struct{ owning }

func (s *reveal) run(p *Position, f *Frame) int {
	first, end := s.mark(p, f, 1)
	p.shown = append(p.shown, shown{reveal: s, first: first, end: end, from: len(p.copied)})
	p.copied = append(p.copied, p.cells[s.at+first*s.stride:s.at+end*s.stride]...)
	return next
}

// Hide takes back a [Reveal].
type Hide struct {
	Var  int
	Seat Int // whose; nil for all
}

func (s Hide) link(l *linker) linked { return &hide{l.owning(s.Var, s.Seat)} }

type hide struct{ owning }

func (s *hide) run(p *Position, f *Frame) int {
	s.mark(p, f, 0)
	return next
}

// owning is a variable of one owner or of all.
type owning struct {
	variable, at, stride int
	seat                 Int // nil for all
	owners               int
	flags                int
}

func (l *linker) owning(variable int, seat Int) owning {
	v := &l.game.Vars[variable]
	return owning{variable, l.game.offsets[variable], v.Stride(), seat, v.owners(l.game.Seats), l.game.flags[variable]}
}

// named gives the first owner and one more than the last.
func (s *owning) named(p *Position, f *Frame) (first, end int) {
	if s.seat == nil {
		return 0, s.owners
	}
	if first = s.seat(f); first < 0 || first >= s.owners {
		f.Fail(fmt.Errorf("%s of seat %d", p.game.Vars[s.variable].Name, first))
		return 0, 0
	}
	return first, first + 1
}

// mark writes the revealed flags of the owners, if the variable has such, and gives them as named does.
func (s *owning) mark(p *Position, f *Frame, revealed int32) (first, end int) {
	first, end = s.named(p, f)
	if s.flags > 0 {
		for owner := first; owner < end; owner++ {
			p.cells[s.flags+owner] = revealed
		}
	}
	return first, end
}

// Fact is a public fact that the rules emit.
type Fact struct {
	Name  string // "record.field" for a field of a record
	Kind  Kind
	Value Value
}

// Emit makes facts public.
type Emit []Fact

func (s Emit) link(*linker) linked { return &s }

func (s *Emit) run(p *Position, f *Frame) int {
	p.shown = append(p.shown, shown{emit: *s, from: len(p.copied)})
	for i := range *s {
		x := (*s)[i].Value.get(f)
		if x < -maxValue || x > maxValue {
			f.Fail(fmt.Errorf("emit %s: %d is too large", (*s)[i].Name, x))
		}
		p.copied = append(p.copied, int32(x))
	}
	return next
}
