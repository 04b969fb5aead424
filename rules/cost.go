package rules

// Costs count the terms that are evaluated, at most, whatever the options and the position. Each takes a few nanoseconds.
const (
	maxExprCost = 4_000
	maxMoveCost = 20_000  // of a move with all that follows from it
	maxListCost = 200_000 // of listing the legal moves of an action by asking its guard
	maxZone     = 64      // elements of a list
	maxCost     = 1 << 40
	entries     = 16 // phases that one move can enter
)

// checkCosts refuses expressions and moves that cost too much. It comes before anything is evaluated, even a bound.
func (b *builder) checkCosts() {
	c := coster{b: b, seats: b.file.MaxSeats, procedures: map[*procedure]int{}}
	for _, fn := range b.file.functions {
		c.function(fn)
		for _, bounds := range fn.table {
			c.expression(bounds[0])
			c.expression(bounds[1])
		}
	}
	for _, v := range b.file.vars {
		for _, e := range []*expression{v.zone, v.low, v.high, v.init, v.seeIf} {
			c.expression(e)
		}
	}
	if b.err != nil {
		return
	}
	c.setting = b.file.widest()
	for i, v := range b.file.vars {
		if size := c.zones[i]; v.zone != nil && (size.low < 1 || size.high > maxZone) {
			b.fail(v.at, "the list %s holds %d to %d elements; it must be 1 to %d whatever the options", v.name, size.low, size.high, maxZone)
		}
	}
	then := 0
	for _, ph := range b.file.phases {
		n := c.steps(ph.then)
		for _, d := range ph.draws {
			n += c.seats * (c.expression(d.count) + 2*c.expression(d.when) + 1)
			n += c.expression(d.low) + c.expression(d.high)
		}
		ph.cost = n
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
	*setting   // known once no expression that it needs costs too much
	b          *builder
	seats      int
	procedures map[*procedure]int
}

// size is how many elements a list can hold.
func (c *coster) size(v *variable) int {
	switch t := v.zone.term; t.op {
	case opConst:
		return min(max(1, t.n), maxZone)
	case opOption:
		return min(max(1, c.b.file.Options[t.n].High), maxZone)
	}
	return maxZone
}

func (c *coster) move(at place, cost int) {
	if cost > maxMoveCost {
		c.b.fail(at, "a move can cost %d evaluations with what follows from it, at most %d: use fewer or shorter steps", cost, maxMoveCost)
	}
}

func (c *coster) action(a *action, then int) {
	tuples := 1
	var spans []span
	guard := c.expression(a.when) + c.expression(a.who)
	for _, q := range a.params {
		bounds := c.expression(q.low) + c.expression(q.high)
		if guard += bounds; bounds > maxExprCost {
			return
		}
		low, high := c.of(q.low.term), c.of(q.high.term)
		tuples = min(maxCost, tuples*max(1, high.high-low.low+1))
		spans = append(spans, span{low.low, high.high})
	}
	c.args = spans
	if guard*tuples > maxListCost {
		c.b.fail(a.at, "listing the moves of %s can ask %d guards of cost %d, at most %d together", a.name, tuples, guard, maxListCost)
	}
	a.refuse.expressions(func(e *expression) { c.expression(e) })
	a.guard, a.cost = guard, guard+c.steps(a.do)
	c.move(a.at, a.cost+then)
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
		return c.shows(s.show) + c.expression(s.show.seat)
	case s.wipe != nil:
		return c.seats*maxZone + c.expression(s.wipe.seat)
	case s.move != nil:
		return s.move.cost(c)
	}
	for _, t := range s.set {
		cost += c.expression(t.seat) + c.expression(t.value)
		c.fit(t)
	}
	for _, f := range s.emit {
		cost += c.expression(f.value)
	}
	return cost
}

// shows is how many values a reveal can write down. A hide writes none.
func (c *coster) shows(s *showStatement) int {
	v := c.b.file.vars[s.variable]
	if s.hide || v.zone == nil {
		return c.seats
	}
	if s.seat != nil || !v.perSeat {
		return c.size(v)
	}
	return c.seats * c.size(v)
}

// fit refuses a write that fails whatever the options and the position.
func (c *coster) fit(t target) {
	if t.value == nil || c.b.err != nil {
		return
	}
	v, holds, value := c.b.file.vars[t.variable], c.vars[t.variable], c.of(t.value.term)
	if value.high < holds.low || value.low > holds.high {
		c.b.fail(c.b.src.find(t.value.from, 0), "%s holds %d to %d, never %s", v.name, holds.low, holds.high, t.value.text)
	}
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
		cost += c.seats * (1 + c.function(c.b.file.alive))
	case opCall:
		cost += c.function(t.fn)
	case opTally, opAll, opAny, opNone, opOne, opCount, opSum:
		size := c.seats
		if t.n != allSeats {
			v := c.b.file.vars[t.n]
			if !t.overSeats(v) {
				size = 1
			}
			if v.zone != nil {
				size *= c.size(v)
			}
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
