package rules_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestClosuresAgree evaluates every expression of every rule file in positions of random games, by the closures that the
// product runs and by expr's own machine, and wants the same value from both.
func TestClosuresAgree(t *testing.T) {
	for _, f := range allFiles(t) {
		t.Run(f.Game, func(t *testing.T) {
			for seed := range uint64(4) {
				r := generator(seed)
				options := map[string]int{}
				for _, o := range f.Options {
					options[o.Name] = o.Default
					if seed > 0 {
						options[o.Name] = o.Low + r.below(min(o.High-o.Low+1, 6))
					}
				}
				seats := f.MinSeats + r.below(min(f.MaxSeats, 4)-f.MinSeats+1)
				for _, text := range agree(t, f, seats, options, &r) {
					t.Errorf("%s was never compared", text)
				}
			}
		})
	}
}

// agree gives the expressions that were never compared, as they failed every time.
func agree(t *testing.T, f *rules.File, seats int, options map[string]int, r *generator) (never []string) {
	t.Helper()
	g, err := f.Compile(seats, options)
	if err != nil {
		t.Fatalf("options %v: %v", options, err)
	}
	probes, err := f.Probes(seats, options)
	if err != nil {
		t.Fatal(err)
	}
	ref := newReference(t, f, g, options)
	compared := map[string]int{}
	p := start(t, g)
	for i := range 120 {
		if p.Turn().Actor == machine.Over {
			p = start(t, g)
		}
		if i%2 == 1 {
			scatter(p, r)
		}
		ref.position(p)
		for _, probe := range probes {
			me := r.below(seats)
			var args [machine.MaxParams]int
			env := maps.Clone(ref.env)
			if probe.Me {
				env["me"] = me
			}
			for i, name := range probe.Params {
				args[i] = r.below(7)
				env[name] = args[i]
			}
			locals := make([]int, len(probe.Locals))
			for i, l := range probe.Locals {
				switch l.Kind {
				case "true or false":
					locals[i] = r.below(2)
					env[l.Name] = locals[i] == 1
				default:
					// Procedures take seats as integers, so every local is a seat's number.
					locals[i] = r.below(seats)
					env[l.Name] = locals[i]
				}
			}
			got, err := probe.Eval(p, me, args, locals)
			if err != nil {
				continue // an index or a value is out of range
			}
			if want := ref.eval(t, probe, env); got != want {
				t.Fatalf("%s: %s = %d, expr says %d, with me %d, arguments %v, locals %v", probe.Where, probe.Text, got, want, me, args, locals)
			}
			compared[probe.Where+probe.Text]++
		}
		if i%2 == 1 {
			p = start(t, g)
		}
		if err := try(p, r); err != nil {
			p = start(t, g) // random steps may fail
		}
	}
	for _, probe := range probes {
		if compared[probe.Where+probe.Text] == 0 {
			never = append(never, probe.Text)
		}
	}
	return never
}

// scatter writes random values into every variable.
func scatter(p *machine.Position, r *generator) {
	for i := range p.Game().Vars {
		v := &p.Game().Vars[i]
		for owner := range p.Game().Seats {
			values := make([]int, 1)
			if v.Zone > 0 {
				values = make([]int, r.below(v.Zone+1))
			}
			for k := range values {
				values[k] = v.Min + r.below(min(v.Max-v.Min+1, 12))
			}
			if owner == 0 || v.PerSeat {
				p.Put(i, owner, values...)
			}
		}
	}
}

// reference evaluates expressions by expr's machine over an environment that is built from the position's values alone.
type reference struct {
	file     *rules.File
	game     *machine.Game
	env      map[string]any
	programs map[string]*vm.Program
}

func newReference(t *testing.T, f *rules.File, g *machine.Game, options map[string]int) *reference {
	t.Helper()
	ref := &reference{file: f, game: g, env: map[string]any{"seats": g.Seats, "all_seats": everySeat(g)}, programs: map[string]*vm.Program{}}
	all, err := f.Resolve(options)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range f.Options {
		if ref.env[o.Name] = all[o.Name]; o.Bool {
			ref.env[o.Name] = all[o.Name] == 1
		}
	}
	floor := func(a, b int) int { q := a / b; r := a % b; return q - b2i(r != 0 && (r < 0) != (b < 0)) }
	maps.Copy(ref.env, map[string]any{
		"min": func(a, b int) int { return min(a, b) }, "max": func(a, b int) int { return max(a, b) },
		"abs": func(a int) int { return max(a, -a) }, "div": floor,
		"ceildiv": func(a, b int) int { return -floor(-a, b) }, "mod": func(a, b int) int { return a - b*floor(a, b) },
		"len": func(list []int) int { return len(list) },
		"tally": func(list any, x int) int {
			if hands, ok := list.([][]int); ok {
				list = slices.Concat(hands...)
			}
			n := 0
			for _, y := range list.([]int) {
				n += b2i(x == y)
			}
			return n
		},
	})
	for _, fn := range f.Functions() {
		ref.env[fn.Name] = ref.function(t, fn)
	}
	return ref
}

func everySeat(g *machine.Game) (list []int) {
	for seat := range g.Seats {
		list = append(list, seat)
	}
	return list
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// function makes a declared function callable: its body is evaluated by expr as well.
func (ref *reference) function(t *testing.T, fn rules.FunctionText) any {
	t.Helper()
	params := slices.Repeat([]reflect.Type{reflect.TypeFor[int]()}, len(fn.Params))
	result := reflect.TypeFor[int]()
	if fn.Bool {
		result = reflect.TypeFor[bool]()
	}
	return reflect.MakeFunc(reflect.FuncOf(params, []reflect.Type{result}, false), func(args []reflect.Value) []reflect.Value {
		env := maps.Clone(ref.env)
		for i, p := range fn.Params {
			env[p] = int(args[i].Int())
		}
		return []reflect.Value{reflect.ValueOf(ref.run(t, fn.Name, fn.Text, env))}
	}).Interface()
}

// position fills the environment with a position's values.
func (ref *reference) position(p *machine.Position) {
	for i := range ref.game.Vars {
		v := &ref.game.Vars[i]
		if record, field, ok := strings.Cut(v.Name, "."); ok {
			if v.PerSeat {
				ref.records(p, i, record, field)
				continue
			}
			m, _ := ref.env[record].(map[string]any)
			if m == nil {
				m = map[string]any{}
				ref.env[record] = m
			}
			m[field] = ref.value(p, i)
			continue
		}
		ref.env[v.Name] = ref.value(p, i)
	}
	neighbour := func(step int) func(int) int {
		return func(seat int) int {
			for k := 1; k <= p.Game().Seats; k++ {
				if s := ((seat+k*step)%p.Game().Seats + p.Game().Seats) % p.Game().Seats; p.Alive(s) {
					return s
				}
			}
			return seat
		}
	}
	ref.env["next"], ref.env["prev"] = neighbour(1), neighbour(-1)
	ref.env["live"] = func() int {
		n := 0
		for s := range p.Game().Seats {
			n += b2i(p.Alive(s))
		}
		return n
	}
}

// records puts a field of a record of each seat into the environment.
func (ref *reference) records(p *machine.Position, variable int, record, field string) {
	list, _ := ref.env[record].([]map[string]int)
	if list == nil {
		list = make([]map[string]int, ref.game.Seats)
		for seat := range list {
			list[seat] = map[string]int{}
		}
		ref.env[record] = list
	}
	for seat := range list {
		list[seat][field] = p.Values(variable, seat)[0]
	}
}

func (ref *reference) value(p *machine.Position, i int) any {
	v := &ref.game.Vars[i]
	switch {
	case !v.PerSeat && v.Zone > 0:
		return append([]int{}, p.Values(i, 0)...)
	case !v.PerSeat && v.Kind == machine.KindBool:
		return p.Values(i, 0)[0] == 1
	case !v.PerSeat:
		return p.Values(i, 0)[0]
	}
	var ints []int
	var bools []bool
	var zones [][]int
	for seat := range ref.game.Seats {
		values := p.Values(i, seat)
		if v.Zone > 0 {
			zones = append(zones, append([]int{}, values...))
			continue
		}
		ints, bools = append(ints, values[0]), append(bools, values[0] == 1)
	}
	switch {
	case v.Zone > 0:
		return zones
	case v.Kind == machine.KindBool:
		return bools
	}
	return ints
}

func (ref *reference) eval(t *testing.T, probe rules.Probe, env map[string]any) int {
	t.Helper()
	switch x := ref.run(t, probe.Where, probe.Text, env).(type) {
	case int:
		return x
	case bool:
		return b2i(x)
	default:
		t.Fatalf("%s: expr gives %T", probe.Text, x)
		return 0
	}
}

// run evaluates a text that is known by where it stands.
func (ref *reference) run(t *testing.T, where, text string, env map[string]any) any {
	t.Helper()
	if !strings.Contains(text, "none(") {
		env["none"] = machine.None // expr would take it for the name of the quantifier
	}
	key := where + text
	program := ref.programs[key]
	if program == nil {
		var err error
		if program, err = expr.Compile(text, expr.Env(env)); err != nil {
			t.Fatalf("expr does not compile %s: %v", text, err)
		}
		ref.programs[key] = program
	}
	value, err := expr.Run(program, env)
	if err != nil {
		t.Fatalf("expr fails where the closure does not: %s: %v", text, err)
	}
	return value
}
