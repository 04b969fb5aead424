package rules

import "dudo.example/core/machine"

// living is an alive of the usual shape: a variable of each seat, from this cell on, is above a constant.
type living struct {
	at    int
	above int32
}

// shape finds out whether alive has the usual shape.
func (c *compiler) shape() *living {
	t := c.file.alive.body.term
	if t.op != opGt || t.kids[0].op != opVarAt || t.kids[0].kids[0].op != opParam {
		return nil
	}
	above := c.term(t.kids[1])
	if !above.fixed {
		return nil
	}
	return &living{c.layout[t.kids[0].n], int32(above.n)}
}

// neighbour is next or prev: the nearest seat in that direction that still plays, or the seat itself if no other does.
func (c *compiler) neighbour(t *term) code {
	from, seats, alive := c.seat(t.kids[0]).i, c.seats, c.alive
	slot := 0
	if c.file.alive != nil {
		slot = c.file.alive.base
	}
	step := 1
	if t.op == opPrev {
		step = -1
	}
	if l := c.living; l != nil {
		return code{i: func(f *machine.Frame) int {
			start := from(f)
			for seat := start; ; {
				if seat += step; seat == seats {
					seat = 0
				} else if seat < 0 {
					seat = seats - 1
				}
				if seat == start || f.Cells[l.at+seat] > l.above {
					return seat
				}
			}
		}}
	}
	return code{i: func(f *machine.Frame) int {
		start := from(f)
		for seat := start; ; {
			if seat += step; seat == seats {
				seat = 0
			} else if seat < 0 {
				seat = seats - 1
			}
			if seat == start || alive == nil {
				return seat
			}
			if f.Cells[machine.Local+slot] = int32(seat); alive(f) {
				return seat
			}
		}
	}}
}

func (c *compiler) live() code {
	seats, alive := c.seats, c.alive
	if alive == nil {
		return fixed(seats)
	}
	if l := c.living; l != nil {
		return code{i: func(f *machine.Frame) int {
			n := 0
			for _, x := range f.Cells[l.at : l.at+seats] {
				if x > l.above {
					n++
				}
			}
			return n
		}}
	}
	slot := c.file.alive.base
	return code{i: func(f *machine.Frame) int {
		n := 0
		for seat := range seats {
			if f.Cells[machine.Local+slot] = int32(seat); alive(f) {
				n++
			}
		}
		return n
	}}
}

func (c *compiler) tally(t *term) code {
	value := c.term(t.kids[len(t.kids)-1]).i
	begin, stride := c.begin(t), 1+c.zones[t.n].high
	size := stride
	if c.file.vars[t.n].perSeat && len(t.kids) == 1 {
		size *= c.seats
	}
	count := tallied
	if !(span{0, 0}).within(c.vars[t.n]) {
		count = talliedNonzero
	}
	return code{i: func(f *machine.Frame) int {
		x, at := int32(value(f)), begin(f)
		return count(f.Cells[at:at+size], stride, x)
	}}
}

// tallied counts the elements that equal x in lists that lie one after the other.
func tallied(lists []int32, stride int, x int32) int {
	n := 0
	for ; len(lists) > 0; lists = lists[stride:] {
		for _, y := range lists[1 : 1+lists[0]] {
			if x == y {
				n++
			}
		}
	}
	return n
}

// talliedNonzero is tallied for lists whose elements are never 0. The cells after the elements are 0, so it looks at all
// of them, which takes the same steps whatever the lists hold.
func talliedNonzero(lists []int32, stride int, x int32) int {
	if x == 0 {
		return 0
	}
	n := 0
	for ; len(lists) > 0; lists = lists[stride:] {
		for _, y := range lists[1:stride] {
			if x == y {
				n++
			}
		}
	}
	return n
}

func (c *compiler) length(t *term) code {
	begin := c.begin(t)
	return code{i: func(f *machine.Frame) int { return int(f.Cells[begin(f)]) }}
}

// begin gives the cell where the list that a term goes over begins.
func (c *compiler) begin(t *term) machine.Int {
	at := c.layout[t.n]
	if v := c.file.vars[t.n]; v.zone == nil || !v.perSeat || (t.op == opTally && len(t.kids) == 1) {
		return func(*machine.Frame) int { return at }
	}
	seat, stride := c.seat(t.kids[0]).i, 1+c.zones[t.n].high
	return func(f *machine.Frame) int { return at + seat(f)*stride }
}

// elements gives the cells that a quantifier goes over.
func (c *compiler) elements(t *term) func(f *machine.Frame) []int32 {
	if t.n == allSeats {
		every := make([]int32, c.seats)
		for seat := range every {
			every[seat] = int32(seat)
		}
		return func(*machine.Frame) []int32 { return every }
	}
	begin := c.begin(t)
	if c.file.vars[t.n].zone == nil {
		at, end := c.layout[t.n], c.layout[t.n]+c.seats
		return func(f *machine.Frame) []int32 { return f.Cells[at:end] }
	}
	return func(f *machine.Frame) []int32 {
		at := begin(f)
		return f.Cells[at+1 : at+1+int(f.Cells[at])]
	}
}

func (c *compiler) quantifier(t *term) code {
	last := t.kids[len(t.kids)-1]
	over := c.over
	if t.n == allSeats {
		c.over = span{0, c.seats - 1}
	} else {
		c.over = c.vars[t.n]
	}
	list := c.elements(t)
	item := c.term(last)
	needsCheck := t.op == opSum && !c.fits(t)
	c.over = over
	slot := c.item
	if t.op == opSum && last.op == opItem && !needsCheck && t.n != allSeats && c.file.vars[t.n].zone == nil {
		at, end := c.layout[t.n], c.layout[t.n]+c.seats
		return code{i: func(f *machine.Frame) int {
			n := 0
			for _, x := range f.Cells[at:end] {
				n += int(x)
			}
			return n
		}}
	}
	if t.op == opSum {
		return code{i: sum(list, item.i, slot, last.op == opItem, needsCheck)}
	}
	holds := item.b
	count := func(f *machine.Frame, most int) (n, size int) {
		elements := list(f)
		for _, x := range elements {
			f.Cells[machine.Local+slot] = x
			if holds(f) {
				if n++; n == most {
					break
				}
			}
		}
		return n, len(elements)
	}
	switch t.op {
	case opAll:
		return code{b: func(f *machine.Frame) bool { n, size := count(f, -1); return n == size }}
	case opAny:
		return code{b: func(f *machine.Frame) bool { n, _ := count(f, 1); return n == 1 }}
	case opNone:
		return code{b: func(f *machine.Frame) bool { n, _ := count(f, 1); return n == 0 }}
	case opOne:
		return code{b: func(f *machine.Frame) bool { n, _ := count(f, 2); return n == 1 }}
	}
	return code{i: func(f *machine.Frame) int { n, _ := count(f, -1); return n }}
}

// sum adds up the elements, or what item makes of each.
func sum(list func(*machine.Frame) []int32, item machine.Int, slot int, plain, check bool) machine.Int {
	if plain && !check {
		return func(f *machine.Frame) int {
			n := 0
			for _, x := range list(f) {
				n += int(x)
			}
			return n
		}
	}
	return func(f *machine.Frame) int {
		n := 0
		for _, x := range list(f) {
			f.Cells[machine.Local+slot] = x
			if n += item(f); n > maxConst || n < -maxConst {
				f.Fail(errOverflow)
				return 0
			}
		}
		return n
	}
}
