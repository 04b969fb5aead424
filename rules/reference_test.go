package rules_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"
	"github.com/goccy/go-yaml"
)

// reference plays the game of a rule file a second way. It reads the text for itself, keeps the state in plain Go values by name,
// evaluates every expression by expr's own machine, and walks the step lists as they stand in the file. Of the product it uses
// nothing. It believes that the file is valid, and it is slow.
type reference struct {
	file  yaml.MapSlice
	seats int
	vars  []*holder
	env   map[string]any // what expressions can name: options, state, functions, and for a while parameters and lets
	evals int            // expressions evaluated so far

	phase   string
	ending  string // "finished", "limit" or none
	moves   int
	draw    drawing
	shown   map[string]bool // what is revealed, such as "hand 1"
	effects []string        // what the last action made public
}

// holder is a declared variable. Its values stand in the environment.
type holder struct {
	name    string
	perSeat bool
	fields  []field // one without a name, if it is no record
	see     string
}

// field is what holds a value, or the list that does.
type field struct {
	name      string
	bool      bool
	list      int // how many elements it takes, 0 for one value
	low, high int
	first     any
}

func newReference(text []byte, seats int, options map[string]int) (*reference, error) {
	r := &reference{seats: seats, env: map[string]any{}, shown: map[string]bool{}}
	if err := yaml.UnmarshalWithOptions(text, &r.file, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	r.builtins()
	for _, o := range entries(get(r.file, "options")) {
		value := options[o.name]
		if r.env[o.name] = value; get(o.value, "bool") != nil {
			r.env[o.name] = value == 1
		}
	}
	for _, v := range entries(get(r.file, "state")) {
		if err := r.declare(v.name, v.value); err != nil {
			return nil, fmt.Errorf("%s: %w", v.name, err)
		}
	}
	for _, fn := range entries(get(r.file, "functions")) {
		r.function(fn.name, fn.value)
	}
	first := word(get(r.file, "start"))
	if first == "" {
		first = entries(get(r.file, "phases"))[0].name
	}
	return r, r.enter(first)
}

// entry is a key of a mapping with its value.
type entry struct {
	name  string
	value any
}

func entries(mapping any) (list []entry) {
	m, _ := mapping.(yaml.MapSlice)
	for _, item := range m {
		list = append(list, entry{word(item.Key), item.Value})
	}
	return list
}

// get gives the value of a key, nil if it is not there.
func get(mapping any, key string) any {
	m, _ := mapping.(yaml.MapSlice)
	for _, item := range m {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

// word is a scalar as it is written, trimmed.
func word(scalar any) string {
	switch x := scalar.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(x)
	default:
		return fmt.Sprint(x)
	}
}

func yes(scalar any) bool { return word(scalar) == "yes" || word(scalar) == "true" }

// declare puts a variable with its first values into the environment.
func (r *reference) declare(name string, decl any) error {
	h := &holder{name: name, perSeat: get(decl, "each") != nil, see: word(get(decl, "see"))}
	if record := get(decl, "record"); record != nil {
		for _, f := range entries(record) {
			one := yaml.MapSlice{{Key: "seat", Value: f.value}}
			switch f.value.(type) {
			case []any:
				one[0].Key = "int"
			default:
				if yes(f.value) || word(f.value) == "no" || word(f.value) == "false" {
					one[0].Key = "bool"
				}
			}
			x, err := r.field(one)
			if err != nil {
				return err
			}
			x.name = f.name
			h.fields = append(h.fields, x)
		}
	} else {
		x, err := r.field(decl)
		if err != nil {
			return err
		}
		h.fields = []field{x}
	}
	r.vars = append(r.vars, h)
	if !h.perSeat {
		r.env[name] = h.first()
		return nil
	}
	list := make([]any, r.seats)
	for seat := range list {
		list[seat] = h.first()
	}
	r.env[name] = list
	return nil
}

// first is what one owner holds at first.
func (h *holder) first() any {
	if h.fields[0].name == "" {
		if list, ok := h.fields[0].first.([]int); ok {
			return slices.Clone(list)
		}
		return h.fields[0].first
	}
	record := map[string]any{}
	for _, f := range h.fields {
		record[f.name] = f.first
	}
	return record
}

func (r *reference) field(decl any) (f field, err error) {
	bounds := get(decl, "of")
	switch {
	case get(decl, "bool") != nil:
		return field{bool: true, first: yes(get(decl, "bool"))}, nil
	case get(decl, "seat") != nil:
		first, err := r.int(word(get(decl, "seat")))
		return field{low: min(0, first), high: r.seats - 1, first: first}, err
	case get(decl, "int") != nil:
		bounds = get(decl, "int")
	default:
		if f.list, err = r.int(word(get(decl, "list"))); err != nil {
			return f, err
		}
	}
	if f.low, f.high, err = r.bounds(bounds); err != nil {
		return f, err
	}
	switch init := get(decl, "init").(type) {
	case nil:
		f.first = min(max(0, f.low), f.high)
		if f.list > 0 {
			f.first = []int{}
		}
	case []any:
		list := []int{}
		for _, x := range init {
			n, err := r.int(word(x))
			if err != nil {
				return f, err
			}
			list = append(list, n)
		}
		f.first = list
	default:
		if f.list == 0 {
			f.first, err = r.int(word(init))
			return f, err
		}
		list := []int{} // init: all
		for x := f.low; x <= f.high; x++ {
			list = append(list, x)
		}
		f.first = list
	}
	return f, nil
}

// bounds reads [low, high].
func (r *reference) bounds(pair any) (low, high int, err error) {
	list, ok := pair.([]any)
	if !ok || len(list) != 2 {
		return 0, 0, fmt.Errorf("no bounds: %v", pair)
	}
	if low, err = r.int(word(list[0])); err != nil {
		return 0, 0, err
	}
	high, err = r.int(word(list[1]))
	return low, high, err
}

var (
	errOutside  = errors.New("out of range")
	declaration = regexp.MustCompile(`^(\w+)\((.*)\)$`)
)

// function makes a declared function callable.
func (r *reference) function(signature string, decl any) {
	name, params := parseSignature(signature)
	text := word(decl)
	if is := get(decl, "is"); is != nil {
		text = word(is)
	}
	r.env[name] = func(args ...any) (any, error) {
		var value any
		err := r.with(params, args, func() (err error) {
			value, err = r.eval(text)
			return err
		})
		return value, err
	}
}

// parseSignature splits name(a, b).
func parseSignature(text string) (name string, params []string) {
	m := declaration.FindStringSubmatch(text)
	for p := range strings.SplitSeq(m[2], ",") {
		if p = strings.TrimSpace(p); p != "" {
			params = append(params, p)
		}
	}
	return m[1], params
}

// with lets names stand for values while something is done.
func (r *reference) with(names []string, values []any, do func() error) error {
	old := make([]any, len(names))
	for i, name := range names {
		old[i] = r.env[name]
		r.env[name] = values[i]
	}
	defer func() {
		for i, name := range names {
			if r.env[name] = old[i]; old[i] == nil {
				delete(r.env, name)
			}
		}
	}()
	return do()
}

// eval evaluates an expression by expr's machine.
func (r *reference) eval(text string) (any, error) {
	program, ok := programs.Load(text)
	if !ok {
		compiled, err := expr.Compile(text, expr.DisableAllBuiltins(), expr.Optimize(false), expr.Patch(indexes{}))
		if err != nil {
			return nil, err
		}
		program, _ = programs.LoadOrStore(text, compiled)
	}
	r.evals++
	return expr.Run(program.(*vm.Program), r.env)
}

// programs are compiled expressions by text. They know no types, so one program does for every game.
var programs sync.Map

func (r *reference) int(text string) (int, error) {
	x, err := r.eval(text)
	if err != nil {
		return 0, err
	}
	n, ok := x.(int)
	if !ok {
		return 0, fmt.Errorf("%s is %v", text, x)
	}
	return n, nil
}

// truth evaluates a condition; an empty one holds.
func (r *reference) truth(text string) (bool, error) {
	if text == "" {
		return true, nil
	}
	x, err := r.eval(text)
	if err != nil {
		return false, err
	}
	yes, ok := x.(bool)
	if !ok {
		return false, fmt.Errorf("%s is %v", text, x)
	}
	return yes, nil
}

// indexes makes expr ask at() for an element, as it takes a negative index for one from the end.
type indexes struct{}

func (indexes) Visit(node *ast.Node) {
	if m, ok := (*node).(*ast.MemberNode); ok {
		if _, field := m.Property.(*ast.StringNode); !field {
			ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: "at"}, Arguments: []ast.Node{m.Node, m.Property}})
		}
	}
}

// builtins puts what the language has by itself into the environment.
func (r *reference) builtins() {
	all := make([]int, r.seats)
	for seat := range all {
		all[seat] = seat
	}
	floor := func(a, b int) (int, error) {
		if b == 0 {
			return 0, errOutside
		}
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return q, nil
	}
	neighbour := func(step int) func(int) (int, error) {
		return func(seat int) (int, error) {
			for k := 1; k <= r.seats; k++ {
				other := ((seat+k*step)%r.seats + r.seats) % r.seats
				if alive, err := r.alive(other); alive || err != nil {
					return other, err
				}
			}
			return seat, nil
		}
	}
	for name, value := range map[string]any{
		"seats": r.seats, "all_seats": all, "none": -1,
		"min":  func(a, b int) int { return min(a, b) },
		"max":  func(a, b int) int { return max(a, b) },
		"abs":  func(a int) int { return max(a, -a) },
		"div":  floor,
		"mod":  func(a, b int) (int, error) { q, err := floor(a, b); return a - b*q, err },
		"next": neighbour(1), "prev": neighbour(-1),
		"ceildiv": func(a, b int) (int, error) { q, err := floor(-a, b); return -q, err },
		"len":     func(list []int) int { return len(list) },
		"live": func() (n int, err error) {
			for seat := range r.seats {
				alive, err := r.alive(seat)
				if err != nil {
					return 0, err
				}
				n += b2i(alive)
			}
			return n, nil
		},
		"at": func(list []any, index int) (any, error) {
			if index < 0 || index >= len(list) {
				return nil, errOutside
			}
			return list[index], nil
		},
		"tally": func(hands any, x int) (n int) {
			switch list := hands.(type) {
			case []int:
				for _, y := range list {
					n += b2i(x == y)
				}
			case []any:
				for _, hand := range list {
					for _, y := range hand.([]int) {
						n += b2i(x == y)
					}
				}
			}
			return n
		},
	} {
		r.env[name] = value
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *reference) alive(seat int) (alive bool, err error) {
	err = r.with([]string{"seat"}, []any{seat}, func() error {
		alive, err = r.truth(word(get(r.file, "alive")))
		return err
	})
	return alive, err
}
