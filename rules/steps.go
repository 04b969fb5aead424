package rules

import (
	"regexp"
	"slices"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/rules/shape"
)

// statement is a checked step: exactly one of the pointers and lists is set, or end.
type statement struct {
	at   place
	set  []target
	let  *letStatement
	cond *ifStatement
	each *eachStatement
	call *callStatement
	jump *int // a phase
	end  bool
	show *showStatement
	move *moveStatement
	wipe *showStatement // a clear
	emit []fact
}

// target is one variable that a set writes. A nil value is the variable's first value, which is what none means.
type target struct {
	variable    int
	seat, value *expression
}

type letStatement struct {
	slot  int
	value *expression
}

type ifStatement struct {
	cond        *expression
	then, other []statement
}

type eachStatement struct {
	slot int
	when *expression
	do   []statement
}

type callStatement struct {
	to   *procedure
	args []*expression
}

type showStatement struct {
	hide     bool
	variable int
	seat     *expression
}

type fact struct {
	name  string
	value *expression
}

// procedure is a named step list with parameters. It can call earlier ones only.
type procedure struct {
	name   string
	params []string
	base   int // slot of the first parameter
	body   []statement
	usesMe bool
	leaves bool // never reaches its end
}

// stepScope is what a step list can do besides naming things.
type stepScope struct {
	scope
	depth int
}

const maxStepDepth = 12

func (b *builder) readProcedures(n *node) {
	for _, p := range b.mapping(n, "procedures") {
		name, params := b.signature(p.key, "procedure")
		proc := &procedure{name: name, params: params, base: b.top}
		s := stepScope{scope: scope{what: "a procedure called from a chance phase", me: true, slot: proc.base}}
		for _, param := range params {
			s.scope = s.with(param, kindInt)
		}
		s.lacks = b.err != nil
		b.reach(s.scope)
		b.usesMe, b.reading = false, name
		proc.body = b.steps(p.value, s)
		proc.usesMe = b.usesMe
		b.part()
		proc.leaves = leaves(proc.body)
		b.procedures = append(b.procedures, proc)
		if len(b.procedures) > maxFunctions {
			b.fail(p.key.at, "more than %d procedures", maxFunctions)
			return
		}
	}
}

// steps reads a step list.
func (b *builder) steps(n *node, s stepScope) []statement {
	if s.depth++; s.depth > maxStepDepth {
		b.fail(n.at, "steps inside more than %d steps", maxStepDepth)
		return nil
	}
	var list []statement
	for _, item := range b.sequence(n, "steps") {
		b.part()
		if leaves(list) {
			b.fail(item.at, "this step is never reached: the one before it goes to a phase or ends the game")
		}
		if item.kind != mapping || len(item.pairs) == 0 {
			b.fail(item.at, "a step is a key and its value, such as call: lose(me, 1); this is %v", item.kind)
			continue
		}
		list = b.step(item, &s, list)
	}
	b.part()
	return list
}

func (b *builder) step(n *node, s *stepScope, list []statement) []statement {
	stepKeys := shape.Of("a step").One
	key, value := n.pairs[0].key, n.pairs[0].value
	one := func(st statement) []statement {
		if len(n.pairs) > 1 {
			b.fail(n.pairs[1].key.at, "%s stands alone in a step; begin another step with a dash", key.text)
		}
		st.at = key.at
		return append(list, st)
	}
	switch key.text {
	case "set":
		return one(statement{set: b.set(value, *s)})
	case "let":
		for _, p := range b.mapping(value, "let") {
			b.local(p.key, p.key.text, "let", s.scope)
			e := b.anyExpr(p.value, s.scope)
			if e == nil {
				s.scope = s.with(p.key.text, kindUnknown)
				continue
			}
			list = append(list, statement{at: p.key.at, let: &letStatement{slot: s.slot, value: e}})
			s.scope = s.with(p.key.text, e.kind)
			b.reach(s.scope)
		}
		if len(n.pairs) > 1 {
			b.fail(n.pairs[1].key.at, "a let step has no other keys")
		}
		return list
	case "if", "then", "else":
		return append(list, b.ifStep(n, *s))
	case "each":
		return append(list, b.eachStep(n, *s))
	case "call":
		return one(statement{call: b.callStep(value, *s)})
	case "goto":
		return one(statement{jump: b.jump(value)})
	case "end":
		if value.text != "now" {
			b.fail(value.at, "the step that ends the game is written end: now")
		}
		return one(statement{end: true})
	case "reveal", "hide":
		return one(statement{show: b.show(value, key.text == "hide", *s)})
	case "emit":
		return one(statement{emit: b.emit(value, *s)})
	case "move":
		return one(statement{move: b.move(value, *s)})
	case "clear":
		return one(statement{wipe: b.wipe(value, *s)})
	}
	if like := nearest(key.text, stepKeys); like != "" {
		b.fail(key.at, "unknown step %s; did you mean %s?", key.text, like)
	} else {
		b.fail(key.at, "unknown step %s; a step is one of %s", key.text, strings.Join(stepKeys, ", "))
	}
	return list
}

func (b *builder) ifStep(n *node, s stepScope) statement {
	f := b.fields(n, "an if step", "if", "then", "else")
	st := &ifStatement{cond: b.boolExpr(b.need(f, "if", "an if step"), s.scope)}
	b.part()
	st.then = b.steps(b.need(f, "then", "an if step"), s)
	if other := f.by["else"]; other != nil {
		st.other = b.steps(other, s)
	}
	return statement{at: n.at, cond: st}
}

func (b *builder) eachStep(n *node, s stepScope) statement {
	f := b.fields(n, "an each step", "each", "when", "do")
	name := b.need(f, "each", "an each step")
	b.local(name, name.text, "seat of each", s.scope)
	st := &eachStatement{slot: s.slot}
	s.scope = s.with(name.text, kindSeat)
	b.reach(s.scope)
	if when := f.by["when"]; when != nil {
		st.when = b.boolExpr(when, s.scope)
	}
	b.part()
	st.do = b.steps(b.need(f, "do", "an each step"), s)
	return statement{at: n.at, each: st}
}

// left matches what a set can write: name, name[seat], record.field or record[seat].field.
var left = regexp.MustCompile(`^([a-z][a-z0-9_]*)(?:\[(.+)\])?(\.[a-z][a-z0-9_]*)?$`)

// owner reads a variable with the seat it belongs to, if it belongs to one; all says that the seat may be left out.
func (b *builder) owner(n *node, s scope, all bool) (variable int, seat *expression, ok bool) {
	m := left.FindStringSubmatchIndex(n.text)
	if n.kind != scalar || m == nil {
		b.fail(n.at, "want a variable, or name[seat] in single quotes")
		return 0, nil, false
	}
	name := n.text[m[2]:m[3]]
	if m[6] >= 0 {
		name += n.text[m[6]:m[7]]
	}
	i, known := b.vars[name]
	if !known {
		b.unknownVariable(n.at, name)
		return 0, nil, false
	}
	v := b.file.vars[i]
	if m[4] >= 0 {
		seat = b.parse(n, m[4], n.text[m[4]:m[5]], s)
		b.reach(s)
		if seat != nil && seat.kind == kindBool {
			b.fail(n.at, "want a seat, this is true or false")
		}
	}
	if v.perSeat != (m[4] >= 0) && (!v.perSeat || !all) {
		if v.perSeat {
			b.fail(n.at, "%s belongs to each seat; write '%s' in single quotes", name, indexed(name))
		} else {
			b.fail(n.at, "%s is one value, not one of each seat; leave out the index", name)
		}
		return 0, nil, false
	}
	return i, seat, b.err == nil
}

// unknownVariable complains of a name where a variable is wanted.
func (b *builder) unknownVariable(at place, name string) {
	if slices.ContainsFunc(b.file.Options, func(o Option) bool { return o.Name == name }) {
		b.fail(at, "%s is an option, which is fixed when a table is made; a variable is wanted", name)
		return
	}
	if b.follows(name) {
		return
	}
	b.told[name] = true
	var known []string
	for _, v := range b.file.vars {
		known = append(known, v.name)
	}
	b.fail(at, "unknown variable %s%s", name, instead(name, known))
}

// indexed shows where the index of a variable of each seat goes.
func indexed(name string) string {
	if record, field, ok := strings.Cut(name, "."); ok {
		return record + "[…]." + field
	}
	return name + "[…]"
}

// recordOf finds the record that a set writes as a whole, and whose it is if it is one of each seat.
func (b *builder) recordOf(n *node, s scope) (r *record, seat *expression) {
	m := left.FindStringSubmatchIndex(n.text)
	if n.kind != scalar || m == nil || m[6] >= 0 {
		return nil, nil
	}
	if r = b.records[n.text[m[2]:m[3]]]; r == nil {
		return nil, nil
	}
	switch {
	case r.perSeat && m[4] < 0:
		b.fail(n.at, "%s belongs to each seat; write '%s[…]' in single quotes", r.name, r.name)
	case !r.perSeat && m[4] >= 0:
		b.fail(n.at, "%s is one record, not one of each seat, so it takes no index", r.name)
	case r.perSeat:
		if seat = b.parse(n, m[4], n.text[m[4]:m[5]], s); seat != nil && seat.kind == kindBool {
			b.fail(n.at, "want a seat, this is true or false")
		}
		b.reach(s)
	}
	return r, seat
}

func (b *builder) set(n *node, s stepScope) []target {
	var list []target
	for _, p := range b.mapping(n, "set") {
		if r, seat := b.recordOf(p.key, s.scope); r != nil {
			list = b.also(p.key, list, b.setRecord(r, seat, p.value, s)...)
			continue
		}
		i, seat, ok := b.owner(p.key, s.scope, false)
		if !ok {
			return nil
		}
		if b.file.vars[i].zone != nil {
			b.fail(p.key.at, "%s is a list; draw into it, or use a move or a clear step", p.key.text)
			return nil
		}
		list = b.also(p.key, list, target{i, seat, b.value(i, p.value, s)})
	}
	if len(list) > machine.MaxAssigns {
		b.fail(n.at, "a set writes at most %d values; split it", machine.MaxAssigns)
	}
	return list
}

// also adds targets to those of a set, where none may be written twice.
func (b *builder) also(n *node, list []target, more ...target) []target {
	for _, t := range more {
		for _, other := range list {
			if t.variable == other.variable && (t.seat == nil || other.seat != nil && t.seat.equal(other.seat.term)) {
				b.fail(n.at, "%s is set twice in one set; write it once", n.text)
			}
		}
	}
	return append(list, more...)
}

// value reads what a variable is set to.
func (b *builder) value(variable int, n *node, s stepScope) *expression {
	v := b.file.vars[variable]
	e := b.anyExpr(n, s.scope)
	if e != nil && (e.kind == kindBool) != (v.kind == kindBool) {
		b.fail(n.at, "%s holds %v, this is %v", v.name, v.kind, e.kind)
	}
	return e
}

func (b *builder) setRecord(r *record, seat *expression, n *node, s stepScope) []target {
	var list []target
	if n.kind == scalar && n.text == "none" {
		for k := range r.names {
			list = append(list, target{variable: r.first + k, seat: seat})
		}
		return list
	}
	f := b.fields(n, "the record "+r.name, r.names...)
	for k, name := range r.names {
		value := b.need(f, name, "the record "+r.name)
		if b.err == nil {
			list = append(list, target{variable: r.first + k, seat: seat, value: b.value(r.first+k, value, s)})
		}
	}
	return list
}

func (b *builder) callStep(n *node, s stepScope) *callStatement {
	if at, message := b.src.cut(n); message != "" && n.kind == scalar {
		b.fail(at, "%s", message)
		return nil
	}
	open := strings.IndexByte(n.text, '(')
	if n.kind != scalar || open < 0 || !strings.HasSuffix(strings.TrimSpace(n.text), ")") {
		b.fail(n.at, "call is written name(argument, …), such as lose(me, 1)")
		return nil
	}
	name := n.text[:open]
	i := slices.IndexFunc(b.procedures, func(p *procedure) bool { return p.name == name })
	if i < 0 {
		b.unknownProcedure(n.at, name)
		return nil
	}
	p := b.procedures[i]
	if p.usesMe {
		b.usesMe = true
		if !s.me {
			b.fail(n.at, "%s uses me, and there is no acting seat in %s", name, s.what)
		}
	}
	c := &callStatement{to: p}
	from := open + 1
	for _, arg := range splitArgs(n.text[from:strings.LastIndexByte(n.text, ')')]) {
		lead := len(arg) - len(strings.TrimLeft(arg, " "))
		e := b.parse(n, from+lead, strings.TrimSpace(arg), s.scope)
		if e != nil && e.kind == kindBool {
			b.fail(b.src.find(n, from+lead), "arguments are integers, this is a condition")
		}
		c.args = append(c.args, e)
		from += len(arg) + 1
	}
	b.reach(s.scope)
	if len(c.args) != len(p.params) {
		b.fail(n.at, "%s takes %s, not %d", name, plural(len(p.params), "argument"), len(c.args))
		return nil
	}
	return c
}

// unknownProcedure complains of a call of what is no procedure yet.
func (b *builder) unknownProcedure(at place, name string) {
	var known []string
	for _, p := range b.procedures {
		known = append(known, p.name)
	}
	switch {
	case slices.ContainsFunc(b.file.functions, func(f *function) bool { return f.name == name }):
		b.fail(at, "%s is a function, which gives a value; a call step calls a procedure, which has steps", name)
	case b.taken[name] != "" && name == b.reading:
		b.fail(at, "%s calls itself; a procedure can call only those above it", name)
	case b.follows(name):
	default:
		b.told[name] = true
		if like := nearest(name, known); like != "" {
			b.fail(at, "there is no procedure %s above this line; did you mean %s?", name, like)
			return
		}
		b.fail(at, "there is no procedure %s above this line; declare it under procedures, before it is called", name)
	}
}

// splitArgs splits at the commas that stand in no bracket.
func splitArgs(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	var list []string
	depth, from := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				list = append(list, text[from:i])
				from = i + 1
			}
		}
	}
	return append(list, text[from:])
}

func (b *builder) jump(n *node) *int {
	i := slices.IndexFunc(b.file.phases, func(p *phase) bool { return p.name == n.text })
	if i < 0 {
		var known []string
		for _, ph := range b.file.phases {
			known = append(known, ph.name)
		}
		b.fail(n.at, "there is no phase %s%s", n.text, instead(n.text, known))
		return new(int)
	}
	return &i
}

func (b *builder) show(n *node, hide bool, s stepScope) *showStatement {
	i, seat, ok := b.owner(n, s.scope, true)
	if !ok {
		return nil
	}
	if b.file.vars[i].open() {
		b.fail(n.at, "everybody sees %s already; leave out the step, or give the variable see: owner", n.text)
	}
	return &showStatement{hide: hide, variable: i, seat: seat}
}

func (b *builder) emit(n *node, s stepScope) []fact {
	var list []fact
	for _, p := range b.mapping(n, "emit") {
		name := b.word(p.key, "a fact")
		if b.facts[name] = true; len(b.facts) > maxFacts {
			b.fail(p.key.at, "more than %d facts of different names", maxFacts)
		}
		if r, ok := b.records[p.value.text]; ok && p.value.kind == scalar && !r.perSeat {
			for k, field := range r.names {
				v := b.file.vars[r.first+k]
				e := &expression{term: &term{op: opVar, kind: v.kind, n: r.first + k}, text: v.name, from: p.value, scope: s.scope}
				list = append(list, fact{name + "." + field, e})
			}
			continue
		}
		list = append(list, fact{name, b.anyExpr(p.value, s.scope)})
	}
	return list
}

// leaves reports whether a step list never reaches its end.
func leaves(list []statement) bool {
	if len(list) == 0 {
		return false
	}
	switch last := list[len(list)-1]; {
	case last.jump != nil, last.end:
		return true
	case last.call != nil:
		return last.call.to.leaves
	case last.cond != nil:
		return leaves(last.cond.then) && leaves(last.cond.other)
	}
	return false
}
