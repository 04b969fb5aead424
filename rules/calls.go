package rules

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
)

var builtins = map[string]struct {
	op   op
	args int
	kind kind
}{
	"min": {opMin, 2, kindInt}, "max": {opMax, 2, kindInt}, "abs": {opAbs, 1, kindInt}, "div": {opDiv, 2, kindInt},
	"ceildiv": {opCeilDiv, 2, kindInt}, "mod": {opMod, 2, kindInt}, "next": {opNext, 1, kindSeat}, "prev": {opPrev, 1, kindSeat},
	"live": {opLive, 0, kindInt},
}

func (w *walker) call(n *ast.CallNode, at int) *term {
	callee, ok := n.Callee.(*ast.IdentifierNode)
	if !ok {
		return w.fail(at, "only functions are called, by their names; nothing has methods")
	}
	switch callee.Value {
	case "tally", "len":
		return w.zoneCall(callee.Value, n, at)
	}
	if f, ok := builtins[callee.Value]; ok {
		args := w.args(n, callee.Value, f.args, at)
		if f.op == opNext || f.op == opPrev || f.op == opLive {
			w.callAlive(callee.Value, at)
		}
		return &term{op: f.op, kind: f.kind, kids: args}
	}
	i := slices.IndexFunc(w.b.file.functions, func(f *function) bool { return f.name == callee.Value })
	if i < 0 {
		if w.scope.fn != nil && w.scope.fn.name == callee.Value {
			return w.fail(at, "%s calls itself; a function can call only earlier ones", callee.Value)
		}
		return w.unknownFunction(callee.Value, at)
	}
	f := w.b.file.functions[i]
	args := w.args(n, f.name, len(f.params), at)
	if me := w.scope.fn; me != nil {
		me.calls = append(me.calls, f)
		me.state = me.state || f.state
		me.alive = me.alive || f.alive
		if me.hidden == "" {
			me.hidden = f.hidden
		}
	}
	switch {
	case f.hidden != "" && w.scope.reads != readsAll:
		return w.fail(at, "%s() reads hidden values (%s) and cannot be used in %s, which reads %s", f.name, f.hidden, w.scope.what, w.scope.reads)
	case f.state && w.scope.reads == readsConst:
		return w.fail(at, "%s() reads state; %s can use options and seats", f.name, w.scope.what)
	}
	return &term{op: opCall, kind: f.body.kind, fn: f, kids: args}
}

func (w *walker) unknownFunction(name string, at int) *term {
	if slices.ContainsFunc(w.b.procedures, func(p *procedure) bool { return p.name == name }) {
		return w.fail(at, "%s is a procedure; only a call step can call it", name)
	}
	if w.b.follows(name) {
		return w.follows()
	}
	w.b.told[name] = true
	known := []string{"tally", "len"}
	for n := range builtins {
		known = append(known, n)
	}
	for _, f := range w.b.file.functions {
		known = append(known, f.name)
	}
	slices.Sort(known)
	if w.scope.fn != nil && nearest(name, known) == "" {
		return w.fail(at, "unknown function %s; a function can call only those above it, here %s", name, listed(known))
	}
	return w.fail(at, "unknown function %s%s", name, instead(name, known))
}

// callAlive notes that alive will be asked.
func (w *walker) callAlive(name string, at int) {
	if w.scope.reads == readsConst {
		w.fail(at, "%s() reads state; %s can use options and seats", name, w.scope.what)
	}
	if w.scope.fn != nil {
		w.scope.fn.alive, w.scope.fn.state = true, true
	}
}

func (w *walker) args(n *ast.CallNode, name string, count, at int) []*term {
	if len(n.Arguments) != count {
		w.fail(at, "%s takes %s, not %d", name, plural(count, "argument"), len(n.Arguments))
		return nil
	}
	args := make([]*term, count)
	for i, a := range n.Arguments {
		args[i] = w.term(a)
		w.want(args[i], kindInt, a)
	}
	return args
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// zoneCall is tally(zone, value) or len(zone).
func (w *walker) zoneCall(name string, n *ast.CallNode, at int) *term {
	if len(n.Arguments) == 0 {
		return w.fail(at, "%s needs a list", name)
	}
	if name == "tally" {
		return w.tally(n, at)
	}
	i, kids := w.list(n.Arguments[0], false)
	if len(n.Arguments) != 1 {
		return w.fail(at, "len takes 1 argument, not %d", len(n.Arguments))
	}
	return &term{op: opLen, n: i, kids: kids}
}

// tally is tally(list, value), over one list or over those of all seats.
func (w *walker) tally(n *ast.CallNode, at int) *term {
	if len(n.Arguments) != 2 {
		return w.fail(at, "write tally(list, value)")
	}
	var i int
	var kids []*term
	if id, ok := n.Arguments[0].(*ast.IdentifierNode); ok {
		if i, ok = w.b.vars[id.Value]; !ok {
			return w.unknown(id.Value, id.Location().From)
		}
		if w.b.file.vars[i].zone == nil {
			return w.fail(id.Location().From, "%s is not a list; tally counts in a list", id.Value)
		}
		w.reading(w.b.file.vars[i], nil, at, "tally()")
	} else {
		i, kids = w.list(n.Arguments[0], false)
	}
	x := w.term(n.Arguments[1])
	w.want(x, kindInt, n.Arguments[1])
	return &term{op: opTally, n: i, kids: append(kids, x)}
}

// list resolves a variable of each seat if spread, a list that belongs to no seat, or one seat's list.
func (w *walker) list(n ast.Node, spread bool) (variable int, kids []*term) {
	at := n.Location().From
	if m, ok := n.(*ast.MemberNode); ok {
		id, ok := m.Node.(*ast.IdentifierNode)
		if _, text := m.Property.(*ast.StringNode); ok && !text && !m.Optional {
			if i, ok := w.b.vars[id.Value]; ok && w.b.file.vars[i].perSeat && w.b.file.vars[i].zone != nil {
				seat := w.seat(m.Property)
				w.reading(w.b.file.vars[i], seat, id.Location().From, id.Value)
				return i, []*term{seat}
			}
		}
	}
	if id, ok := n.(*ast.IdentifierNode); ok {
		if i, ok := w.b.vars[id.Value]; ok {
			v := w.b.file.vars[i]
			switch {
			case (spread && v.perSeat && v.zone == nil) || (!v.perSeat && v.zone != nil):
				w.reading(v, nil, at, v.name)
				return i, nil
			case v.zone != nil:
				w.fail(at, "%s is one list of each seat; write %s[me] for one of them, or tally(%s, value) over all", v.name, v.name, v.name)
				return 0, nil
			case !v.perSeat:
				w.fail(at, "%s is one value, not a list", v.name)
				return 0, nil
			}
		} else if !w.named(id.Value) {
			w.unknown(id.Value, at)
			return 0, nil
		}
	}
	if id, ok := n.(*ast.IdentifierNode); ok && id.Value == "all_seats" {
		w.fail(at, "all_seats is what a quantifier goes over; seats is how many there are")
	}
	switch n.(type) {
	case *ast.BuiltinNode, *ast.BinaryNode, *ast.ArrayNode, *ast.SliceNode:
		w.term(n) // which may say why not
	}
	if spread {
		w.fail(at, "want a variable of each seat, a list, one seat's list such as hand[me], or all_seats")
	} else {
		w.fail(at, "want a list, or one seat's list such as hand[me]")
	}
	return 0, nil
}

// over resolves what a quantifier goes over.
func (w *walker) over(n ast.Node) (variable int, kids []*term) {
	if id, ok := n.(*ast.IdentifierNode); ok && id.Value == "all_seats" {
		return allSeats, nil
	}
	return w.list(n, true)
}

var quantifiers = map[string]op{"all": opAll, "any": opAny, "none": opNone, "one": opOne, "count": opCount, "sum": opSum}

func (w *walker) quantifier(n *ast.BuiltinNode, at int) *term {
	o, ok := quantifiers[n.Name]
	if !ok {
		return w.fail(at, "%s is not part of the language; the quantifiers are all, any, none, one, count and sum", n.Name)
	}
	if w.nested {
		return w.fail(at, "a quantifier inside a quantifier; make the inner one a function, or a let step before")
	}
	if len(n.Arguments) == 0 {
		return w.fail(at, "%s needs a list", n.Name)
	}
	i, kids := w.over(n.Arguments[0])
	if w.failed {
		return constant(0)
	}
	w.nested, w.item = true, kindSeat
	if i != allSeats {
		w.item = w.b.file.vars[i].kind
	}
	item := &term{op: opItem, kind: w.item}
	var from ast.Node = n
	if len(n.Arguments) > 1 {
		p, ok := n.Arguments[1].(*ast.PredicateNode)
		if !ok {
			return w.fail(at, "%s needs a condition", n.Name)
		}
		item, from = w.term(p.Node), p.Node
	}
	w.nested = false
	t := &term{op: o, kind: kindBool, n: i, kids: append(kids, item)}
	switch o {
	case opSum:
		t.kind = kindInt
		w.want(item, kindInt, from)
	case opCount:
		t.kind = kindInt
		w.want(item, kindBool, from)
	default:
		w.want(item, kindBool, from)
	}
	return t
}
