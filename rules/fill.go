package rules

import "dudo.example/core/machine"

// filler sets the bits of the argument tuples for which a condition holds. Bits beyond the last tuple may come out set; the
// machine takes them away.
type filler func(f *machine.Frame, row []uint64)

// fill compiles a guard to a filler: a condition that reads no parameter holds for all tuples or none, a tabled order of the
// parameters against a bid is a row of its table, and || && ! ?: join them. It gives nil where the guard has another shape, and
// the machine asks it for every tuple.
func (c *compiler) fill(t *term, params []machine.Param) filler {
	if len(params) == 0 {
		return nil
	}
	if t.free() {
		holds := c.term(t).b
		return func(f *machine.Frame, row []uint64) { whole(row, holds(f)) }
	}
	switch t.op {
	case opCall:
		return c.fillOrder(t, params)
	case opNot:
		inner := c.fill(t.kids[0], params)
		if inner == nil {
			return nil
		}
		return func(f *machine.Frame, row []uint64) {
			inner(f, row)
			for i := range row {
				row[i] = ^row[i]
			}
		}
	case opAnd, opOr:
		free, other := t.kids[0], t.kids[1]
		if !free.free() {
			free, other = other, free
		}
		inner := c.fill(other, params)
		if !free.free() || inner == nil {
			return nil
		}
		holds, or := c.term(free).b, t.op == opOr
		return func(f *machine.Frame, row []uint64) {
			if holds(f) == or {
				whole(row, or)
				return
			}
			inner(f, row)
		}
	case opCond:
		if !t.kids[0].free() {
			return nil
		}
		yes, no := c.fill(t.kids[1], params), c.fill(t.kids[2], params)
		if yes == nil || no == nil {
			return nil
		}
		holds := c.term(t.kids[0]).b
		return func(f *machine.Frame, row []uint64) {
			if holds(f) {
				yes(f, row)
			} else {
				no(f, row)
			}
		}
	}
	return nil
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

// fillOrder compiles order(parameters…, bid…). Rows for every bid that can stand, whether the order's table holds it or not,
// are laid out by the action's own numbering.
func (c *compiler) fillOrder(t *term, params []machine.Param) filler {
	n := len(params)
	if !t.fn.order || c.tables[t.fn] == nil || len(t.kids) != 2*n {
		return nil
	}
	tuples := 1
	for i, q := range params {
		if t.kids[i].op != opArg || t.kids[i].n != i || !t.kids[n+i].free() {
			return nil
		}
		tuples *= q.High - q.Low + 1
	}
	words := (tuples + 63) / 64
	standing := make([]span, n)
	bids := 1
	for i := range standing {
		standing[i] = c.of(t.kids[n+i])
		if bids *= standing[i].high - standing[i].low + 1; bids*tuples > maxTable || bids > maxTable {
			return nil
		}
	}
	if c.budget -= bids * tuples; c.budget < 0 {
		return nil
	}
	rows := make([]uint64, bids*words)
	ask := c.asker(t.fn, n)
	for bid := range bids {
		for tuple := range tuples {
			if ask(tupleOf(tuple, params), bidOf(bid, standing)) {
				rows[bid*words+tuple/64] |= 1 << (tuple % 64)
			}
		}
	}
	args := make([]machine.Int, n)
	cells := make([]int, 0, n)
	for i := range args {
		arg := c.term(t.kids[n+i])
		if args[i] = arg.i; arg.cell > 0 {
			cells = append(cells, arg.cell)
		}
	}
	if n == 2 && len(cells) == 2 {
		quantity, face, span := cells[0], cells[1], standing[1].high-standing[1].low+1
		first := -standing[0].low*span - standing[1].low
		return func(f *machine.Frame, row []uint64) {
			bid := first + int(f.Cells[quantity])*span + int(f.Cells[face])
			copy(row, rows[bid*words:(bid+1)*words])
		}
	}
	return func(f *machine.Frame, row []uint64) {
		bid := 0
		for i, a := range args {
			bid = bid*(standing[i].high-standing[i].low+1) + a(f) - standing[i].low
		}
		copy(row, rows[bid*words:(bid+1)*words])
	}
}

// asker asks an order about two bids.
func (c *compiler) asker(fn *function, n int) func(a, b [4]int) bool {
	var f machine.Frame
	args := make([]machine.Int, 2*n)
	for i := range args {
		args[i] = func(f *machine.Frame) int { return f.Args[0] }
	}
	var a, b [4]int
	for i := range n {
		args[i] = func(*machine.Frame) int { return a[i] }
		args[n+i] = func(*machine.Frame) int { return b[i] }
	}
	body := c.bodies[fn]
	base := fn.base
	otherwise := code{b: func(f *machine.Frame) bool {
		copy(f.Locals[base:], a[:n])
		copy(f.Locals[base+n:], b[:n])
		return body.b(f)
	}}
	run := c.tables[fn].lookup(args, make([]int, len(args)), otherwise).b
	return func(x, y [4]int) bool {
		a, b = x, y
		return run(&f)
	}
}

func tupleOf(id int, params []machine.Param) (tuple [4]int) {
	for i := len(params) - 1; i >= 0; i-- {
		size := params[i].High - params[i].Low + 1
		tuple[i] = params[i].Low + id%size
		id /= size
	}
	return tuple
}

func bidOf(id int, standing []span) (bid [4]int) {
	for i := len(standing) - 1; i >= 0; i-- {
		size := standing[i].high - standing[i].low + 1
		bid[i] = standing[i].low + id%size
		id /= size
	}
	return bid
}
