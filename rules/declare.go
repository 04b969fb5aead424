package rules

import (
	"regexp"
	"slices"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/rules/shape"
)

// Limits on what a file can declare.
const (
	maxOptions   = 32
	maxPresets   = 16
	maxVars      = 64
	maxFunctions = 32
	maxPhases    = 16
	maxActions   = 32
	maxExamples  = 100
	maxFacts     = 64 // names of facts that a game emits
)

// variable is a declared variable; the fields of a record are variables of their own.
type variable struct {
	name, as, doc string
	at            place
	kind          kind
	perSeat       bool
	zone          *expression // capacity of a list
	low, high     *expression // nil for bools and seats
	init          *expression // first value
	first         int         // first value where init is nil
	deck          []int       // first elements of a list
	all           bool        // the list begins with all its values
	see           machine.See
	seeIf         *expression
}

// open reports whether everybody sees the variable at all times.
func (v *variable) open() bool { return v.see == machine.SeeAll }

// owned reports whether the seat it belongs to sees it at all times.
func (v *variable) owned() bool { return v.see == machine.SeeOwner }

func (b *builder) options(n *node) {
	for _, p := range b.mapping(n, "options") {
		name := b.word(p.key, "an option")
		b.declare(p.key, name, "option")
		f := b.shape(p.value, "an option")
		o := Option{Name: name, Doc: b.doc(f), High: 1}
		switch {
		case f.by["int"] != nil && f.by["bool"] == nil:
			low, high := b.pair(f.by["int"], "the bounds of an option", -maxConst, maxConst)
			o.Low, o.High = low, high
			o.Default = b.int(b.need(f, "default", "an option"), "the default of "+name, o.Low, o.High)
		case f.by["bool"] != nil && f.by["int"] == nil && f.by["default"] == nil:
			o.Bool = true
			if b.bool(f.by["bool"], "bool: the default of "+name) {
				o.Default = 1
			}
		default:
			b.fail(p.key.at, "an option is {int: [least, greatest], default: …} or {bool: yes or no}")
		}
		if b.err != nil {
			b.part()
			continue
		}
		if b.file.Options = append(b.file.Options, o); len(b.file.Options) > maxOptions {
			b.fail(p.key.at, "more than %d options", maxOptions)
			return
		}
		b.part()
	}
}

func (b *builder) pair(n *node, what string, least, most int) (low, high int) {
	if n.kind != sequence || len(n.items) != 2 {
		b.fail(n.at, "%s are written [least, greatest], such as [2, 6]", what)
		return least, least
	}
	low, high = b.int(n.items[0], what, least, most), b.int(n.items[1], what, least, most)
	if low > high && b.err == nil {
		b.fail(n.at, "%s are written [least, greatest], and %d is greater than %d", what, low, high)
	}
	return low, high
}

func (b *builder) presets(n *node) {
	for _, p := range b.mapping(n, "presets") {
		f := b.shape(p.value, "a preset")
		preset := Preset{Name: b.word(p.key, "a preset"), Doc: b.doc(f), Options: b.given(f.by["options"])}
		if b.file.Presets = append(b.file.Presets, preset); len(b.file.Presets) > maxPresets {
			b.fail(p.key.at, "more than %d presets", maxPresets)
			return
		}
		b.part()
	}
}

// given reads a mapping of options to values, for presets and examples.
func (b *builder) given(n *node) map[string]int {
	given := map[string]int{}
	for _, p := range b.mapping(n, "options") {
		i := slices.IndexFunc(b.file.Options, func(o Option) bool { return o.Name == p.key.text })
		if i < 0 {
			b.unknownOption(p.key)
			continue
		}
		if o := b.file.Options[i]; !o.Bool {
			given[o.Name] = b.int(p.value, "the option "+o.Name, o.Low, o.High)
		} else if given[o.Name] = 0; b.bool(p.value, "the option "+o.Name) {
			given[o.Name] = 1
		}
	}
	return given
}

func (b *builder) unknownOption(n *node) {
	if b.follows(n.text) {
		return
	}
	b.told[n.text] = true
	var known []string
	for _, o := range b.file.Options {
		known = append(known, o.Name)
	}
	b.fail(n.at, "there is no option %s%s", n.text, instead(n.text, known))
}

func (b *builder) state(n *node) {
	for _, p := range b.mapping(n, "state") {
		name := b.word(p.key, "a variable")
		b.declare(p.key, name, "variable")
		f := b.shape(p.value, "a variable")
		v := variable{name: name, at: p.key.at, doc: b.doc(f)}
		if as := f.by["as"]; as != nil {
			v.as = b.word(as, "as")
		}
		if each := f.by["each"]; each != nil {
			if v.perSeat = each.text == "seat"; !v.perSeat {
				b.fail(each.at, "each: seat is all that each can say")
			}
		}
		b.see(&v, f)
		b.declareKind(&v, f)
		if b.err != nil {
			delete(b.vars, name)
			delete(b.records, name)
		}
		if len(b.file.vars) > maxVars {
			b.fail(p.key.at, "more than %d variables", maxVars)
			return
		}
		b.part()
	}
}

func (b *builder) see(v *variable, f fields) {
	n := f.by["see"]
	if n == nil {
		return
	}
	switch {
	case n.text == "all":
	case n.text == "none":
		v.see = machine.SeeNone
	case n.text == "owner":
		if v.see = machine.SeeOwner; !v.perSeat {
			b.fail(n.at, "see: owner needs each: seat")
		}
	default:
		// Its condition is read once all of the state is known.
		v.see, v.seeIf = machine.SeeIf, &expression{from: n}
	}
}

// declareKind reads what a variable holds and adds it.
func (b *builder) declareKind(v *variable, f fields) {
	var kinds []string
	for _, k := range shape.Of("a variable").One {
		if f.by[k] != nil {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) != 1 {
		b.fail(v.at, "a variable has one of the keys int, seat, bool, list, record")
		return
	}
	n := f.by[kinds[0]]
	if of := f.by["of"]; of != nil && kinds[0] != "list" {
		b.fail(of.at, "of goes with list")
	}
	if init := f.by["init"]; init != nil && kinds[0] != "int" && kinds[0] != "list" {
		b.fail(init.at, "init goes with int and list; write the first value after %s:", kinds[0])
	}
	switch kinds[0] {
	case "record":
		if v.as != "" {
			b.fail(v.at, "a record has no other name in views")
		}
		b.record(v, n)
		return
	case "list":
		v.zone = b.constExpr(n, "the capacity of a list")
		v.low, v.high = b.bounds(b.need(f, "of", "a list"), "the bounds of a list", scope{what: "a bound of state", reads: readsConst})
		b.deck(v, f.by["init"])
	default:
		b.single(v, kinds[0], n)
		if init := f.by["init"]; init != nil {
			v.init = b.constExpr(init, "a first value")
		}
	}
	b.add(v)
}

// single reads the kind of a variable that holds one integer.
func (b *builder) single(v *variable, key string, n *node) {
	switch key {
	case "int":
		v.low, v.high = b.bounds(n, "the bounds of "+v.name, scope{what: "a bound of state", reads: readsConst})
	case "bool":
		if v.kind = kindBool; b.bool(n, "the first value of "+v.name) {
			v.first = 1
		}
	case "seat":
		if v.kind = kindSeat; n.text == "none" {
			v.first = machine.None
		} else {
			v.first = b.int(n, "the first value of "+v.name+", if not none,", 0, b.file.MinSeats-1)
		}
	}
}

func (b *builder) deck(v *variable, n *node) {
	switch {
	case n == nil:
	case v.perSeat:
		b.fail(n.at, "a list of each seat begins empty")
	case n.text == "all":
		v.all = true
	default:
		for _, item := range b.sequence(n, "init") {
			v.deck = append(v.deck, b.int(item, "an element", -maxConst, maxConst))
		}
	}
}

func (b *builder) record(v *variable, n *node) {
	r := &record{name: v.name, first: len(b.file.vars), perSeat: v.perSeat}
	for _, p := range b.mapping(n, "a record") {
		field := &variable{
			name: v.name + "." + b.word(p.key, "a field"), at: p.key.at, see: v.see, seeIf: v.seeIf, doc: v.doc,
			perSeat: v.perSeat,
		}
		r.names = append(r.names, p.key.text)
		switch {
		case p.value.kind == sequence:
			b.single(field, "int", p.value)
		case p.value.text == "yes" || p.value.text == "no" || p.value.text == "true" || p.value.text == "false":
			b.single(field, "bool", p.value)
		default:
			b.single(field, "seat", p.value)
		}
		b.add(field)
	}
	if len(r.names) == 0 {
		b.fail(n.at, "a record has fields")
		r.names = []string{""}
	}
	b.records[v.name] = r
}

func (b *builder) add(v *variable) {
	b.vars[v.name] = len(b.file.vars)
	b.file.vars = append(b.file.vars, v)
}

// conditions reads the see conditions, which may name any public variable.
func (b *builder) conditions() {
	s := scope{what: "a see condition", reads: readsPublic, slot: b.root}.with("viewer", kindSeat).with("owner", kindSeat)
	for _, v := range b.file.vars {
		if v.seeIf != nil {
			v.seeIf = b.boolExpr(v.seeIf.from, s)
			b.part()
		}
	}
}

var beginning = regexp.MustCompile(`^\w*`)

var signature = regexp.MustCompile(`^([a-z][a-z0-9_]{0,39})\(([a-z0-9_, ]*)\)$`)

// signature reads name(a, b).
func (b *builder) signature(n *node, what string) (name string, params []string) {
	m := signature.FindStringSubmatch(n.text)
	if m == nil {
		b.fail(n.at, "a %s is declared as name(): or name(parameter, other): in small letters, digits and _", what)
		b.taken[beginning.FindString(n.text)] = "a " + what
		return "", nil
	}
	b.declare(n, m[1], what)
	if strings.TrimSpace(m[2]) == "" {
		return m[1], nil
	}
	for _, p := range strings.Split(m[2], ",") {
		p = strings.TrimSpace(p)
		b.local(n, p, "parameter", scope{params: params})
		params = append(params, p)
	}
	if len(params) > 8 {
		b.fail(n.at, "more than 8 parameters")
	}
	return m[1], params
}

func (b *builder) functions(n *node) {
	for _, p := range b.mapping(n, "functions") {
		name, params := b.signature(p.key, "function")
		fn := &function{name: name, at: p.key.at, params: params}
		s := scope{what: "a function; pass it as a parameter", fn: fn}
		if p.value.kind == scalar {
			fn.body = b.anyExpr(p.value, s)
		} else {
			f := b.shape(p.value, "a function")
			fn.body = b.anyExpr(b.need(f, "is", "a function"), s)
			if strict := f.by["strict_order"]; strict != nil {
				fn.strict = b.bool(strict, "strict_order")
			}
			if order := f.by["order"]; order != nil {
				fn.order = b.bool(order, "order")
			}
			fn.order = fn.order || fn.strict
			b.table(fn, f)
		}
		if b.err != nil {
			b.part()
			continue
		}
		if b.file.functions = append(b.file.functions, fn); len(b.file.functions) > maxFunctions {
			b.fail(p.key.at, "more than %d functions", maxFunctions)
			return
		}
	}
}

// table reads the domain that a function is tabled over.
func (b *builder) table(fn *function, f fields) {
	n := f.by["table"]
	for _, domain := range b.sequence(n, "table") {
		low, high := b.bounds(domain, "the bounds of a parameter", scope{what: "a bound of a table", reads: readsConst})
		if low == nil || high == nil {
			return
		}
		fn.table = append(fn.table, [2]*expression{low, high})
	}
	k := len(fn.params)
	switch {
	case b.err != nil:
	case n != nil && len(fn.table) != k:
		b.fail(n.at, "table gives [least, greatest] for each of %s", plural(k, "parameter"))
	case n != nil && fn.state:
		b.fail(n.at, "%s() reads state, which changes, so it cannot be tabled; pass the state as parameters", fn.name)
	case !fn.order:
	case fn.body.kind != kindBool:
		b.fail(fn.body.from.at, "an order is a condition: whether one bid outranks another; this is %v", fn.body.kind)
	case k == 0 || k%2 != 0:
		b.fail(fn.at, "an order compares two bids: its first parameters are the one bid, as many more the other; %s() has %d", fn.name, k)
	case n == nil:
		b.fail(fn.at, "an order needs table: [[least, greatest], …], the bounds of each parameter, so that it can be proven")
	}
}

// alive reads which seats still play, and lays out the slots of functions.
func (b *builder) alive(n *node) {
	fn := &function{name: "alive", params: []string{"seat"}}
	if n != nil {
		fn.at = n.at
		fn.body = b.boolExpr(n, scope{what: "alive", reads: readsPublic, fn: fn})
		if fn.alive {
			b.fail(n.at, "alive cannot ask next, prev or live, which ask alive")
		}
		b.file.alive = fn
	}
	for _, f := range fn.calls {
		fn.base = max(fn.base, f.height())
	}
	b.root = fn.height()
	for _, f := range b.file.functions {
		for _, g := range f.calls {
			f.base = max(f.base, g.height())
		}
		if f.alive {
			f.base = max(f.base, fn.height())
		}
		b.root = max(b.root, f.height())
	}
	b.file.item = b.root
	b.root++
	b.top = b.root
}
