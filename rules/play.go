package rules

import (
	"strconv"
	"strings"

	"dudo.example/core/machine"
)

// phase compiles a phase.
func (c *compiler) phase(ph *phase) (machine.Phase, error) {
	m := machine.Phase{Name: ph.name, Clock: ph.clock}
	for _, d := range ph.draws {
		w := machine.Draw{Into: d.into, Each: d.each, From: d.from, Sort: d.sort}
		if d.each {
			if w.Counts = c.counts(d); w.Counts == 0 {
				w.Count = c.about(d.count, d.slot)
			}
		} else if d.count != nil {
			count := c.int(d.count)
			w.Count = func(f *machine.Frame, _ int) int { return count(f) }
		}
		if d.when != nil {
			w.When = c.whether(d.when, d.slot)
		}
		switch low, high, err := c.drawn(d); {
		case err != nil:
			return m, err
		case d.low == nil:
		case low.fixed() && high.fixed():
			w.Low, w.High = low.low, high.low
		default:
			w.Min, w.Max = c.int(d.low), c.int(d.high)
		}
		m.Draws = append(m.Draws, w)
	}
	if ph.turn == nil {
		m.Then = c.list(ph.then)
		return m, nil
	}
	if turn := c.of(ph.turn.term); !turn.within(span{0, c.seats - 1}) {
		return m, c.file.src.errorf(ph.turn.from.at, "turn can be %d to %d; it must always be one of the seats 0 to %d, never none (-1)",
			turn.low, turn.high, c.seats-1)
	}
	m.Turn = c.value(ph.turn)
	m.Timeout = c.list(ph.timeout)
	for _, a := range ph.actions {
		action, err := c.action(a)
		if err != nil {
			return m, err
		}
		m.Actions = append(m.Actions, action)
	}
	return m, nil
}

// counts gives the cells that a count of draws is, where it is a variable of each seat and no more; else 0.
func (c *compiler) counts(d draw) int {
	if d.count == nil || d.count.op != opVarAt {
		return 0
	}
	if seat := d.count.kids[0]; seat.op != opLocal || seat.n != d.slot {
		return 0
	}
	return c.layout[d.count.n]
}

// drawn gives the spans of the least and the greatest value of a uniform draw.
func (c *compiler) drawn(d draw) (low, high span, err error) {
	if d.low == nil {
		return span{}, span{}, nil
	}
	low, high = c.of(d.low.term), c.of(d.high.term)
	if high.high-low.low >= machine.MaxOutcome || low.low > high.high {
		return low, high, c.file.src.errorf(d.low.from.at, "a draw from %d to %d has %d outcomes; it must have 1 to %d",
			low.low, high.high, high.high-low.low+1, machine.MaxOutcome)
	}
	if low.fixed() && high.fixed() && !(span{low.low, high.high}).within(c.vars[d.into]) {
		return low, high, c.file.src.errorf(d.low.from.at, "a draw from %d to %d does not fit %s, which holds %d to %d",
			low.low, high.high, c.file.vars[d.into].name, c.vars[d.into].low, c.vars[d.into].high)
	}
	return low, high, nil
}

// maxArgument is the greatest value of a parameter.
const maxArgument = 1<<15 - 1

func (c *compiler) action(a *action) (machine.Action, error) {
	m := machine.Action{Name: a.name, Doc: a.doc}
	c.args = nil
	moves := 1
	for _, p := range a.params {
		low, high := c.of(p.low.term), c.of(p.high.term)
		if low.low > high.high {
			return m, c.file.src.errorf(p.low.from.at, "%s of %s goes from %d to %d, which is empty", p.name, a.name, low.low, high.high)
		}
		if low.low < -maxArgument || high.high > maxArgument {
			return m, c.file.src.errorf(p.low.from.at, "%s of %s goes from %d to %d; it must stay within ±%d", p.name, a.name, low.low, high.high, maxArgument)
		}
		if moves *= high.high - low.low + 1; moves > machine.MaxMoves || high.high-low.low >= machine.MaxMoves {
			return m, c.file.src.errorf(a.at, "%s has more than %d different moves; narrow the bounds of its parameters", a.name, machine.MaxMoves)
		}
		q := machine.Param{Name: p.name, Doc: p.doc, Low: low.low, High: high.high}
		if !low.fixed() {
			q.Min = c.int(p.low)
		}
		if !high.fixed() {
			q.Max = c.int(p.high)
		}
		m.Params = append(m.Params, q)
		c.args = append(c.args, span{q.Low, q.High})
	}
	if c.moves += (moves + 63) / 64 * 64; c.moves > machine.MaxMoves {
		return m, c.file.src.errorf(a.at, "the actions up to %s have more than %d different moves together; narrow the bounds of their parameters",
			a.name, machine.MaxMoves)
	}
	if a.who != nil {
		slot := a.slot
		c.locals[slot] = span{0, c.seats - 1}
		who := c.bool(a.who)
		m.Who = func(f *machine.Frame, seat int) bool {
			f.Cells[machine.Local+slot] = int32(seat)
			return who(f)
		}
	}
	if a.when != nil {
		m.When = c.bool(a.when)
		m.Private = a.when.private
		c.item = c.file.item
		m.Row = c.row(a.when.term, m.Params)
	}
	if a.refuse != nil {
		m.Refuse = c.refusal(a.refuse)
	}
	m.Do = c.list(a.do)
	c.args = nil
	return m, nil
}

func (c *compiler) sentence(s *sentence) func(*machine.Frame) string {
	parts := make([]func(*machine.Frame) string, len(s.parts))
	for i, e := range s.parts {
		if e.kind == kindBool {
			b := c.bool(e)
			parts[i] = func(f *machine.Frame) string { return strconv.FormatBool(b(f)) }
			continue
		}
		n := c.int(e)
		parts[i] = func(f *machine.Frame) string { return strconv.Itoa(n(f)) }
	}
	texts := s.texts
	return func(f *machine.Frame) string {
		var b strings.Builder
		for i, text := range texts {
			b.WriteString(text)
			if i < len(parts) {
				b.WriteString(parts[i](f))
			}
		}
		return b.String()
	}
}

// list compiles a step list.
func (c *compiler) list(list []statement) []machine.Step {
	var out []machine.Step
	for i := range list {
		out = append(out, c.step(&list[i])...)
	}
	return out
}

func (c *compiler) step(s *statement) []machine.Step {
	switch {
	case s.let != nil:
		c.locals[s.let.slot] = c.of(s.let.value.term)
		return []machine.Step{machine.Let{Slot: s.let.slot, Value: c.value(s.let.value)}}
	case s.cond != nil:
		return []machine.Step{machine.If{Cond: c.bool(s.cond.cond), Then: c.list(s.cond.then), Else: c.list(s.cond.other)}}
	case s.each != nil:
		c.locals[s.each.slot] = span{0, c.seats - 1}
		each := machine.Each{Slot: s.each.slot, Do: nil}
		if s.each.when != nil {
			each.When = c.bool(s.each.when)
		}
		each.Do = c.list(s.each.do)
		return []machine.Step{each}
	case s.call != nil:
		return c.callSteps(s.call)
	case s.jump != nil:
		return []machine.Step{machine.Goto{Phase: *s.jump}}
	case s.end:
		return []machine.Step{machine.End{}}
	case s.show != nil:
		var seat machine.Int
		if s.show.seat != nil {
			seat = c.int(s.show.seat)
		}
		if s.show.hide {
			return []machine.Step{machine.Hide{Var: s.show.variable, Seat: seat}}
		}
		return []machine.Step{machine.Reveal{Var: s.show.variable, Seat: seat}}
	case s.wipe != nil:
		wipe := machine.Clear{Var: s.wipe.variable}
		if s.wipe.seat != nil {
			wipe.Seat = c.int(s.wipe.seat)
		}
		return []machine.Step{wipe}
	case s.move != nil:
		return []machine.Step{c.transfer(s.move)}
	case s.emit != nil:
		var emit machine.Emit
		for _, f := range s.emit {
			emit = append(emit, machine.Fact{Name: f.name, Kind: kinds[f.value.kind], Value: c.value(f.value)})
		}
		return []machine.Step{emit}
	}
	var set machine.Set
	for _, t := range s.set {
		a := machine.Assign{Var: t.variable}
		if t.seat != nil {
			a.Seat = c.value(t.seat)
		}
		if t.value != nil {
			a.Value = c.value(t.value)
		} else {
			a.Value = machine.Value{Plus: c.first(t.variable)}
		}
		set = append(set, a)
	}
	return []machine.Step{set}
}

// procedureKey names a compiled body: the procedure, and which of its parameters are known to be seats.
type procedureKey struct {
	to    *procedure
	seats uint8
}

// callSteps keeps the arguments in the procedure's slots and runs its body, which is compiled once for each key.
func (c *compiler) callSteps(call *callStatement) []machine.Step {
	var out []machine.Step
	key := procedureKey{to: call.to}
	for i, a := range call.args {
		out = append(out, machine.Let{Slot: call.to.base + i, Value: c.value(a)})
		if c.of(a.term).within(span{0, c.seats - 1}) && i < 2 {
			key.seats |= 1 << i
		}
	}
	body, ok := c.steps[key]
	if !ok {
		for i := range call.args {
			delete(c.locals, call.to.base+i)
			if key.seats&(1<<i) != 0 {
				c.locals[call.to.base+i] = span{0, c.seats - 1}
			}
		}
		body = c.list(call.to.body)
		c.steps[key] = body
	}
	return append(out, machine.If{Then: body})
}
