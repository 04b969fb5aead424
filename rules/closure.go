package rules

import (
	"errors"

	"dudo.example/core/machine"
)

// The ways an expression can fail. A failing expression fails the whole move.
var (
	errIndex    = errors.New("an index is not a seat")
	errZero     = errors.New("division by zero")
	errOverflow = errors.New("a value is too large")
)

// code is a compiled term: a constant, or a closure of its kind.
type code struct {
	fixed bool
	n     int          // the constant
	cell  int          // the cell that it reads and nothing else, or 0
	i     machine.Int  // the value; nil for a condition
	b     machine.Bool // the condition; nil for an integer
}

func fixed(n int) code {
	return code{
		fixed: true, n: n,
		i: func(*machine.Frame) int { return n }, b: func(*machine.Frame) bool { return n != 0 },
	}
}

func fixedBool(b bool) code {
	if b {
		return fixed(1)
	}
	return fixed(0)
}

// compiler compiles terms for one setting.
type compiler struct {
	*setting
	seats  int
	layout []int // offsets of the variables
	alive  machine.Bool
	bodies map[*function]code
	tables map[*function]*table
	item   int // slot of the element of a quantifier
	budget int // cost that tables may still cause
	bytes  int // of the tables so far
	moves  int // of the actions so far, as the machine numbers them
	steps  map[procedureKey][]machine.Step
	living *living // alive, where it has the usual shape
}

// int compiles an integer expression.
func (c *compiler) int(e *expression) machine.Int { return c.root(e).i }

// bool compiles a condition.
func (c *compiler) bool(e *expression) machine.Bool { return c.root(e).b }

func (c *compiler) root(e *expression) code {
	c.item = c.file.item
	return c.fresh(e.term)
}

// fresh compiles a whole term. While it does, the span of each of its terms is worked out once.
func (c *compiler) fresh(t *term) code {
	c.known = map[*term]span{}
	defer func() { c.known = nil }()
	return c.term(t)
}

// value compiles an expression of either kind to the integer that is stored for it.
func (c *compiler) value(e *expression) machine.Value {
	switch v := c.root(e); {
	case v.fixed:
		return machine.Value{Plus: v.n}
	case v.cell > 0:
		return machine.Value{Cell: v.cell}
	default:
		return machine.Value{Of: asInt(v)}
	}
}

// asInt makes a condition an integer, 0 or 1.
func asInt(v code) machine.Int {
	switch {
	case v.fixed:
		return fixed(v.n).i
	case v.i != nil:
		return v.i
	}
	b := v.b
	return func(f *machine.Frame) int {
		if b(f) {
			return 1
		}
		return 0
	}
}

// about compiles an integer expression about the seat in a slot.
func (c *compiler) about(e *expression, slot int) machine.SeatInt {
	if e == nil {
		return nil
	}
	c.locals[slot] = span{0, c.seats - 1}
	i := c.int(e)
	return func(f *machine.Frame, seat int) int {
		f.Cells[machine.Local+slot] = int32(seat)
		return i(f)
	}
}

// whether compiles a condition about the seat in a slot.
func (c *compiler) whether(e *expression, slot int) machine.SeatBool {
	c.locals[slot] = span{0, c.seats - 1}
	b := c.bool(e)
	return func(f *machine.Frame, seat int) bool {
		f.Cells[machine.Local+slot] = int32(seat)
		return b(f)
	}
}

func (c *compiler) term(t *term) code {
	switch t.op {
	case opConst:
		return fixed(t.n)
	case opOption:
		return fixed(c.options[t.n].low)
	case opSeats:
		return fixed(c.seats)
	case opMe:
		return c.cell(machine.Me, kindSeat)
	case opArg:
		return c.cell(machine.Arg+t.n, kindInt)
	case opLocal:
		return c.cell(machine.Local+t.n, t.kind)
	case opParam:
		return c.cell(machine.Local+t.fn.base+t.n, t.kind)
	case opItem:
		return c.cell(machine.Local+c.item, t.kind)
	case opVar:
		return c.cell(c.layout[t.n], t.kind)
	case opVarAt:
		return c.varAt(t)
	case opNot:
		a := c.term(t.kids[0])
		if a.fixed {
			return fixedBool(a.n == 0)
		}
		return code{b: func(f *machine.Frame) bool { return !a.b(f) }}
	case opAnd, opOr:
		return c.logic(t)
	case opEq, opNe, opLt, opLe, opGt, opGe:
		return c.compare(t)
	case opCond:
		return c.conditional(t)
	case opCall:
		return c.call(t)
	case opNext, opPrev:
		return c.neighbour(t)
	case opLive:
		return c.live()
	case opTally:
		return c.tally(t)
	case opLen:
		return c.length(t)
	case opAll, opAny, opNone, opOne, opCount, opSum:
		return c.quantifier(t)
	}
	return c.arithmetic(t)
}

func (c *compiler) cell(at int, k kind) code {
	if k == kindBool {
		return code{cell: at, b: func(f *machine.Frame) bool { return f.Cells[at] != 0 }}
	}
	return code{cell: at, i: func(f *machine.Frame) int { return int(f.Cells[at]) }}
}

// seat compiles an index and makes sure that it is a seat.
func (c *compiler) seat(t *term) code {
	i := c.term(t)
	most := c.seats - 1
	if c.of(t).within(span{0, most}) {
		return i
	}
	return code{i: func(f *machine.Frame) int {
		x := i.i(f)
		if x < 0 || x > most {
			f.Fail(errIndex)
			return 0
		}
		return x
	}}
}

func (c *compiler) varAt(t *term) code {
	at := c.layout[t.n]
	i := c.seat(t.kids[0])
	if i.fixed {
		return c.cell(at+i.n, t.kind)
	}
	if t.kind == kindBool {
		return code{b: func(f *machine.Frame) bool { return f.Cells[at+i.i(f)] != 0 }}
	}
	if k := i.cell; k > 0 {
		return code{i: func(f *machine.Frame) int { return int(f.Cells[at+int(f.Cells[k])]) }}
	}
	return code{i: func(f *machine.Frame) int { return int(f.Cells[at+i.i(f)]) }}
}

func (c *compiler) logic(t *term) code {
	a, b := c.term(t.kids[0]), c.term(t.kids[1])
	and := t.op == opAnd
	if a.fixed {
		if (a.n != 0) == and {
			return b
		}
		return fixedBool(!and)
	}
	if b.fixed && (b.n != 0) == and {
		return a
	}
	if and {
		return code{b: func(f *machine.Frame) bool { return a.b(f) && b.b(f) }}
	}
	return code{b: func(f *machine.Frame) bool { return a.b(f) || b.b(f) }}
}

func (c *compiler) compare(t *term) code {
	a, b := c.term(t.kids[0]), c.term(t.kids[1])
	if t.kids[0].kind == kindBool {
		same := t.op == opEq
		if a.fixed && b.fixed {
			return fixedBool((a.n != 0) == (b.n != 0) == same)
		}
		return code{b: func(f *machine.Frame) bool { return (a.b(f) == b.b(f)) == same }}
	}
	if a.fixed && b.fixed {
		return fixedBool(comparison(t.op, a.n, b.n))
	}
	if b.fixed {
		return code{b: compareFixed(t.op, a, b.n)}
	}
	if k := b.cell; k > 0 {
		return code{b: compareCell(t.op, a.i, k)}
	}
	x, y := a.i, b.i
	switch t.op {
	case opEq:
		return code{b: func(f *machine.Frame) bool { return x(f) == y(f) }}
	case opNe:
		return code{b: func(f *machine.Frame) bool { return x(f) != y(f) }}
	case opLt:
		return code{b: func(f *machine.Frame) bool { return x(f) < y(f) }}
	case opLe:
		return code{b: func(f *machine.Frame) bool { return x(f) <= y(f) }}
	case opGt:
		return code{b: func(f *machine.Frame) bool { return x(f) > y(f) }}
	}
	return code{b: func(f *machine.Frame) bool { return x(f) >= y(f) }}
}

func comparison(o op, a, b int) bool {
	switch o {
	case opEq:
		return a == b
	case opNe:
		return a != b
	case opLt:
		return a < b
	case opLe:
		return a <= b
	case opGt:
		return a > b
	}
	return a >= b
}

// compareCell compares with a cell.
func compareCell(o op, x machine.Int, at int) machine.Bool {
	switch o {
	case opEq:
		return func(f *machine.Frame) bool { return x(f) == int(f.Cells[at]) }
	case opNe:
		return func(f *machine.Frame) bool { return x(f) != int(f.Cells[at]) }
	case opLt:
		return func(f *machine.Frame) bool { return x(f) < int(f.Cells[at]) }
	case opLe:
		return func(f *machine.Frame) bool { return x(f) <= int(f.Cells[at]) }
	case opGt:
		return func(f *machine.Frame) bool { return x(f) > int(f.Cells[at]) }
	}
	return func(f *machine.Frame) bool { return x(f) >= int(f.Cells[at]) }
}

// compareFixed compares with a constant, which most guards do with one cell.
func compareFixed(o op, a code, n int) machine.Bool {
	if at := a.cell; at > 0 {
		m := int32(n)
		switch o {
		case opEq:
			return func(f *machine.Frame) bool { return f.Cells[at] == m }
		case opGt:
			return func(f *machine.Frame) bool { return f.Cells[at] > m }
		}
	}
	x := a.i
	switch o {
	case opEq:
		return func(f *machine.Frame) bool { return x(f) == n }
	case opNe:
		return func(f *machine.Frame) bool { return x(f) != n }
	case opLt:
		return func(f *machine.Frame) bool { return x(f) < n }
	case opLe:
		return func(f *machine.Frame) bool { return x(f) <= n }
	case opGt:
		return func(f *machine.Frame) bool { return x(f) > n }
	}
	return func(f *machine.Frame) bool { return x(f) >= n }
}

func (c *compiler) conditional(t *term) code {
	q, a, b := c.term(t.kids[0]), c.term(t.kids[1]), c.term(t.kids[2])
	if q.fixed {
		if q.n != 0 {
			return a
		}
		return b
	}
	if t.kind == kindBool {
		return code{b: func(f *machine.Frame) bool {
			if q.b(f) {
				return a.b(f)
			}
			return b.b(f)
		}}
	}
	return code{i: func(f *machine.Frame) int {
		if q.b(f) {
			return a.i(f)
		}
		return b.i(f)
	}}
}

func (c *compiler) arithmetic(t *term) code {
	codes := make([]code, len(t.kids))
	all := true
	for i, k := range t.kids {
		codes[i] = c.term(k)
		all = all && codes[i].fixed
	}
	run := operation(t.op, codes)
	if !c.fits(t) {
		inner := run
		run = func(f *machine.Frame) int {
			x := inner(f)
			if x > maxConst || x < -maxConst {
				f.Fail(errOverflow)
				return 0
			}
			return x
		}
	}
	if all {
		f := machine.NewFrame()
		if n := run(f); f.Err() == nil {
			return fixed(n)
		}
	}
	return code{i: run}
}

func operation(o op, codes []code) machine.Int {
	a := codes[0].i
	switch o {
	case opNeg:
		return func(f *machine.Frame) int { return -a(f) }
	case opAbs:
		return func(f *machine.Frame) int { x := a(f); return max(x, -x) }
	}
	b := codes[1].i
	switch o {
	case opAdd:
		if n := codes[1].n; codes[1].fixed {
			return func(f *machine.Frame) int { return a(f) + n }
		}
		return func(f *machine.Frame) int { return a(f) + b(f) }
	case opSub:
		if n := codes[1].n; codes[1].fixed {
			return func(f *machine.Frame) int { return a(f) - n }
		}
		return func(f *machine.Frame) int { return a(f) - b(f) }
	case opMul:
		return func(f *machine.Frame) int { return a(f) * b(f) }
	case opMin:
		return func(f *machine.Frame) int { return min(a(f), b(f)) }
	case opMax:
		return func(f *machine.Frame) int { return max(a(f), b(f)) }
	case opRem:
		return divide(a, b, func(x, y int) int { return x % y })
	case opMod:
		return divide(a, b, func(x, y int) int { return x - y*floorDiv(x, y) })
	case opDiv:
		return divide(a, b, floorDiv)
	}
	return divide(a, b, ceilDiv)
}

func divide(a, b machine.Int, by func(x, y int) int) machine.Int {
	return func(f *machine.Frame) int {
		x, y := a(f), b(f)
		if y == 0 {
			f.Fail(errZero)
			return 0
		}
		return by(x, y)
	}
}

// call compiles a call of a declared function: a look-up where it is tabled, else its body with the arguments in its slots.
func (c *compiler) call(t *term) code {
	body := c.bodies[t.fn]
	if body.fixed {
		return body
	}
	args, cells := make([]machine.Int, len(t.kids)), make([]int, len(t.kids))
	for i, k := range t.kids {
		arg := c.term(k)
		args[i], cells[i] = arg.i, arg.cell
	}
	run := code{}
	if body.b != nil {
		b := body.b
		run.b = func(f *machine.Frame) bool { return b(f) }
	} else {
		run.i = body.i
	}
	if len(args) > 0 {
		base := machine.Local + t.fn.base
		// All arguments are read before any is stored: an argument may call the same function.
		store := func(f *machine.Frame) {
			var values [8]int32
			for i, a := range args {
				values[i] = int32(a(f))
			}
			copy(f.Cells[base:], values[:len(args)])
		}
		if body.b != nil {
			run.b = func(f *machine.Frame) bool { store(f); return body.b(f) }
		} else {
			run.i = func(f *machine.Frame) int { store(f); return body.i(f) }
		}
	}
	if tab := c.tables[t.fn]; tab != nil {
		return tab.lookup(args, cells, run)
	}
	return run
}
