package rules

import (
	"github.com/expr-lang/expr/ast"
)

var unaries = map[string]op{"-": opNeg, "!": opNot}

var binaries = map[string]op{
	"+": opAdd, "-": opSub, "*": opMul, "%": opRem, "==": opEq, "!=": opNe, "<": opLt, "<=": opLe, ">": opGt, ">=": opGe,
	"&&": opAnd, "||": opOr,
}

// others says what to write for an operator that the language leaves out.
var others = map[string]string{
	"/": "write div(a, b), which rounds down, or ceildiv(a, b)", "and": "write &&", "or": "write ||", "not": "write !",
	"??": "every value is there", "in": "write a == 1 || a == 2, or any(list, # == a)", "..": "write a >= 1 && a <= 3",
	"^": "multiply", "**": "multiply", "matches": "there are no texts", "contains": "there are no texts",
	"startsWith": "there are no texts", "endsWith": "there are no texts", "|": "write ||",
}

func (w *walker) term(n ast.Node) *term {
	if n == nil || w.failed {
		return w.fail(0, "this is not an expression")
	}
	at := n.Location().From
	switch n := n.(type) {
	case *ast.IntegerNode:
		if n.Value > maxConst {
			return w.fail(at, "%d is too great; numbers go up to %d", n.Value, maxConst)
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
		return w.fail(at, "numbers are whole; write div(a, b) or ceildiv(a, b) for a part of something")
	case *ast.StringNode, *ast.BytesNode:
		return w.fail(at, "there are no texts in expressions; leave out the quotes around a name")
	case *ast.VariableDeclaratorNode:
		return w.fail(at, "there is no let in expressions; use a let step or a function")
	}
	if at, message := elsewhere(n, at); message != "" {
		return w.fail(at, "%s", message)
	}
	return w.fail(at, "this is not part of the language: use integers, names, operators, a ? b : c, calls and the quantifiers")
}

// elsewhere says what to write for what other languages have.
func elsewhere(n ast.Node, at int) (offset int, message string) {
	switch n.(type) {
	case *ast.ArrayNode:
		return at, "there are no lists in expressions; compare with each value, as in a == 1 || a == 2"
	case *ast.MapNode:
		return at, "there are no mappings in expressions"
	case *ast.SliceNode:
		return at, "a part of a list cannot be named; use tally, len or a quantifier"
	case *ast.SequenceNode:
		return at, "an expression is one value; name others in a let step before"
	case *ast.ChainNode:
		return at, "write . instead of ?.; every value is there"
	}
	return at, ""
}

func (w *walker) pointer(n *ast.PointerNode, at int) *term {
	if n.Name != "" {
		return w.fail(at, "#%s is not part of the language; # alone is the element that a quantifier looks at", n.Name)
	}
	return &term{op: opItem, kind: w.item}
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
	if s := others[operator]; s != "" {
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
		w.fail(n.Location().From, "want a condition, this is %v; compare it with something", t.kind)
		return
	}
	w.fail(n.Location().From, "want an integer, this is a condition")
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
