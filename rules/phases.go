package rules

import (
	"slices"
	"strings"
)

// phase is a stage of the game: draws and then steps, or a turn and actions.
type phase struct {
	name    string
	at      place
	draws   []draw
	then    []statement
	turn    *expression
	clock   bool
	timeout []statement
	actions []*action
	cost    int // of what follows a draw, at most
}

type draw struct {
	into      int
	each      bool
	when      *expression // about the seat in slot, if each; as is count
	count     *expression
	slot      int
	low, high *expression
	from      int // a list, or -1
	sort      bool
}

type action struct {
	name, doc string
	at        place
	params    []param
	who       *expression // about the seat in slot
	slot      int
	when      *expression
	refuse    refusal
	do        []statement
	cost      int // of a move, without the phases that follow, at most
	guard     int // of asking whether a move is legal, at most
}

type param struct {
	name, doc string
	low, high *expression
}

// sentence is text with expressions in braces.
type sentence struct {
	texts []string      // around the values
	parts []*expression // one fewer
}

// phaseNames makes the phases known, so that steps can go to them.
func (b *builder) phaseNames(n *node) {
	for _, p := range b.mapping(n, "phases") {
		b.file.phases = append(b.file.phases, &phase{name: b.word(p.key, "a phase"), at: p.key.at})
	}
	if k := len(b.file.phases); k == 0 || k > maxPhases {
		b.fail(n.at, "a game has 1 to %d phases", maxPhases)
	}
}

func (b *builder) phases(n *node) {
	actions := 0
	for i, p := range b.mapping(n, "phases") {
		b.part()
		f := b.shape(p.value, "a phase")
		ph := b.file.phases[i]
		if f.by["chance"] != nil {
			b.chance(ph, f)
			continue
		}
		b.decision(ph, f)
		if actions += len(ph.actions); actions > maxActions {
			b.fail(ph.at, "more than %d actions", maxActions)
		}
	}
}

func (b *builder) chance(ph *phase, f fields) {
	for _, key := range []string{"turn", "clock", "timeout", "actions"} {
		if n := f.by[key]; n != nil {
			b.fail(n.at, "a phase of chance has no %s; players act in a phase of their own", key)
		}
	}
	s := scope{what: "a chance phase", slot: b.base}
	for _, item := range b.sequence(f.by["chance"], "chance") {
		d := b.shape(item, "a draw")
		var w draw
		into := b.need(d, "into", "a draw")
		i, ok := b.vars[into.text]
		if !ok {
			b.unknownVariable(into.at, into.text)
			b.part()
			continue
		}
		v := b.file.vars[i]
		w.into, w.each, w.from, w.slot = i, d.by["each"] != nil, -1, s.slot
		switch {
		case w.each && d.by["each"].text != "seat":
			b.fail(d.by["each"].at, "each: seat is all that each can say")
		case v.perSeat && !w.each:
			b.fail(into.at, "%s belongs to each seat; add each: seat", v.name)
		case w.each && !v.perSeat:
			b.fail(d.by["each"].at, "%s is one for all, not one of each seat; leave out each", v.name)
		}
		about := scope{what: "a draw", reads: readsPublic, slot: s.slot}
		if w.each {
			about = about.with("seat", kindSeat)
		}
		if when := d.by["when"]; when != nil {
			w.when = b.boolExpr(when, about)
		}
		if count := d.by["count"]; count != nil {
			w.count = b.intExpr(count, about)
		}
		b.from(&w, b.need(d, "from", "a draw"), scope{what: "the range of a draw", reads: readsPublic, slot: s.slot})
		if sort := d.by["sort"]; sort != nil {
			w.sort = b.bool(sort, "sort")
		}
		ph.draws = append(ph.draws, w)
		b.part()
	}
	if chance := f.by["chance"]; chance.kind == sequence && len(chance.items) == 0 {
		b.fail(ph.at, "a phase of chance draws something")
	}
	b.part()
	before := len(b.errs)
	ph.then = b.steps(b.need(f, "then", "a phase of chance"), stepScope{scope: s})
	if b.err == nil && len(b.errs) == before && !leaves(ph.then) {
		b.fail(ph.at, "then must finish with goto or end, or nothing happens after the draws")
	}
}

func (b *builder) from(w *draw, n *node, s scope) {
	if n.kind == sequence {
		w.low, w.high = b.bounds(n, "the values of a draw", s)
		return
	}
	i, ok := b.vars[n.text]
	switch {
	case !ok && identifier.MatchString(n.text):
		b.unknownVariable(n.at, n.text)
		return
	case !ok || b.file.vars[i].zone == nil || b.file.vars[i].perSeat:
		b.fail(n.at, "from is [least, greatest], such as [1, 6], or a list that is one for all, such as a deck")
		return
	}
	w.from = i
}

func (b *builder) decision(ph *phase, f fields) {
	if then := f.by["then"]; then != nil {
		b.fail(then.at, "then goes with chance; the steps of an action stand under do")
	}
	s := scope{what: "turn", reads: readsPublic, slot: b.base}
	ph.turn = b.intExpr(b.need(f, "turn", "a phase"), s)
	b.part()
	if clock := f.by["clock"]; clock != nil {
		ph.clock = b.bool(clock, "clock")
	}
	timeout := f.by["timeout"]
	if timeout == nil && ph.clock {
		b.fail(f.by["clock"].at, "clock: yes needs timeout, the steps that are done when the time is up")
	} else if timeout != nil && !ph.clock && b.err == nil {
		b.fail(timeout.at, "timeout needs clock: yes before it")
	}
	b.part()
	if timeout != nil {
		ph.timeout = b.steps(timeout, stepScope{scope: scope{what: "a timeout", me: true, slot: b.base}})
	}
	for _, p := range b.mapping(b.need(f, "actions", "a phase"), "actions") {
		b.part()
		name := b.word(p.key, "an action")
		if slices.Contains([]string{"draw", "timeout"}, name) {
			b.fail(p.key.at, "%s is what chance and the clock do; choose another name for the action", name)
		}
		ph.actions = append(ph.actions, b.action(name, p))
	}
	if len(ph.actions) == 0 && b.err == nil {
		b.fail(ph.at, "the phase %s has no actions, so nobody could move in it", ph.name)
	}
}

func (b *builder) action(name string, p pair) *action {
	f := b.shape(p.value, "an action")
	a := &action{name: name, at: p.key.at, doc: b.doc(f), slot: b.base}
	s := scope{me: true, slot: b.base}
	s.lacks = f.unknown
	b.part()
	b.params(a, f.by["params"], &s)
	if who := f.by["who"]; who != nil {
		about := scope{what: "who", reads: readsPublic, slot: s.slot}
		a.who = b.boolExpr(who, about.with("seat", kindSeat))
		b.part()
	}
	if when := f.by["when"]; when != nil {
		guard := s
		guard.what, guard.reads = "a guard", readsOwn
		a.when = b.boolExpr(when, guard)
		b.part()
	}
	if refuse := f.by["refuse"]; refuse != nil {
		if f.by["when"] == nil && !f.unknown {
			b.fail(refuse.at, "refuse is what players read when the guard says no; it needs when: the guard")
		}
		a.refuse = b.refusal(refuse, s)
		b.part()
	}
	s.what, s.reads = "an action", readsAll
	a.do = b.steps(b.need(f, "do", "an action"), stepScope{scope: s})
	return a
}

func (b *builder) params(a *action, n *node, s *scope) {
	for _, p := range b.mapping(n, "params") {
		q := param{name: p.key.text}
		b.local(p.key, p.key.text, "parameter", *s)
		bounds := p.value
		if bounds.kind == mapping {
			f := b.shape(bounds, "a parameter")
			q.doc, bounds = b.doc(f), b.need(f, "int", "a parameter")
		}
		about := scope{what: "a bound of a parameter", reads: readsPublic, slot: s.slot}
		q.low, q.high = b.bounds(bounds, "the bounds of a parameter", about)
		s.params = append(s.params, q.name)
		s.lacks = s.lacks || b.err != nil
		if a.params = append(a.params, q); len(a.params) > 4 {
			b.fail(p.key.at, "an action has at most 4 parameters")
		}
		b.part()
	}
}

// sentence reads text for a player with {expressions} in it.
func (b *builder) sentence(n *node, s scope) *sentence {
	text := b.text(n, "refuse", 400)
	var out sentence
	rest, at := text, strings.Index(n.text, text)
	for {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			out.texts = append(out.texts, rest)
			return &out
		}
		end := strings.IndexByte(rest, '}')
		if end < open {
			b.fail(b.src.find(n, at+max(open, end)), "a value in a sentence is written {expression}; this one lacks a brace")
			return &out
		}
		if len(out.parts) == 8 {
			b.fail(b.src.find(n, at+open), "more than 8 values in a sentence")
			return &out
		}
		out.texts = append(out.texts, rest[:open])
		if e := b.parse(n, at+open+1, rest[open+1:end], s); e != nil {
			out.parts = append(out.parts, e)
		} else {
			return &out
		}
		b.reach(s)
		at += end + 1
		rest = rest[end+1:]
	}
}
