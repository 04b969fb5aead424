package rules

import "dudo.example/core/machine"

// listOf names a list of one owner.
type listOf struct {
	variable int
	seat     *expression // nil for a list that belongs to no seat
}

// moveStatement takes elements out of a list and puts them at the end of another.
type moveStatement struct {
	from, to     listOf
	value, count *expression // nil for any, and for all
}

// move reads a move step: {from: list, to: list, value: which elements, count: how many}.
func (b *builder) move(n *node, s stepScope) *moveStatement {
	f := b.shape(n, "a move step")
	m := &moveStatement{from: b.listOf(b.need(f, "from", "a move step"), s.scope)}
	m.to = b.listOf(b.need(f, "to", "a move step"), s.scope)
	if value := f.by["value"]; value != nil {
		m.value = b.intExpr(value, s.scope)
	}
	if count := f.by["count"]; count != nil {
		m.count = b.intExpr(count, s.scope)
	}
	if v := m.from; b.err == nil && v.variable == m.to.variable && (v.seat == nil || v.seat.equal(m.to.seat.term)) {
		b.fail(n.at, "a move goes from one list to another; these are the same")
	}
	return m
}

func (b *builder) listOf(n *node, s scope) listOf {
	i, seat, ok := b.owner(n, s, false)
	if ok && b.file.vars[i].zone == nil {
		b.fail(n.at, "%s is not a list", b.file.vars[i].name)
	}
	return listOf{i, seat}
}

// wipe reads what a clear step empties: a list of one owner, or those of all.
func (b *builder) wipe(n *node, s stepScope) *showStatement {
	i, seat, ok := b.owner(n, s.scope, true)
	if ok && b.file.vars[i].zone == nil {
		b.fail(n.at, "%s is not a list; set it", b.file.vars[i].name)
	}
	return &showStatement{variable: i, seat: seat}
}

func (c *compiler) place(l listOf) machine.Place {
	p := machine.Place{Var: l.variable}
	if l.seat != nil {
		p.Seat = c.int(l.seat)
	}
	return p
}

func (c *compiler) transfer(m *moveStatement) machine.Transfer {
	t := machine.Transfer{From: c.place(m.from), To: c.place(m.to)}
	if m.value != nil {
		t.Value = c.int(m.value)
	}
	if m.count != nil {
		t.Count = c.int(m.count)
	}
	return t
}

// cost is at most two looks at each element, and what the expressions cost.
func (m *moveStatement) cost(c *coster) int {
	n := 2 * maxZone
	for _, e := range []*expression{m.from.seat, m.to.seat, m.value, m.count} {
		n += c.expression(e)
	}
	return n
}
