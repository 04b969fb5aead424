package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
)

// Limits on an expression, checked before it is parsed: deep brackets overflow the parser's stack.
const (
	maxExpr     = 600 // bytes
	maxBrackets = 40
	maxConst    = 1<<31 - 1
)

// reads says what an expression may read. It is checked when names are resolved, so that what may not be read does not
// compile.
type reads int

const (
	readsAll    reads = iota
	readsOwn          // what everybody sees, and what me alone sees of its own
	readsPublic       // what everybody sees
	readsConst        // options and the number of seats
)

// scope is what an expression can name.
type scope struct {
	what   string // for messages: "a guard"
	reads  reads
	me     bool // me can be named
	params []string
	fn     *function
	locals []local
	slot   int // first free slot
}

// local is a name for a slot.
type local struct {
	name string
	kind kind
	slot int
}

// with adds a local in the next free slot.
func (s scope) with(name string, k kind) scope {
	s.locals = append(slices.Clip(s.locals), local{name, k, s.slot})
	s.slot++
	return s
}

// parserConfig makes the parser take every builtin function but the quantifiers for a call of a declared one.
func parserConfig() *conf.Config {
	c := conf.CreateNew()
	for _, f := range builtin.Builtins {
		c.Disabled[f.Name] = true
	}
	return c
}

// walker turns a parsed expression into a term.
type walker struct {
	b        *builder
	scope    scope
	from     *node
	offset   int // of the expression in its node's text
	nested   bool
	over     kind // kind of the element of the quantifier around
	overSeat bool
	private  bool
	failed   bool
}

// expression parses and checks the expression that a node holds.
func (b *builder) expression(n *node, s scope) *expression {
	if n.kind != scalar {
		b.fail(n.at, "want an expression, this is %v; put an expression that holds brackets or ': ' in single quotes", n.kind)
		return nil
	}
	if n.style == folded {
		b.fail(n.at, "write a long expression as a block after |, not after >")
		return nil
	}
	return b.parse(n, 0, n.text, s)
}

// parse parses the text at an offset of a node.
func (b *builder) parse(n *node, offset int, text string, s scope) *expression {
	w := walker{b: b, scope: s, from: n, offset: offset}
	if !w.prepare(text) {
		return nil
	}
	tree, err := parseExpr(text)
	if err != nil {
		if strings.HasPrefix(err.Message, `unexpected token Operator("#")`) {
			err.Message = "# is the element that all, any, none, one, count or sum looks at; it has no meaning outside"
		}
		w.fail(err.From, "%s", err.Message)
		return nil
	}
	t := w.term(tree.Node)
	if w.failed {
		return nil
	}
	return &expression{term: t, text: text, from: n, private: w.private, scope: s}
}

// parseExpr calls the parser and keeps a panic of it from ending the process.
func parseExpr(text string) (tree *parser.Tree, fault *file.Error) {
	defer func() {
		if r := recover(); r != nil {
			fault = &file.Error{Message: "this is not an expression"}
		}
	}()
	tree, err := parser.ParseWithConfig(text, parserConfig())
	if err != nil {
		if e, ok := err.(*file.Error); ok { //nolint:errorlint // the parser returns this type bare
			return nil, e
		}
		return nil, &file.Error{Message: err.Error()}
	}
	return tree, nil
}

func (w *walker) prepare(text string) bool {
	if strings.TrimSpace(text) == "" {
		w.fail(0, "an expression is missing")
		return false
	}
	if len(text) > maxExpr {
		w.fail(0, "the expression has %d bytes, at most %d; split it with a function", len(text), maxExpr)
		return false
	}
	if w.from.style == escaped && strings.ContainsAny(text, "\\\n") {
		w.fail(0, "write expressions in single quotes")
		return false
	}
	depth := 0
	for i, c := range text {
		switch {
		case c > '~':
			w.fail(i, "%q in an expression; names and operators are ASCII", c)
			return false
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			depth--
		}
		if depth > maxBrackets {
			w.fail(i, "brackets inside more than %d brackets", maxBrackets)
			return false
		}
	}
	at := w.from.at
	if depth > 0 && w.from.style == plain && at.line >= 1 && at.line <= len(w.b.src.lines) {
		line := w.b.src.lines[at.line-1]
		if i := cutAt(line); i >= 0 {
			w.b.fail(place{at.line, column(line, i)}, cutMessage)
			w.failed = true
			return false
		}
	}
	if at.line >= 1 && (w.from.style == plain || w.from.style == quoted) && !w.b.src.holds(w.from) {
		w.fail(0, "an expression over several lines is written as a block after |")
		return false
	}
	return true
}

func (w *walker) fail(offset int, format string, args ...any) *term {
	if !w.failed {
		w.failed = true
		w.b.fail(w.b.src.find(w.from, w.offset+offset), format, args...)
	}
	return constant(0)
}

// holds reports whether a scalar stands on one line as it is.
func (s *source) holds(n *node) bool {
	line := []rune(s.lines[n.at.line-1])
	from := min(n.at.col-1, len(line))
	text := n.text
	if n.style == quoted {
		from = min(from+1, len(line))
		text = strings.ReplaceAll(text, "'", "''")
	}
	return strings.HasPrefix(string(line[from:]), text)
}

// find gives the place of a byte offset in a scalar's text.
func (s *source) find(n *node, offset int) place {
	offset = min(max(offset, 0), len(n.text))
	before := n.text[:offset]
	switch n.style {
	case plain:
		return place{n.at.line, n.at.col + len([]rune(before))}
	case quoted:
		return place{n.at.line, n.at.col + 1 + len([]rune(before)) + strings.Count(before, "'")}
	case escaped:
		return place{n.at.line, n.at.col + 1 + len([]rune(before))}
	case literal:
		row := strings.Count(before, "\n")
		begin := strings.LastIndex(before, "\n") + 1
		end := len(n.text)
		if i := strings.IndexByte(n.text[begin:], '\n'); i >= 0 {
			end = begin + i
		}
		if line := n.at.line + 1 + row; line <= len(s.lines) && strings.HasSuffix(s.lines[line-1], n.text[begin:end]) {
			indent := len([]rune(s.lines[line-1])) - len([]rune(n.text[begin:end]))
			return place{line, indent + len([]rune(before[begin:])) + 1}
		}
	case folded:
	}
	return n.at
}

var unaries = map[string]op{"-": opNeg, "!": opNot}

var binaries = map[string]op{
	"+": opAdd, "-": opSub, "*": opMul, "%": opRem, "==": opEq, "!=": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe,
	"&&": opAnd, "||": opOr,
}

// instead says what to write for an operator or node that the language leaves out.
var instead = map[string]string{
	"/": "use div(a, b), which rounds down, or ceildiv(a, b)", "and": "write &&", "or": "write ||", "not": "write !",
	"??": "every value is present", "in": "use any(…)", "..": "ranges are not part of the language", "^": "multiply",
	"**": "multiply", "matches": "there are no strings",
}

func (w *walker) term(n ast.Node) *term {
	if n == nil || w.failed {
		return w.fail(0, "this is not an expression")
	}
	at := n.Location().From
	switch n := n.(type) {
	case *ast.IntegerNode:
		if n.Value > maxConst {
			return w.fail(at, "%d is above %d", n.Value, maxConst)
		}
		return constant(n.Value)
	case *ast.BoolNode:
		t := &term{op: opConst, kind: kindBool}
		if n.Value {
			t.n = 1
		}
		return t
	case *ast.IdentifierNode:
		return w.name(n.Value, at)
	case *ast.PointerNode:
		return w.pointer(n, at)
	case *ast.UnaryNode:
		return w.unary(n, at)
	case *ast.BinaryNode:
		return w.binary(n, at)
	case *ast.ConditionalNode:
		return w.conditional(n, at)
	case *ast.MemberNode:
		return w.member(n, at)
	case *ast.BuiltinNode:
		return w.quantifier(n, at)
	case *ast.CallNode:
		return w.call(n, at)
	case *ast.FloatNode:
		return w.fail(at, "numbers are integers")
	case *ast.StringNode, *ast.BytesNode:
		return w.fail(at, "there are no strings in expressions")
	case *ast.VariableDeclaratorNode:
		return w.fail(at, "there is no let in expressions; use a let step or a function")
	}
	return w.fail(at, "this is not part of the language: use integers, names, operators, a ? b : c, calls and the quantifiers")
}

func (w *walker) pointer(n *ast.PointerNode, at int) *term {
	switch {
	case n.Name == "":
		return &term{op: opItem, kind: w.over}
	case n.Name == "index" && w.overSeat:
		return &term{op: opIndex, kind: kindSeat}
	case n.Name == "index":
		return &term{op: opIndex}
	}
	return w.fail(at, "only # and #index name what a quantifier looks at")
}

func (w *walker) unary(n *ast.UnaryNode, at int) *term {
	o, ok := unaries[n.Operator]
	if !ok {
		return w.fail(at, "the operator %s is not part of the language%s", n.Operator, hint(n.Operator))
	}
	t := w.term(n.Node)
	if o == opNot {
		w.want(t, kindBool, n.Node)
		return &term{op: o, kind: kindBool, kids: []*term{t}}
	}
	w.want(t, kindInt, n.Node)
	return &term{op: o, kids: []*term{t}}
}

func hint(operator string) string {
	if s := instead[operator]; s != "" {
		return "; " + s
	}
	return ""
}

func (w *walker) binary(n *ast.BinaryNode, at int) *term {
	o, ok := binaries[n.Operator]
	if !ok {
		return w.fail(at, "the operator %s is not part of the language%s", n.Operator, hint(n.Operator))
	}
	a, b := w.term(n.Left), w.term(n.Right)
	t := &term{op: o, kids: []*term{a, b}}
	switch o {
	case opAnd, opOr:
		t.kind = kindBool
		w.want(a, kindBool, n.Left)
		w.want(b, kindBool, n.Right)
	case opEq, opNe:
		t.kind = kindBool
		if (a.kind == kindBool) != (b.kind == kindBool) {
			return w.fail(at, "%s compares %v with %v", n.Operator, a.kind, b.kind)
		}
	case opLt, opLe, opGt, opGe:
		t.kind = kindBool
		w.want(a, kindInt, n.Left)
		w.want(b, kindInt, n.Right)
	default:
		w.want(a, kindInt, n.Left)
		w.want(b, kindInt, n.Right)
	}
	return t
}

// want refuses a term of another kind; a seat is an integer as well.
func (w *walker) want(t *term, k kind, n ast.Node) {
	if (t.kind == kindBool) == (k == kindBool) || w.failed {
		return
	}
	if k == kindBool {
		w.fail(n.Location().From, "want a condition, this is %v", t.kind)
		return
	}
	w.fail(n.Location().From, "want an integer, this is true or false")
}

func (w *walker) conditional(n *ast.ConditionalNode, at int) *term {
	if !n.Ternary {
		return w.fail(at, "write a ? b : c instead of if and else")
	}
	c, a, b := w.term(n.Cond), w.term(n.Exp1), w.term(n.Exp2)
	w.want(c, kindBool, n.Cond)
	k := a.kind
	switch {
	case (a.kind == kindBool) != (b.kind == kindBool):
		return w.fail(n.Exp2.Location().From, "one side of the ? : is %v, the other %v", a.kind, b.kind)
	case a.kind != b.kind:
		k = kindInt
	}
	return &term{op: opCond, kind: k, kids: []*term{c, a, b}}
}

func (w *walker) member(n *ast.MemberNode, at int) *term {
	name, ok := n.Node.(*ast.IdentifierNode)
	if !ok || n.Optional || n.Method {
		return w.fail(at, "only a variable of each seat takes an index, and only a record has fields")
	}
	start := name.Location().From
	if property, ok := n.Property.(*ast.StringNode); ok {
		return w.field(name.Value, property.Value, start, at)
	}
	i, ok := w.b.vars[name.Value]
	if !ok {
		return w.unknown(name.Value, start)
	}
	v := w.b.file.vars[i]
	switch {
	case !v.perSeat:
		return w.fail(at, "%s is not a variable of each seat, so it takes no index", v.name)
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
	if !ok {
		return w.fail(start, "%s is not a record and has no fields", name)
	}
	i := slices.Index(r.names, field)
	if i < 0 {
		return w.fail(at, "%s has no field %s; it has %s", name, field, strings.Join(r.names, ", "))
	}
	v := w.b.file.vars[r.first+i]
	w.reading(v, nil, start, v.name)
	return &term{op: opVar, kind: v.kind, n: r.first + i}
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
		w.fail(at, "%s reads hidden values and cannot be used in %s", subject, w.scope.what)
	}
}

func (w *walker) name(name string, at int) *term {
	s := &w.scope
	for i := len(s.locals) - 1; i >= 0; i-- {
		if l := s.locals[i]; l.name == name {
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
		return w.fail(at, "%s is a list; use tally, len or a quantifier", name)
	case v.perSeat:
		return w.fail(at, "%s belongs to each seat; write %s[…]", name, name)
	}
	w.reading(v, nil, at, name)
	return &term{op: opVar, kind: v.kind, n: i}
}

func (w *walker) unknown(name string, at int) *term {
	if r, ok := w.b.records[name]; ok {
		return w.fail(at, "%s is a record; write %s.%s", name, name, r.names[0])
	}
	if slices.ContainsFunc(w.b.file.functions, func(f *function) bool { return f.name == name }) {
		return w.fail(at, "%s is a function; call it with brackets", name)
	}
	known := slices.Concat(w.scope.params, w.b.names())
	for _, l := range w.scope.locals {
		known = append(known, l.name)
	}
	if w.scope.fn != nil {
		known = append(known, w.scope.fn.params...)
	}
	if like := nearest(name, known); like != "" {
		return w.fail(at, "unknown name %s; did you mean %s?", name, like)
	}
	return w.fail(at, "unknown name %s in %s", name, w.scope.what)
}

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
		return w.fail(at, "only a function can be called")
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
		like := w.b.likeFunction(callee.Value)
		if like == "" && w.scope.fn != nil {
			like = "; a function can call only earlier ones"
		}
		return w.fail(at, "unknown function %s%s", callee.Value, like)
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
		return w.fail(at, "%s() reads hidden values (%s) and cannot be used in %s", f.name, f.hidden, w.scope.what)
	case f.state && w.scope.reads == readsConst:
		return w.fail(at, "%s() reads state; %s can use options and seats", f.name, w.scope.what)
	case f.body == nil:
		return w.fail(at, "%s() has an error", f.name)
	}
	return &term{op: opCall, kind: f.body.kind, fn: f, kids: args}
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
		id, ok := n.Arguments[0].(*ast.IdentifierNode)
		if !ok || len(n.Arguments) != 2 {
			return w.fail(at, "write tally(list, value), the list without an index")
		}
		i, ok := w.b.vars[id.Value]
		if !ok || w.b.file.vars[i].zone == nil {
			return w.fail(id.Location().From, "%s is not a list", id.Value)
		}
		w.reading(w.b.file.vars[i], nil, at, "tally()")
		x := w.term(n.Arguments[1])
		w.want(x, kindInt, n.Arguments[1])
		return &term{op: opTally, n: i, kids: []*term{x}}
	}
	i, kids := w.list(n.Arguments[0], false)
	if len(n.Arguments) != 1 {
		return w.fail(at, "len takes 1 argument, not %d", len(n.Arguments))
	}
	return &term{op: opLen, n: i, kids: kids}
}

// list resolves what a quantifier goes over: a variable of each seat, a list that belongs to no seat, or one seat's list.
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
			if v := w.b.file.vars[i]; (spread && v.perSeat && v.zone == nil) || (!v.perSeat && v.zone != nil) {
				w.reading(v, nil, at, v.name)
				return i, nil
			}
		}
	}
	w.fail(at, "want a variable of each seat, a list, or one seat's list such as hand[me]")
	return 0, nil
}

var quantifiers = map[string]op{"all": opAll, "any": opAny, "none": opNone, "one": opOne, "count": opCount, "sum": opSum}

func (w *walker) quantifier(n *ast.BuiltinNode, at int) *term {
	o, ok := quantifiers[n.Name]
	if !ok {
		return w.fail(at, "%s is not part of the language; the quantifiers are all, any, none, one, count and sum", n.Name)
	}
	if w.nested {
		return w.fail(at, "a quantifier inside a quantifier; only one level is allowed")
	}
	if len(n.Arguments) == 0 {
		return w.fail(at, "%s needs a list", n.Name)
	}
	i, kids := w.list(n.Arguments[0], true)
	if w.failed {
		return constant(0)
	}
	v := w.b.file.vars[i]
	w.nested, w.over, w.overSeat = true, v.kind, v.perSeat && v.zone == nil
	item := &term{op: opItem, kind: v.kind}
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
