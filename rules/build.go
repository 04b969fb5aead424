package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/conf"

	"dudo.example/rules/shape"
)

// builder reads the tree of a file into a [File], part by part. It keeps the first error of each part and goes on, so its
// methods return what they can.
type builder struct {
	src        *source
	file       *File
	err        *Error         // of the part being read
	errs       Errors         // of the parts before
	vars       map[string]int // by name; a field of a record by "record.field"
	records    map[string]*record
	taken      map[string]string // names declared so far and what they are
	told       map[string]bool   // names that are not declared, and were told of
	procedures []*procedure
	facts      map[string]bool // names of facts so far
	reading    string          // the procedure being read
	config     *conf.Config    // of the expression parser
	usesMe     bool            // an expression since this was last cleared names me
	root       int             // first slot above functions, alive and quantifiers
	base       int             // first slot above procedures
	top        int             // first slot above everything so far
}

// record is a variable with fields, each a variable of its own, one after the other.
type record struct {
	name    string
	first   int
	names   []string
	perSeat bool
}

// example shows how a field is read.
func (r *record) example() string {
	if r.perSeat {
		return r.name + "[me]." + r.names[0]
	}
	return r.name + "." + r.names[0]
}

func (b *builder) fail(at place, format string, args ...any) {
	if b.err == nil {
		b.err = b.src.errorf(at, format, args...)
	}
}

// part ends a part of the file. What follows is read as if the part had no error.
func (b *builder) part() {
	if b.err != nil && b.err.Msg != "" {
		b.errs = append(b.errs, b.err)
	}
	b.err = nil
}

// failed reports whether the file has an error so far.
func (b *builder) failed() bool { return b.err != nil || len(b.errs) > 0 }

// maxTold is how many errors are collected before unknown names are passed over: looking for one that is alike takes time.
const maxTold = 100

// follows reports whether nothing more need be said of an unknown name: its declaration has an error, or it was told before.
func (b *builder) follows(name string) bool {
	if !b.failed() || (b.taken[name] == "" && !b.told[name] && len(b.errs) < maxTold) {
		return false
	}
	b.follow()
	return true
}

// follow gives up on a part without an error of its own.
func (b *builder) follow() {
	if b.err == nil {
		b.err = &Error{}
	}
}

// fields are the values of a mapping by key, and the node they come from.
type fields struct {
	*node
	by      map[string]*node
	unknown bool // a key is not known or has no value, perhaps one that is needed
}

// fields checks that a node is a mapping of the accepted keys.
func (b *builder) fields(n *node, what string, accepted ...string) fields {
	f := fields{node: n, by: map[string]*node{}}
	if n.kind != mapping {
		b.fail(n.at, "%s is a mapping with the keys %s; this is %v", what, strings.Join(accepted, ", "), n.kind)
		f.unknown = true
		return f
	}
	for _, p := range n.pairs {
		if !slices.Contains(accepted, p.key.text) {
			if like := nearest(p.key.text, accepted); like != "" {
				b.fail(p.key.at, "unknown key %s in %s; did you mean %s?", p.key.text, what, like)
			} else {
				b.fail(p.key.at, "unknown key %s in %s; it takes %s", p.key.text, what, strings.Join(accepted, ", "))
			}
			f.unknown = true
		}
		if p.value.kind == empty {
			b.fail(p.key.at, "%s has no value", p.key.text)
			f.unknown = true
			continue
		}
		f.by[p.key.text] = p.value
	}
	return f
}

// shape checks that a node is a mapping with the keys of a shape.
func (b *builder) shape(n *node, name string) fields {
	return b.fields(n, name, shape.Of(name).Names()...)
}

// need gives the value of a key that must be there.
func (b *builder) need(f fields, key, what string) *node {
	if n := f.by[key]; n != nil {
		return n
	}
	if b.failed() && f.unknown {
		b.follow()
	}
	b.fail(f.at, "%s needs the key %s", what, key)
	return &node{kind: empty, at: f.at}
}

func (b *builder) mapping(n *node, what string) []pair {
	if n == nil {
		return nil
	}
	if n.kind != mapping {
		b.fail(n.at, "%s is a mapping; this is %v", what, n.kind)
		return nil
	}
	return n.pairs
}

func (b *builder) sequence(n *node, what string) []*node {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		hint := ""
		if n.kind == mapping && strings.HasPrefix(n.pairs[0].key.text, "-") {
			hint = "; put a space after the dash"
		} else if n.kind == mapping {
			hint = "; begin each item with a dash and a space"
		}
		b.fail(n.at, "%s is a list; this is %v%s", what, n.kind, hint)
		return nil
	}
	return n.items
}

var wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,9})$`)

func (b *builder) int(n *node, what string, low, high int) int {
	if n.kind == scalar && n.style == plain && wholeNumber.MatchString(n.text) {
		if x, err := strconv.Atoi(n.text); err == nil && x >= low && x <= high {
			return x
		}
	}
	if low == high {
		b.fail(n.at, "%s is %d%s", what, low, n.unlike())
	} else {
		b.fail(n.at, "%s is a number from %d to %d%s", what, low, high, n.unlike())
	}
	return low
}

var (
	leadingZero = regexp.MustCompile(`^-?0[0-9_]+$`)
	number      = regexp.MustCompile(`^[-+]?[0-9.][0-9a-fA-FxXoOeE._]*$`)
)

// unlike says why a value is no whole number, if that is not plain to see.
func (n *node) unlike() string {
	switch {
	case n.kind != scalar:
		return fmt.Sprintf("; this is %v", n.kind)
	case n.style != plain && number.MatchString(n.text):
		return "; write it without quotes"
	case wholeNumber.MatchString(n.text):
		return ", not " + n.text
	case leadingZero.MatchString(n.text):
		return "; write it without the leading zero"
	case number.MatchString(n.text):
		return "; write a whole number in plain digits, such as 1000"
	case slices.Contains([]string{"yes", "no", "on", "off", "true", "false"}, strings.ToLower(n.text)):
		return fmt.Sprintf("; YAML reads %s as true or false", n.text)
	}
	return "; an expression or a word cannot stand here"
}

func (b *builder) bool(n *node, what string) bool {
	if n.kind == scalar && n.style == plain {
		switch n.text {
		case "yes", "true":
			return true
		case "no", "false":
			return false
		}
	}
	hint := ""
	if n.kind == scalar && n.style != plain {
		hint = "; write it without quotes"
	} else if slices.Contains([]string{"yes", "no", "true", "false"}, strings.ToLower(n.text)) {
		hint = ", in small letters"
	}
	b.fail(n.at, "%s is yes or no%s", what, hint)
	return false
}

// text reads words for people: one line for a title, up to 4,000 bytes otherwise.
func (b *builder) text(n *node, what string, most int) string {
	if n.kind != scalar {
		b.fail(n.at, "%s is text; this is %v", what, n.kind)
		return ""
	}
	s := strings.TrimSpace(n.text)
	if s == "" {
		b.fail(n.at, "%s is empty; write some words", what)
	} else if len(s) > most {
		b.fail(n.at, "%s has %d bytes; write at most %d", what, len(s), most)
	}
	return s
}

// doc reads an optional text.
func (b *builder) doc(f fields) string {
	n := f.by["doc"]
	if n == nil {
		return ""
	}
	return b.text(n, "doc", 1000)
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// reserved are the words that the language itself uses in expressions.
var reserved = strings.Fields("me seat seats all_seats viewer owner none true false nil all any one count sum min max abs div ceildiv mod " +
	"next prev live tally len not and or in let if else matches contains filter map")

func (b *builder) word(n *node, what string) string {
	if n.kind != scalar || !identifier.MatchString(n.text) {
		b.fail(n.at, "%s is a name: small letters, digits and _, beginning with a letter, at most 40", what)
		b.taken[n.text] = what
		return ""
	}
	return n.text
}

// declare takes a name for something that expressions can name.
func (b *builder) declare(n *node, name, what string) {
	if slices.Contains(reserved, name) {
		b.fail(n.at, "%s is a word of the language; choose another name for the %s", name, what)
		return
	}
	if other := b.taken[name]; other != "" {
		b.fail(n.at, "the name %s is taken by %s", name, other)
		return
	}
	b.taken[name] = "a " + what
	if strings.ContainsAny(what[:1], "aeio") {
		b.taken[name] = "an " + what
	}
}

// local checks the name of a parameter or of a let.
func (b *builder) local(n *node, name, what string, s scope) {
	if !identifier.MatchString(name) {
		b.word(&node{kind: empty, at: n.at}, what)
		return
	}
	if slices.Contains(reserved, name) {
		b.fail(n.at, "%s is a word of the language; choose another name for the %s", name, what)
	}
	if other := b.taken[name]; other != "" {
		b.fail(n.at, "the name %s is taken by %s", name, other)
	}
	if slices.Contains(s.params, name) || slices.ContainsFunc(s.locals, func(l local) bool { return l.name == name }) {
		b.fail(n.at, "the name %s is used here already", name)
	}
}

func (b *builder) intExpr(n *node, s scope) *expression {
	e := b.expression(n, s)
	if e != nil && e.kind == kindBool {
		b.fail(n.at, "want an integer, this is a condition")
		return nil
	}
	b.reach(s)
	return e
}

func (b *builder) boolExpr(n *node, s scope) *expression {
	e := b.expression(n, s)
	if e != nil && e.kind != kindBool {
		b.fail(n.at, "want a condition, this is %v; compare it with something", e.kind)
		return nil
	}
	b.reach(s)
	return e
}

func (b *builder) anyExpr(n *node, s scope) *expression {
	b.reach(s)
	return b.expression(n, s)
}

// reach keeps count of the slots used.
func (b *builder) reach(s scope) { b.top = max(b.top, s.slot) }

// constExpr reads a value that only options and the number of seats decide.
func (b *builder) constExpr(n *node, what string) *expression {
	return b.intExpr(n, scope{what: what, reads: readsConst})
}

// bounds reads [low, high].
func (b *builder) bounds(n *node, what string, s scope) (low, high *expression) {
	if n.kind != sequence || len(n.items) != 2 {
		b.fail(n.at, "%s are written [least, greatest], such as [1, 6]", what)
		return nil, nil
	}
	return b.intExpr(n.items[0], s), b.intExpr(n.items[1], s)
}
