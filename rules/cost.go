package rules

// Costs count the terms that are evaluated, at most, whatever the options and the position. Each takes a few nanoseconds.
const (
	maxExprCost = 4_000
	maxMoveCost = 100_000   // of a move with all that follows from it
	maxListCost = 2_000_000 // of listing the legal moves of an action by asking its guard
	maxCost     = 1 << 40
	entries     = 16 // phases that one move can enter
)

// checkCosts refuses expressions and moves that cost too much.
func (b *builder) checkCosts() {
	s := b.file.widest()
	c := coster{b: b, setting: s, seats: b.file.MaxSeats, procedures: map[*procedure]int{}}
	for _, fn := range b.file.functions {
		c.function(fn)
	}
	for _, v := range b.file.vars {
		if v.zone != nil && (s.of(v.zone.term).low < 1 || s.of(v.zone.term).high > 64) {
			b.fail(v.at, "the list %s holds %d to %d elements, want 1 to 64 whatever the options", v.name, s.zones[b.vars[v.name]].low, s.zones[b.vars[v.name]].high)
		}
		if v.seeIf != nil {
			c.expression(v.seeIf)
		}
	}
	then := 0
	for _, ph := range b.file.phases {
		n := c.steps(ph.then)
		for _, d := range ph.draws {
			n += c.seats * (c.expression(d.count) + 1)
			n += c.expression(d.low) + c.expression(d.high)
		}
		then = max(then, n)
	}
	for _, ph := range b.file.phases {
		c.expression(ph.turn)
		c.move(ph.at, c.steps(ph.timeout)+entries*then)
		for _, a := range ph.actions {
			c.action(a, entries*then)
		}
	}
	c.expression(b.file.rank)
	c.expression(b.file.payoff)
}

// coster works out costs in the widest setting.
type coster struct {
	*setting
	b          *builder
	seats      int
	procedures map[*procedure]int
}

func (c *coster) move(at place, cost int) {
	if cost > maxMoveCost {
		c.b.fail(at, "a move can cost %d evaluations with what follows from it, at most %d: use fewer or shorter steps", cost, maxMoveCost)
	}
}

func (c *coster) action(a *action, then int) {
	tuples := 1
	c.args = nil
	for _, q := range a.params {
		low, high := c.of(q.low.term), c.of(q.high.term)
		c.args = append(c.args, span{low.low, high.high})
		tuples = min(maxCost, tuples*max(1, high.high-low.low+1))
	}
	guard := c.expression(a.when) + c.expression(a.who)
	for _, q := range a.params {
		guard += c.expression(q.low) + c.expression(q.high)
	}
	if guard*tuples > maxListCost {
		c.b.fail(a.at, "listing the moves of %s can ask %d guards of cost %d, at most %d together", a.name, tuples, guard, maxListCost)
	}
	if a.refuse != nil {
		for _, e := range a.refuse.parts {
			c.expression(e)
		}
	}
	c.move(a.at, guard+c.steps(a.do)+then)
}

func (c *coster) steps(list []statement) int {
	cost := 0
	for _, s := range list {
		cost = min(maxCost, cost+1+c.step(&s))
	}
	return cost
}

func (c *coster) step(s *statement) int {
	cost := 0
	switch {
	case s.let != nil:
		return c.expression(s.let.value)
	case s.cond != nil:
		return c.expression(s.cond.cond) + max(c.steps(s.cond.then), c.steps(s.cond.other))
	case s.each != nil:
		return min(maxCost, c.seats*(1+c.expression(s.each.when)+c.steps(s.each.do)))
	case s.call != nil:
		body, ok := c.procedures[s.call.to]
		if !ok {
			body = c.steps(s.call.to.body)
			c.procedures[s.call.to] = body
		}
		for _, a := range s.call.args {
			cost += c.expression(a)
		}
		return cost + body
	case s.show != nil:
		return c.seats + c.expression(s.show.seat)
	}
	for _, t := range s.set {
		cost += c.expression(t.seat) + c.expression(t.value)
	}
	for _, f := range s.emit {
		cost += c.expression(f.value)
	}
	return cost
}

func (c *coster) expression(e *expression) int {
	if e == nil {
		return 0
	}
	cost := c.term(e.term)
	if cost > maxExprCost {
		c.b.fail(c.b.src.find(e.from, 0), "the expression can cost %d evaluations, at most %d: make it or the functions that it calls smaller", cost, maxExprCost)
	}
	return min(cost, maxExprCost+1)
}

func (c *coster) function(fn *function) int {
	if fn == nil || fn.body == nil {
		return 1
	}
	if fn.cost == 0 {
		fn.cost = 1 // a function cannot reach itself, so this is not seen
		fn.cost = c.expression(fn.body) + 1
	}
	return fn.cost
}

func (c *coster) term(t *term) int {
	cost := 1
	switch t.op {
	case opNext, opPrev, opLive:
		cost += c.seats * (1 + c.function(c.file.alive))
	case opCall:
		cost += c.function(t.fn)
	case opTally, opAll, opAny, opNone, opOne, opCount, opSum:
		size := 1
		if v := c.file.vars[t.n]; v.perSeat && (t.op == opTally || v.zone == nil) {
			size = c.seats
		}
		if c.file.vars[t.n].zone != nil {
			size *= c.zones[t.n].high
		}
		last := len(t.kids) - 1
		for _, k := range t.kids[:last] {
			cost += c.term(k)
		}
		if t.op == opTally {
			return min(maxCost, cost+size+c.term(t.kids[last]))
		}
		return min(maxCost, cost+size*(1+c.term(t.kids[last])))
	}
	for _, k := range t.kids {
		cost = min(maxCost, cost+c.term(k))
	}
	return cost
}
