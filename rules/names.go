package rules

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

func (w *walker) member(n *ast.MemberNode, at int) *term {
	if inner, ok := n.Node.(*ast.MemberNode); ok && !n.Optional && !n.Method {
		return w.fieldAt(inner, n.Property, at)
	}
	if _, ok := n.Node.(*ast.PointerNode); ok {
		return w.fail(at, "# is a number and has no fields")
	}
	name, ok := n.Node.(*ast.IdentifierNode)
	if !ok || n.Optional || n.Method {
		return w.fail(at, "only a variable of each seat takes an index, and only a record has fields")
	}
	start := name.Location().From
	if property, ok := n.Property.(*ast.StringNode); ok {
		if at < len(w.text) && w.text[at] == '[' {
			return w.fail(at, "write %s.%s", name.Value, property.Value)
		}
		return w.field(name.Value, property.Value, start, at)
	}
	i, ok := w.b.vars[name.Value]
	if r := w.b.records[name.Value]; r != nil {
		return w.fail(start, "%s is a record; write %s", name.Value, r.example())
	}
	if !ok {
		return w.unknown(name.Value, start)
	}
	v := w.b.file.vars[i]
	switch {
	case !v.perSeat:
		return w.fail(at, "%s is one value, not one of each seat; leave out the index", v.name)
	case v.zone != nil:
		return w.fail(start, "%s is a list; use tally, len, or a quantifier over %s[…]", v.name, v.name)
	}
	seat := w.seat(n.Property)
	w.reading(v, seat, start, v.name)
	return &term{op: opVarAt, kind: v.kind, n: i, kids: []*term{seat}}
}

func (w *walker) seat(n ast.Node) *term {
	t := w.term(n)
	w.want(t, kindInt, n)
	return t
}

func (w *walker) field(name, field string, start, at int) *term {
	r, ok := w.b.records[name]
	if !ok && !w.named(name) {
		return w.unknown(name, start)
	}
	if !ok {
		return w.fail(start, "%s is not a record and has no fields", name)
	}
	i := slices.Index(r.names, field)
	if i < 0 && w.b.follows(name+"."+field) {
		return w.follows()
	}
	if i < 0 {
		w.b.told[name+"."+field] = true
		return w.fail(at, "%s has no field %s; it has %s", name, field, strings.Join(r.names, ", "))
	}
	v := w.b.file.vars[r.first+i]
	if v.perSeat {
		return w.fail(start, "%s belongs to each seat; write %s[…].%s", name, name, field)
	}
	w.reading(v, nil, start, v.name)
	return &term{op: opVar, kind: v.kind, n: r.first + i}
}

// fieldAt is record[seat].field.
func (w *walker) fieldAt(n *ast.MemberNode, property ast.Node, at int) *term {
	name, ok := n.Node.(*ast.IdentifierNode)
	field, named := property.(*ast.StringNode)
	if _, text := n.Property.(*ast.StringNode); !ok || !named || text || n.Optional {
		return w.fail(at, "only a record of each seat has an index and then a field, as in record[me].field")
	}
	start := name.Location().From
	r, ok := w.b.records[name.Value]
	if !ok {
		return w.fail(start, "%s is not a record and has no fields", name.Value)
	}
	i := slices.Index(r.names, field.Value)
	if i < 0 {
		return w.fail(at, "%s has no field %s; it has %s", name.Value, field.Value, strings.Join(r.names, ", "))
	}
	v := w.b.file.vars[r.first+i]
	if !v.perSeat {
		return w.fail(start, "%s is one record, not one of each seat; write %s.%s", name.Value, name.Value, field.Value)
	}
	seat := w.seat(n.Property)
	w.reading(v, seat, start, v.name)
	return &term{op: opVarAt, kind: v.kind, n: r.first + i, kids: []*term{seat}}
}

// reading refuses to read what the expression's reader may not see.
func (w *walker) reading(v *variable, seat *term, at int, subject string) {
	if w.scope.reads == readsConst {
		w.fail(at, "%s is state; %s can use options and seats", v.name, w.scope.what)
		return
	}
	if w.scope.fn != nil {
		w.scope.fn.state = true
	}
	if v.open() {
		return
	}
	if w.scope.fn != nil && w.scope.fn.hidden == "" {
		w.scope.fn.hidden = v.name
	}
	switch {
	case w.scope.reads == readsAll:
	case w.scope.reads == readsOwn && v.owned() && seat != nil && seat.op == opMe:
		w.private = true
	default:
		w.fail(at, "%s reads hidden values and cannot be used in %s, which reads %s", subject, w.scope.what, w.scope.reads)
	}
}

func (w *walker) name(name string, at int) *term {
	s := &w.scope
	for i := len(s.locals) - 1; i >= 0; i-- {
		if l := s.locals[i]; l.name == name {
			if l.kind == kindUnknown {
				return w.follows()
			}
			return &term{op: opLocal, kind: l.kind, n: l.slot}
		}
	}
	if i := slices.Index(s.params, name); i >= 0 {
		return &term{op: opArg, n: i}
	}
	if s.fn != nil {
		if i := slices.Index(s.fn.params, name); i >= 0 {
			return &term{op: opParam, n: i, fn: s.fn}
		}
	}
	switch name {
	case "me":
		if !s.me {
			return w.fail(at, "there is no acting seat (me) in %s", s.what)
		}
		w.b.usesMe = true
		return &term{op: opMe, kind: kindSeat}
	case "seats":
		return &term{op: opSeats}
	case "all_seats":
		return w.fail(at, "all_seats is what a quantifier goes over, as in any(all_seats, # != me); seats is how many there are")
	case "none":
		return &term{op: opConst, kind: kindSeat, n: -1}
	}
	if i := slices.IndexFunc(w.b.file.Options, func(o Option) bool { return o.Name == name }); i >= 0 {
		t := &term{op: opOption, n: i}
		if w.b.file.Options[i].Bool {
			t.kind = kindBool
		}
		return t
	}
	i, ok := w.b.vars[name]
	if !ok {
		return w.unknown(name, at)
	}
	v := w.b.file.vars[i]
	switch {
	case v.zone != nil:
		return w.fail(at, "%s is a list; write tally(%s, value), len or a quantifier such as any", name, name)
	case v.perSeat:
		return w.fail(at, "%s belongs to each seat; write whose, such as %s[me] or %s[seat]", name, name, name)
	}
	w.reading(v, nil, at, name)
	return &term{op: opVar, kind: v.kind, n: i}
}

// named reports whether a name means something here.
func (w *walker) named(name string) bool {
	s := &w.scope
	return w.b.taken[name] != "" && !w.b.follows(name) || slices.Contains(reserved, name) || slices.Contains(s.params, name) ||
		slices.ContainsFunc(s.locals, func(l local) bool { return l.name == name }) || s.fn != nil && slices.Contains(s.fn.params, name)
}

func (w *walker) unknown(name string, at int) *term {
	if r, ok := w.b.records[name]; ok {
		return w.fail(at, "%s is a record; write %s", name, r.example())
	}
	if slices.ContainsFunc(w.b.file.functions, func(f *function) bool { return f.name == name }) {
		return w.fail(at, "%s is a function; call it with brackets, %s(…)", name, name)
	}
	if slices.ContainsFunc(w.b.procedures, func(p *procedure) bool { return p.name == name }) {
		return w.fail(at, "%s is a procedure; only a call step can call it", name)
	}
	if w.b.follows(name) || w.scope.lacks {
		return w.follows()
	}
	if name == "seat" {
		return w.fail(at, "%s is not about one seat, so seat has no meaning here", w.scope.subject())
	}
	w.b.told[name] = true
	known := w.known()
	if like := nearest(name, known); like != "" {
		return w.fail(at, "unknown name %s; did you mean %s?", name, like)
	}
	return w.fail(at, "unknown name %s; %s can use %s", name, w.scope.subject(), listed(known))
}

// known lists the names that an expression can use without brackets, the nearest first.
func (w *walker) known() []string {
	s := &w.scope
	var names []string
	for _, l := range s.locals {
		names = append(names, l.name)
	}
	slices.Reverse(names)
	if names = append(names, s.params...); s.fn != nil {
		names = append(names, s.fn.params...)
	}
	if s.me {
		names = append(names, "me")
	}
	names = append(names, "seats")
	for _, o := range w.b.file.Options {
		names = append(names, o.Name)
	}
	if s.reads == readsConst {
		return names
	}
	for _, v := range w.b.file.vars {
		names = append(names, v.name)
	}
	return names
}
