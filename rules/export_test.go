package rules

import (
	"slices"

	"dudo.example/core/machine"
)

// Probe is one expression of a file, compiled for a game, for tests that compare it with expr's own machine.
type Probe struct {
	Text   string
	Where  string
	Bool   bool
	Me     bool // names me
	Params []string
	Locals []ProbeLocal
	Eval   func(p *machine.Position, me int, args [machine.MaxParams]int, locals []int) (int, error)
}

// ProbeLocal is a name for a slot.
type ProbeLocal struct {
	Name string
	Kind string
}

// FunctionText is a declared function.
type FunctionText struct {
	Name   string
	Params []string
	Text   string
	Bool   bool
}

// Functions lists the declared functions, and alive(seat) if there is one.
func (f *File) Functions() []FunctionText {
	var list []FunctionText
	for _, fn := range f.functions {
		list = append(list, FunctionText{fn.name, fn.params, fn.body.text, fn.body.kind == kindBool})
	}
	if f.alive != nil {
		list = append(list, FunctionText{"alive", []string{"seat"}, f.alive.body.text, true})
	}
	return list
}

// Probes compiles every expression of the file's phases and results. Arithmetic is compiled as if parameters could hold
// anything, so that every check is in place.
func (f *File) Probes(seats int, options map[string]int) ([]Probe, error) {
	c, err := f.compileFunctions(seats, options)
	if err != nil {
		return nil, err
	}
	for range machine.MaxParams {
		c.args = append(c.args, anything)
	}
	var probes []Probe
	add := func(e *expression) {
		if e == nil || e.text == "" {
			return
		}
		code := asInt(c.root(e))
		p := Probe{Text: e.text, Where: f.src.errorf(e.from.at, "").Error(), Bool: e.kind == kindBool, Me: e.scope.me, Params: e.scope.params}
		for _, l := range e.scope.locals {
			p.Locals = append(p.Locals, ProbeLocal{l.name, l.kind.String()})
		}
		scope := e.scope
		p.Eval = func(pos *machine.Position, me int, args [machine.MaxParams]int, locals []int) (int, error) {
			fr := machine.Frame{Cells: slices.Clone(pos.Cells())}
			fr.Cells[machine.Me] = int32(me)
			for i, x := range args {
				fr.Cells[machine.Arg+i] = int32(x)
			}
			for i, l := range scope.locals {
				fr.Cells[machine.Local+l.slot] = int32(locals[i])
			}
			n := code(&fr)
			return n, fr.Err()
		}
		probes = append(probes, p)
	}
	var steps func(list []statement)
	steps = func(list []statement) {
		for _, s := range list {
			switch {
			case s.let != nil:
				add(s.let.value)
			case s.cond != nil:
				add(s.cond.cond)
				steps(s.cond.then)
				steps(s.cond.other)
			case s.each != nil:
				add(s.each.when)
				steps(s.each.do)
			case s.call != nil:
				for _, a := range s.call.args {
					add(a)
				}
				steps(s.call.to.body)
			case s.show != nil:
				add(s.show.seat)
			case s.wipe != nil:
				add(s.wipe.seat)
			case s.move != nil:
				for _, e := range []*expression{s.move.from.seat, s.move.to.seat, s.move.value, s.move.count} {
					add(e)
				}
			}
			for _, t := range s.set {
				add(t.seat)
				add(t.value)
			}
			for _, x := range s.emit {
				add(x.value)
			}
		}
	}
	for _, ph := range f.phases {
		for _, d := range ph.draws {
			add(d.when)
			add(d.count)
			add(d.low)
			add(d.high)
		}
		add(ph.turn)
		steps(ph.then)
		steps(ph.timeout)
		for _, a := range ph.actions {
			for _, q := range a.params {
				add(q.low)
				add(q.high)
			}
			add(a.who)
			add(a.when)
			a.refuse.expressions(add)
			steps(a.do)
		}
	}
	add(f.rank)
	add(f.payoff)
	for _, v := range f.vars {
		add(v.seeIf)
	}
	return probes, nil
}
