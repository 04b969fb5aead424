package rules

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Limits on the text, all checked before anything is parsed: the YAML parser takes time in the square of some of them.
const (
	maxText   = 64 << 10 // bytes of a file
	maxInLog  = 60 << 10 // bytes of a file as it stands in the first event of a log, which has room for little more
	maxLines  = 1500
	maxLine   = 400 // bytes of a line
	maxNested = 24  // brackets in brackets, and spaces of indentation by two
	maxNodes  = 12000
	maxPairs  = 200 // keys of a mapping
	maxMarks  = 100 // lines that end with a tag or an anchor: the parser takes each for a level of nesting
)

// node is a value of the file with its position. It is a scalar, a mapping or a sequence.
type node struct {
	kind  nodeKind
	at    place
	text  string // of a scalar, unquoted
	style style
	pairs []pair  // of a mapping
	items []*node // of a sequence
}

type pair struct {
	key   *node
	value *node
}

type nodeKind int

const (
	scalar nodeKind = iota
	mapping
	sequence
	empty
)

func (k nodeKind) String() string {
	return [...]string{"a single value", "a mapping of keys to values", "a list", "nothing"}[k]
}

// style says how a scalar was written.
type style int

const (
	plain style = iota
	quoted
	escaped // in double quotes
	literal
	folded
)

// readYAML reads the subset of YAML that rule files use: mappings, sequences and scalars, in one document.
func readYAML(name string, text []byte) (*source, *node, Errors) {
	src, fault := checkText(name, text)
	if fault != nil {
		return nil, nil, Errors{fault}
	}
	file, err := parseYAML(text)
	if err != nil {
		return nil, nil, Errors{src.syntaxError(err)}
	}
	c := converter{src: src}
	var root *node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if root != nil {
			line := position(d.Body).line
			for line > 1 && !strings.HasPrefix(src.lines[line-1], "---") {
				line--
			}
			return nil, nil, Errors{src.errorf(place{line, 1}, "a rule file is one document; remove the --- line")}
		}
		root = c.convert(d.Body, 0)
	}
	if len(c.errs) > 0 {
		return nil, nil, c.errs
	}
	if root == nil {
		root = &node{at: place{len(src.lines), 1}}
	}
	if root.kind != mapping {
		return nil, nil, Errors{src.errorf(root.at, "a rule file is a mapping that begins with dudo: 1, then game, title and so on")}
	}
	return src, root, nil
}

// parseYAML calls the parser, which has been seen to panic on broken text.
func parseYAML(text []byte) (f *ast.File, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("this is not YAML")
		}
	}()
	return parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
}

func checkText(name string, text []byte) (*source, *Error) {
	src := &source{name: name}
	if len(text) > maxText {
		return nil, src.errorf(place{}, "the file has %d bytes; a rule file has at most %d", len(text), maxText)
	}
	if n := len(text) + bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte(`"`)) + bytes.Count(text, []byte(`\`)); n > maxInLog {
		return nil, src.errorf(place{}, "in a record the file has %d bytes, as line breaks, double quotes and backslashes count twice; at most %d fit", n, maxInLog)
	}
	src.lines = strings.Split(string(text), "\n")
	for i, line := range src.lines {
		if !utf8.ValidString(line) {
			valid := strings.IndexRune(strings.ToValidUTF8(line, "\ufffd"), utf8.RuneError)
			return nil, src.errorf(place{i + 1, column(line, valid)}, "this is not UTF-8; save the file as UTF-8")
		}
	}
	if len(src.lines) > maxLines {
		return nil, src.errorf(place{maxLines + 1, 1}, "the file has %d lines; a rule file has at most %d", len(src.lines), maxLines)
	}
	if strings.HasPrefix(src.lines[0], "\ufeff") {
		return nil, src.errorf(place{1, 1}, "the file begins with a byte order mark; save it without")
	}
	squares, braces, marks := 0, 0, 0
	for i, line := range src.lines {
		if len(line) > maxLine {
			return nil, src.errorf(place{i + 1, 1}, "the line has %d bytes, at most %d are allowed; split it", len(line), maxLine)
		}
		for k, r := range line {
			at := place{i + 1, utf8.RuneCountInString(line[:k]) + 1}
			switch {
			case r == '\r':
				return nil, src.errorf(at, "a carriage return; save the file with the line endings of Unix (LF)")
			case r == '\t':
				return nil, src.errorf(at, "a tab; indent with spaces")
			case !unicode.IsGraphic(r):
				return nil, src.errorf(at, "a character that cannot be seen (%U); remove it", r)
			case r == '[':
				squares++
			case r == '{':
				braces++
			case r == ']':
				squares = max(0, squares-1)
			case r == '}':
				braces = max(0, braces-1)
			}
			if squares+braces > maxNested {
				return nil, src.errorf(at, "brackets inside more than %d brackets", maxNested)
			}
		}
		code, _, _ := strings.Cut(line, " #")
		if words := strings.Fields(code); len(words) > 0 && strings.ContainsAny(words[len(words)-1][:1], "!&") {
			if marks++; marks > maxMarks {
				return nil, src.errorf(place{i + 1, 1}, "more than %d lines end with a word that begins with ! or &", maxMarks)
			}
		}
		if rest := strings.TrimLeft(line, " -?"); len(line)-len(rest) > 2*maxNested {
			return nil, src.errorf(place{i + 1, 1}, "indented by more than %d spaces", 2*maxNested)
		}
	}
	return src, nil
}

// syntaxError explains what the YAML parser refused.
func (s *source) syntaxError(err error) *Error {
	at, message := place{1, 1}, "this is not YAML"
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		at, message = place{e.GetToken().Position.Line, e.GetToken().Position.Column}, "this is not YAML: "+e.GetMessage()
		at.line = min(max(at.line, 1), len(s.lines))
	}
	if trap := s.syntaxTrap(at.line); trap != nil {
		return trap
	}
	return s.errorf(at, "%s", message)
}

// column is the column of a byte offset in a line.
func column(line string, offset int) int { return utf8.RuneCountInString(line[:max(0, offset)]) + 1 }

// offset is the byte offset of a column in a line, or its length.
func offset(line string, column int) int {
	for i := range line {
		if column--; column == 0 {
			return i
		}
	}
	return len(line)
}

func position(n ast.Node) place {
	t := n.GetToken()
	return place{t.Position.Line, t.Position.Column}
}

// converter turns the parser's tree into ours and refuses what rule files do not use.
type converter struct {
	src   *source
	errs  Errors
	count int
}

func (c *converter) fail(at place, format string, args ...any) *node {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, c.src.errorf(at, format, args...))
	}
	return &node{kind: empty, at: at}
}

func (c *converter) convert(n ast.Node, depth int) *node {
	if n == nil {
		return c.fail(place{}, "this is not YAML")
	}
	at := position(n)
	if c.count++; c.count > maxNodes {
		return c.fail(at, "the file has more than %d values", maxNodes)
	}
	if depth > maxNested {
		return c.fail(at, "nested more than %d deep", maxNested)
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		m := &node{kind: mapping, at: at}
		for i, v := range n.Values {
			c.pair(m, v, depth)
			if i == 0 && len(m.pairs) > 0 && at.col > m.pairs[0].key.at.col {
				m.at = m.pairs[0].key.at
			}
		}
		return m
	case *ast.MappingValueNode:
		m := &node{kind: mapping, at: at}
		c.pair(m, n, depth)
		if len(m.pairs) > 0 {
			m.at = m.pairs[0].key.at
		}
		return m
	case *ast.SequenceNode:
		s := &node{kind: sequence, at: at}
		for _, v := range n.Values {
			s.items = append(s.items, c.convert(v, depth+1))
		}
		return s
	case *ast.NullNode:
		return &node{kind: empty, at: at}
	case *ast.StringNode:
		return c.scalar(at, styleOf(c.src, at), n.Value)
	case *ast.LiteralNode:
		if strings.HasPrefix(n.Start.Value, ">") {
			return c.scalar(at, folded, n.Value.Value)
		}
		return c.scalar(at, literal, n.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return c.scalar(at, plain, n.GetToken().Value)
	case *ast.AnchorNode:
		return c.fail(at, "an anchor (&) is not part of a rule file; write the value again, or quote an expression")
	case *ast.AliasNode:
		return c.fail(at, "an alias (*) is not part of a rule file; write the value again, or quote an expression")
	case *ast.TagNode:
		if strings.HasPrefix(n.Start.Value, "!!") {
			return c.fail(at, "a tag (!!) is not part of a rule file; remove it")
		}
		return c.fail(at, tagMessage)
	}
	return c.fail(at, "this part of YAML is not used in rule files; write a value, a list or a mapping")
}

func (c *converter) scalar(at place, st style, text string) *node {
	if st == plain {
		at = c.src.begin(at, text)
	}
	return &node{kind: scalar, at: at, style: st, text: text}
}

// begin corrects where a plain scalar begins: the parser moves it by the spaces at the end of the line.
func (s *source) begin(at place, text string) place {
	if at.line < 1 || at.line > len(s.lines) {
		return at
	}
	first, _, _ := strings.Cut(text, "\n")
	line := s.lines[at.line-1]
	if i := strings.LastIndex(line[:min(offset(line, at.col)+len(first), len(line))], first); i >= 0 {
		at.col = column(line, i)
	}
	return at
}

func styleOf(s *source, at place) style {
	if at.line < 1 || at.line > len(s.lines) {
		return plain
	}
	line := s.lines[at.line-1]
	switch rest := line[offset(line, at.col):]; {
	case strings.HasPrefix(rest, "'"):
		return quoted
	case strings.HasPrefix(rest, `"`):
		return escaped
	}
	return plain
}

func (c *converter) pair(m *node, v *ast.MappingValueNode, depth int) {
	at := position(v.Key)
	switch v.Key.(type) {
	case *ast.MergeKeyNode:
		c.fail(at, "merge keys (<<) are not part of a rule file; write the keys out")
		return
	case *ast.MappingKeyNode:
		c.fail(at, "a key that begins with ? is not part of a rule file; write key: value")
		return
	}
	key := c.convert(v.Key, depth+1)
	if key.kind != scalar {
		c.fail(at, "a key is a word, or an expression in single quotes")
		return
	}
	if len(m.pairs) >= maxPairs {
		c.fail(at, "a mapping of more than %d keys", maxPairs)
		return
	}
	for _, p := range m.pairs {
		if p.key.text == key.text {
			c.fail(at, "%s is written twice; the first is in line %d", key.text, p.key.at.line)
			return
		}
	}
	m.pairs = append(m.pairs, pair{key, c.convert(v.Value, depth+1)})
}
