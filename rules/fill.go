package rules

import "dudo.example/core/machine"

// filler sets the bits of the argument tuples for which a condition holds. Bits beyond the last tuple may come out set; the
// machine takes them away.
type filler func(f *machine.Frame, row []uint64)

// maxFill is how many bits the rows of one condition can have.
const maxFill = 1 << 18

// fill compiles a guard to a filler. A condition that reads no parameter holds for all tuples or none. One whose parts that
// read no parameter can have few values has a row for each of these, made now: an order of the parameters against the
// standing bid is of this kind. || && ! and ?: with a condition that reads no parameter join such rows. fill gives nil for a
// guard of another shape, and the machine asks it for every tuple.
func (c *compiler) fill(t *term, params []machine.Param) filler {
	if len(params) == 0 {
		return nil
	}
	if t.free() {
		holds := c.term(t).b
		return func(f *machine.Frame, row []uint64) { whole(row, holds(f)) }
	}
	switch t.op {
	case opNot:
		if inner := c.fill(t.kids[0], params); inner != nil {
			return func(f *machine.Frame, row []uint64) {
				inner(f, row)
				for i := range row {
					row[i] = ^row[i]
				}
			}
		}
	case opAnd, opOr:
		free, other := t.kids[0], t.kids[1]
		if !free.free() {
			free, other = other, free
		}
		if !free.free() {
			break
		}
		if inner := c.fill(other, params); inner != nil {
			holds, or := c.term(free).b, t.op == opOr
			return func(f *machine.Frame, row []uint64) {
				if holds(f) == or {
					whole(row, or)
					return
				}
				inner(f, row)
			}
		}
	case opCond:
		if !t.kids[0].free() {
			break
		}
		yes, no := c.fill(t.kids[1], params), c.fill(t.kids[2], params)
		if yes != nil && no != nil {
			holds := c.term(t.kids[0]).b
			return func(f *machine.Frame, row []uint64) {
				if holds(f) {
					yes(f, row)
				} else {
					no(f, row)
				}
			}
		}
	}
	return c.rows(t, params)
}

func whole(row []uint64, all bool) {
	var w uint64
	if all {
		w = ^uint64(0)
	}
	for i := range row {
		row[i] = w
	}
}

// rows makes a row of tuples for all values of the parts of a condition that read no parameter.
func (c *compiler) rows(t *term, params []machine.Param) filler {
	var parts []*term
	over := c.split(t, &parts)
	if over == nil {
		return nil
	}
	tuples := 1
	for _, q := range params {
		tuples *= q.High - q.Low + 1
	}
	spans, keys := make([]span, len(parts)), 1
	for i, p := range parts {
		spans[i] = c.of(p)
		if keys *= spans[i].high - spans[i].low + 1; keys*tuples > maxFill || keys > maxFill {
			return nil
		}
	}
	if c.budget -= keys * tuples * over.weight(); c.budget < 0 {
		return nil
	}
	words := (tuples + 63) / 64
	rows := make([]uint64, keys*words)
	holds := c.term(over).b
	var f machine.Frame
	for key := range keys {
		for i, rest := len(spans)-1, key; i >= 0; i-- {
			size := spans[i].high - spans[i].low + 1
			f.Locals[partSlot(i)] = spans[i].low + rest%size
			rest /= size
		}
		for tuple := range tuples {
			for i, rest := len(params)-1, tuple; i >= 0; i-- {
				size := params[i].High - params[i].Low + 1
				f.Args[i] = params[i].Low + rest%size
				rest /= size
			}
			if holds(&f) {
				rows[key*words+tuple/64] |= 1 << (tuple % 64)
			}
		}
	}
	if f.Err() != nil {
		return nil
	}
	return c.pick(rows, words, parts, spans)
}

// pick copies the row for the values that the parts have in the position.
func (c *compiler) pick(rows []uint64, words int, parts []*term, spans []span) filler {
	codes := make([]code, len(parts))
	for i, p := range parts {
		codes[i] = c.term(p)
	}
	if len(parts) == 2 && codes[0].cell > 0 && codes[1].cell > 0 {
		first, second, size := codes[0].cell, codes[1].cell, spans[1].high-spans[1].low+1
		base := -spans[0].low*size - spans[1].low
		return func(f *machine.Frame, row []uint64) {
			key := base + int(f.Cells[first])*size + int(f.Cells[second])
			copy(row, rows[key*words:(key+1)*words])
		}
	}
	values := make([]machine.Int, len(parts))
	for i := range parts {
		values[i] = asInt(codes[i])
	}
	return func(f *machine.Frame, row []uint64) {
		key := 0
		for i, v := range values {
			key = key*(spans[i].high-spans[i].low+1) + v(f) - spans[i].low
		}
		copy(row, rows[key*words:(key+1)*words])
	}
}

// maxParts is how many parts a condition with rows can have.
const maxParts = 4

// partSlot is where the i-th part's value stands while rows are made. Nothing else uses the frame then but functions, from the
// lowest slot on.
func partSlot(i int) int { return machine.MaxLocals - 1 - i }

// split replaces the parts of a term that read no parameter by slots. It gives nil if there are too many, or one that could fail
// where the term does not ask for it, or state that is read by a parameter.
func (c *compiler) split(t *term, parts *[]*term) *term {
	if t.op == opConst || t.op == opOption || t.op == opSeats || t.op == opArg {
		return t
	}
	if t.free() {
		i := 0
		for i < len(*parts) && !(*parts)[i].equal(t) {
			i++
		}
		if i == len(*parts) {
			if i == maxParts || partSlot(i) <= c.file.item || !c.safe(t) {
				return nil
			}
			*parts = append(*parts, t)
			c.locals[partSlot(i)] = c.of(t)
		}
		return &term{op: opLocal, kind: t.kind, n: partSlot(i)}
	}
	if t.op >= opNext || t.op == opVarAt || t.op == opLen || (t.op == opCall && t.fn.state) {
		return nil // it reads state that the parameters choose
	}
	over := *t
	over.kids = make([]*term, len(t.kids))
	for i, k := range t.kids {
		if over.kids[i] = c.split(k, parts); over.kids[i] == nil {
			return nil
		}
	}
	return &over
}

// safe reports whether a term cannot fail.
func (c *compiler) safe(t *term) bool {
	switch t.op {
	case opVarAt, opNext, opPrev:
		if !c.of(t.kids[0]).within(span{0, c.seats - 1}) {
			return false
		}
	case opConst, opOption, opSeats, opMe, opVar, opLive, opEq, opNe, opLt, opLe, opGt, opGe, opAnd, opOr, opNot, opCond, opMin, opMax:
	case opAdd, opSub, opNeg:
		if !c.fits(t) {
			return false
		}
	default:
		return false
	}
	for _, k := range t.kids {
		if !c.safe(k) {
			return false
		}
	}
	return true
}

// weight is about what a term without quantifiers costs.
func (t *term) weight() int {
	n := 1
	if t.op == opCall {
		n += t.fn.cost
	}
	for _, k := range t.kids {
		n += k.weight()
	}
	return n
}

// equal reports whether two terms are the same expression.
func (t *term) equal(o *term) bool {
	if t.op != o.op || t.n != o.n || t.fn != o.fn || len(t.kids) != len(o.kids) {
		return false
	}
	for i, k := range t.kids {
		if !k.equal(o.kids[i]) {
			return false
		}
	}
	return true
}
