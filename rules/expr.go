package rules

import (
	"slices"
	"strings"

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

func (r reads) String() string {
	return [...]string{"everything", "what everybody sees, and of hidden values those of me", "what everybody sees", "options and seats"}[r]
}

// scope is what an expression can name.
type scope struct {
	what   string // for messages: "a guard"
	reads  reads
	me     bool // me can be named
	params []string
	fn     *function
	locals []local
	slot   int  // first free slot
	lacks  bool // a name because its declaration has an error
}

// local is a name for a slot.
type local struct {
	name string
	kind kind
	slot int
}

// subject is what the expression is, without advice.
func (s scope) subject() string {
	what, _, _ := strings.Cut(s.what, ";")
	return what
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
	b       *builder
	scope   scope
	from    *node
	offset  int // of the expression in its node's text
	text    string
	nested  bool
	item    kind // kind of the element of the quantifier around
	private bool
	failed  bool
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
	w := walker{b: b, scope: s, from: n, offset: offset, text: text}
	if !w.prepare(text) {
		return nil
	}
	tree, err := b.parseExpr(text)
	if err != nil {
		w.fail(err.From, "%s", explain(err, text))
		return nil
	}
	t := w.term(tree.Node)
	if w.failed {
		return nil
	}
	return &expression{term: t, text: text, from: n, private: w.private, scope: s}
}

// parseExpr calls the parser and keeps a panic of it from ending the process.
func (b *builder) parseExpr(text string) (tree *parser.Tree, fault *file.Error) {
	defer func() {
		if r := recover(); r != nil {
			fault = &file.Error{Message: "this is not an expression"}
		}
	}()
	if b.config == nil {
		b.config = parserConfig()
	}
	tree, err := parser.ParseWithConfig(text, b.config)
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
	if at, message := w.b.src.cut(w.from); message != "" && text == w.from.text {
		w.b.fail(at, "%s", message)
		w.failed = true
		return false
	}
	if offset, message := unreadable(text); message != "" {
		w.fail(offset, "%s", message)
		return false
	}
	return true
}

// follows gives up on an expression that is wrong only because of an error that is told elsewhere.
func (w *walker) follows() *term {
	w.failed = true
	w.b.follow()
	return constant(0)
}

func (w *walker) fail(offset int, format string, args ...any) *term {
	if !w.failed {
		w.failed = true
		w.b.fail(w.b.src.find(w.from, w.offset+offset), format, args...)
	}
	return constant(0)
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
		if line := n.at.line + 1 + row; line <= len(s.lines) {
			if indent := strings.Index(s.lines[line-1], n.text[begin:end]); indent >= 0 {
				return place{line, indent + len([]rune(before[begin:])) + 1}
			}
		}
	case folded:
	}
	return n.at
}
