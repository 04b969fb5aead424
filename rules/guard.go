package rules

import (
	"slices"

	"dudo.example/core/machine"
)

// rows is a guard that gives the argument tuples for which it holds, a bit each. They are shared: read them, do not write.
type rows struct {
	at   func(*machine.Frame) []uint64
	safe bool // it cannot fail
}

// maxFill is how many bits the rows of one condition can have.
const maxFill = 1 << 18

// row compiles a guard to rows, nil if its shape is another and the machine has to ask it for every tuple.
func (c *compiler) row(t *term, params []machine.Param) func(*machine.Frame) []uint64 {
	if len(params) == 0 {
		return nil
	}
	r := rower{c: c, params: params, tuples: 1}
	for _, q := range params {
		r.tuples *= q.High - q.Low + 1
	}
	r.none, r.all = make([]uint64, (r.tuples+63)/64), make([]uint64, (r.tuples+63)/64)
	for tuple := range r.tuples {
		r.all[tuple/64] |= 1 << (tuple % 64)
	}
	return r.known(t, r.rows(t, false)).at
}

// maxKnown is how many states a guard's rows are known for, and maxCells how many cells make up such a state.
const (
	maxKnown = 1 << 12
	maxCells = 2
)

// known makes the rows of a guard that reads no more state than one or two variables known for each of their values, so that
// nothing is left to ask.
func (r *rower) known(t *term, from rows) rows {
	var parts []*term
	if from.at == nil || !from.safe || !t.variables(&parts) || len(parts) == 0 {
		return from
	}
	c, keys, size := r.c, 1, 0
	spans := make([]span, len(parts))
	for i, p := range parts {
		spans[i] = c.of(p)
		keys *= spans[i].high - spans[i].low + 1
		size = max(size, c.layout[p.n]+1)
		if keys > maxKnown {
			return from
		}
	}
	if !c.afford(keys, t.weight(), 0) {
		return from
	}
	f := machine.Frame{Cells: make([]int32, size)}
	table := make([][]uint64, keys)
	for key := range keys {
		for i, rest := len(parts)-1, key; i >= 0; i-- {
			size := spans[i].high - spans[i].low + 1
			f.Cells[c.layout[parts[i].n]] = int32(spans[i].low + rest%size)
			rest /= size
		}
		table[key] = from.at(&f)
	}
	return rows{c.pick(table, parts, spans), true}
}

// variables collects the variables that a term reads. It gives false where these are too many or there is more to read.
func (t *term) variables(parts *[]*term) bool {
	switch {
	case t.op == opVar:
		if !slices.ContainsFunc(*parts, t.equal) {
			*parts = append(*parts, t)
		}
		return len(*parts) <= maxCells
	case t.op == opMe || t.op == opLocal || t.op >= opNext || t.op == opVarAt || t.op == opLen || (t.op == opCall && t.fn.state):
		return false
	}
	for _, k := range t.kids {
		if !k.variables(parts) {
			return false
		}
	}
	return true
}

// rower makes the rows of one action.
type rower struct {
	c         *compiler
	params    []machine.Param
	tuples    int
	none, all []uint64
}

func (r *rower) whole(all bool) []uint64 {
	if all {
		return r.all
	}
	return r.none
}

// rows compiles a condition, or what it denies. A condition that reads no parameter holds for all tuples or none. One whose
// parts that read no parameter can have few values has a row for each of these, made now: an order of the parameters against
// the standing bid is of this kind. || && ! and ?: with a condition that reads no parameter choose between such rows. The
// order in which the parts of a guard are asked is kept where one of them can fail, so the tuples are those that the guard,
// asked for each, would let pass.
func (r *rower) rows(t *term, not bool) rows {
	if t.free() {
		holds := r.c.term(t).b
		return rows{func(f *machine.Frame) []uint64 { return r.whole(holds(f) != not) }, r.c.safe(t)}
	}
	switch t.op {
	case opNot:
		return r.rows(t.kids[0], !not)
	case opAnd, opOr:
		if joined := r.join(t, not); joined.at != nil {
			return joined
		}
	case opCond:
		if q := t.kids[0]; q.free() {
			yes, no := r.rows(t.kids[1], not), r.rows(t.kids[2], not)
			if yes.at != nil && no.at != nil {
				return rows{choose(r.c.term(q).b, yes.at, no.at), yes.safe && no.safe && r.c.safe(q)}
			}
		}
	}
	return r.table(t, not)
}

// join is && or || with a condition on one side that reads no parameter.
func (r *rower) join(t *term, not bool) rows {
	free, other := t.kids[0], t.kids[1]
	swapped := !free.free()
	if swapped {
		free, other = other, free
	}
	if !free.free() {
		return rows{}
	}
	inner, safe := r.rows(other, not), r.c.safe(free)
	if inner.at == nil || (swapped && !(safe && inner.safe)) {
		return rows{}
	}
	holds, or := r.c.term(free).b, t.op == opOr
	decided := r.whole(or != not)
	constant := func(*machine.Frame) []uint64 { return decided }
	if or {
		return rows{choose(holds, constant, inner.at), safe && inner.safe}
	}
	return rows{choose(holds, inner.at, constant), safe && inner.safe}
}

func choose(holds machine.Bool, yes, no func(*machine.Frame) []uint64) func(*machine.Frame) []uint64 {
	return func(f *machine.Frame) []uint64 {
		if holds(f) {
			return yes(f)
		}
		return no(f)
	}
}

// table makes a row of tuples for all values of the parts of a condition that read no parameter.
func (r *rower) table(t *term, not bool) rows {
	c, params, tuples := r.c, r.params, r.tuples
	var parts []*term
	over := c.split(t, &parts)
	if over == nil {
		return rows{}
	}
	spans, keys := make([]span, len(parts)), 1
	for i, p := range parts {
		spans[i] = c.of(p)
		if keys *= spans[i].high - spans[i].low + 1; keys*tuples > maxFill || keys > maxFill {
			return rows{}
		}
	}
	if !c.afford(keys, tuples*over.weight(), len(r.all)) {
		return rows{}
	}
	table := make([][]uint64, keys)
	holds := c.term(over).b
	f := machine.NewFrame()
	for key := range keys {
		table[key] = make([]uint64, len(r.all))
		for i, rest := len(spans)-1, key; i >= 0; i-- {
			size := spans[i].high - spans[i].low + 1
			f.Cells[machine.Local+partSlot(i)] = int32(spans[i].low + rest%size)
			rest /= size
		}
		for tuple := range tuples {
			for i, rest := len(params)-1, tuple; i >= 0; i-- {
				size := params[i].High - params[i].Low + 1
				f.Cells[machine.Arg+i] = int32(params[i].Low + rest%size)
				rest /= size
			}
			if holds(f) != not {
				table[key][tuple/64] |= 1 << (tuple % 64)
			}
		}
	}
	if f.Err() != nil {
		return rows{}
	}
	return rows{c.pick(table, parts, spans), true}
}

// afford takes what rows cost, each so many evaluations and words, out of the budget for tables, if there is so much left.
func (c *compiler) afford(rows, cost, words int) bool {
	const each = 32 // to have one at all
	if cost = rows * (cost + each); cost > c.budget {
		return false
	}
	c.budget -= cost
	c.bytes += rows * (24 + 8*words)
	return true
}

// pick gives the row for the values that the parts have in the position.
func (c *compiler) pick(rows [][]uint64, parts []*term, spans []span) func(*machine.Frame) []uint64 {
	codes := make([]code, len(parts))
	for i, p := range parts {
		codes[i] = c.term(p)
	}
	if len(parts) == 2 && codes[0].cell > 0 && codes[1].cell > 0 {
		first, second, size := codes[0].cell, codes[1].cell, spans[1].high-spans[1].low+1
		base := -spans[0].low*size - spans[1].low
		return func(f *machine.Frame) []uint64 {
			key := base + int(f.Cells[first])*size + int(f.Cells[second])
			return rows[key]
		}
	}
	values := make([]machine.Int, len(parts))
	for i := range parts {
		values[i] = asInt(codes[i])
	}
	return func(f *machine.Frame) []uint64 {
		key := 0
		for i, v := range values {
			key = key*(spans[i].high-spans[i].low+1) + v(f) - spans[i].low
		}
		return rows[key]
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
