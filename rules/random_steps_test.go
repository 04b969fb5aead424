package rules_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// TestRandomStepsAgree writes rule files of random steps, expressions, draws and bounds, and plays them by the machine and by the
// reference: the same moves fail in both and change nothing, and all else leads both to the same state.
func TestRandomStepsAgree(t *testing.T) {
	files, refused, moves, failed := 100, 0, 0, 0
	if raceEnabled {
		files = 6
	}
	for seed := range uint64(files) {
		w := stepWriter{generator: generator(seed*77 + 5)}
		text := w.file()
		f, err := rules.Parse("random.yaml", []byte(text))
		if err != nil {
			t.Log(err)
			if refused++; refused > files/10 {
				t.Fatalf("most files are refused, this one as %v\n%s", err, text)
			}
			continue
		}
		for game := range uint64(4) {
			n, bad := agreeOnSteps(t, f, text, seed*100+game)
			moves += n
			failed += bad
		}
	}
	t.Logf("%d files, %d of them refused; %d moves agree, %d of them fail", files, refused, moves, failed)
	if !raceEnabled && (moves < 2000 || failed < moves/50 || failed > moves/2) {
		t.Errorf("%d moves were compared, %d of them failed", moves, failed)
	}
}

func agreeOnSteps(t *testing.T, f *rules.File, text string, seed uint64) (moves, failed int) {
	t.Helper()
	r := generator(seed)
	seats := 2 + r.below(2)
	g, err := f.Compile(seats, nil)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ref, wrong := newReference(f.Text, seats, nil)
	p, err := g.NewPosition()
	if (err == nil) != (wrong == nil) {
		t.Fatalf("the game begins with %v, want %v\n%s", err, wrong, text)
	}
	if err != nil {
		return 0, 0
	}
	c := course{Position: p, r: &r, done: map[string]int{}, count: &counts{}}
	l := agreed{ref: ref}
	before := p.Clone()
	for range 80 {
		if _, _, err := p.Outcomes(); err != nil {
			if list, wrong := ref.outcomes(); wrong == nil && len(list) > 0 {
				t.Fatalf("after %v: %v, and the reference draws one of %v\n%s", c.log, err, list, text)
			}
			break
		}
		if err := l.broken(&c); err != nil {
			t.Fatalf("after %v: %v\n%s", c.log, err, text)
		}
		if c.Turn().Actor == machine.Over {
			break
		}
		in, err := c.next()
		if err != nil {
			break // no move or no outcome
		}
		before.CopyFrom(p)
		saved := ref.save()
		got, want := in.apply(p), l.apply(g, in)
		if (got == nil) != (want == nil) {
			t.Fatalf("after %v, %v gives %v, want %v\n%s", c.log, in, got, want, text)
		}
		moves++
		if got == nil {
			c.log = append(c.log, in)
			l.done++
			continue
		}
		failed++
		if !p.Equal(before) {
			t.Fatalf("after %v, %v fails with %v and changes the position\n%s", c.log, in, got, text)
		}
		ref.restore(saved)
		if in.actor == machine.Chance {
			break // another outcome would fail as well
		}
	}
	return moves, failed
}

// saved is the state of a reference at some time.
type saved struct {
	values map[string]any
	shown  map[string]bool
	rest   reference
}

func (r *reference) save() saved {
	s := saved{map[string]any{}, maps.Clone(r.shown), *r}
	for _, h := range r.vars {
		s.values[h.name] = copied(r.env[h.name])
	}
	return s
}

// restore goes back, as after a move that failed.
func (r *reference) restore(s saved) {
	evals := r.evals
	*r = s.rest
	r.evals, r.shown, r.effects = evals, s.shown, nil
	maps.Copy(r.env, s.values)
}

// copied copies what a variable holds.
func copied(value any) any {
	switch x := value.(type) {
	case []int:
		return slices.Clone(x)
	case map[string]any:
		return maps.Clone(x)
	case []any:
		list := slices.Clone(x)
		for i := range list {
			list[i] = copied(list[i])
		}
		return list
	}
	return value
}

// stepWriter writes rule files at random.
type stepWriter struct {
	generator
	text   strings.Builder
	lets   []string // integers that can be named
	inside bool     // a quantifier
	number int      // of lets so far
	me     bool
}

func (w *stepWriter) pick(list ...string) string { return list[w.below(len(list))] }

const randomState = `dudo: 1
game: test/random
title: Random
about: Steps that a generator wrote.
seats: [2, 3]
limits: {moves: 60}
state:
  hand: {each: seat, list: 4, of: [0, 5], see: owner}
  pile: {list: 8, of: [0, 5], init: [1, 2, 3, 3, 0], see: none}
  open: {list: 5, of: [1, 5]}
  score: {each: seat, int: [-9, 40], init: 3}
  mark: {each: seat, record: {seat: none, size: [0, 30], on: no}}
  best: {record: {seat: none, face: [0, 20], wild: yes}}
  turn: {seat: 0}
  other: {seat: none}
  flag: {bool: no}
  count_of: {int: [-20, 60], init: 2}
  secret: {int: [0, 9], see: 'viewer == other || flag'}
`

func (w *stepWriter) file() string {
	w.text.WriteString(randomState)
	fmt.Fprintf(&w.text, "alive: %s\nfunctions:\n", w.pick("score[seat] > 0", "score[seat] < 20 || flag", "'mark[seat].size < 9'"))
	fmt.Fprintf(&w.text, "  twice(a): a * 2\n  held(who, a): 'tally(hand[who], a) + mark[who].size'\n  above(a, b): {is: a > b, strict_order: yes, table: [[0, 6], [0, 6]]}\n")
	w.text.WriteString("procedures:\n  pay(who, much):\n")
	w.lets, w.me = []string{"who", "much"}, false
	w.steps("    ", 1, 2)
	w.text.WriteString("  again(who):\n")
	w.lets = []string{"who"}
	w.steps("    ", 1, 2)
	w.text.WriteString("    - call: pay(who, 1)\n")
	w.lets = nil
	w.text.WriteString("start: deal\nphases:\n  deal:\n    chance:\n")
	w.draws()
	w.text.WriteString("    then:\n")
	w.steps("      ", 1, 2)
	w.text.WriteString("      - goto: play\n  play:\n    turn: turn\n    clock: yes\n    timeout:\n")
	w.me = true
	w.steps("      ", 2, 3)
	w.text.WriteString("    actions:\n")
	for i, name := range []string{"first", "second", "third"} {
		fmt.Fprintf(&w.text, "      %s:\n", name)
		w.lets = nil
		if i < 2 {
			fmt.Fprintf(&w.text, "        params: {x: [0, '%s'], y: ['%s', 4]}\n", w.pick("3", "seats", "live() + 1", "len(open) + 1"), w.pick("0", "1", "turn", "live()"))
			w.lets = []string{"x", "y"}
		}
		switch i {
		case 1:
			fmt.Fprintf(&w.text, "        when: '%s'\n", w.pick("above(x, y) || flag || x == 0", "above(x, mark[me].size) || y > 1",
				"score[me] > x", "other != me && tally(hand[me], x) == y || x > 1"))
		case 2:
			fmt.Fprintf(&w.text, "        who: '%s'\n        when: score[me] > -5\n", w.pick("seat == turn", "seat == turn || seat == other", "score[seat] > 3"))
		}
		w.text.WriteString("        do:\n")
		w.steps("          ", 2+i, 3)
		switch next := w.below(3); {
		case next == 0 && i < 2:
			w.text.WriteString("          - goto: deal\n")
		case next == 1 || i == 2:
			w.text.WriteString("          - if: score[me] > 30\n            then:\n              - end: now\n")
		}
	}
	w.text.WriteString("result:\n  payoff: 'score[seat] - 100'\n")
	return w.text.String()
}

func (w *stepWriter) draws() {
	draws := []string{
		"{into: hand, each: seat, count: 'max(0, 2 - len(open) % 2)', from: [0, 5], sort: yes}",
		"{into: hand, each: seat, when: 'seat != other', count: 2, from: [1, 4]}",
		"{into: hand, each: seat, when: 'score[seat] > 0', from: pile}",
		"{into: open, count: '3 - div(len(open), 2)', from: [1, 3], sort: yes}",
		"{into: secret, from: [0, 'count_of > 5 ? 9 : 4']}",
		"{into: count_of, when: flag, from: [-2, 9]}",
		"{into: 'score', each: seat, when: 'seat == turn', from: [0, 9]}",
	}
	for range 1 + w.below(3) {
		fmt.Fprintf(&w.text, "      - %s\n", draws[w.below(len(draws))])
	}
}

// steps writes 1 to n steps, nested so deep.
func (w *stepWriter) steps(indent string, n, depth int) {
	lets := len(w.lets)
	for range 1 + w.below(n) {
		w.step(indent, depth)
	}
	w.lets = w.lets[:lets]
}

func (w *stepWriter) step(indent string, depth int) {
	line := func(format string, args ...any) { fmt.Fprintf(&w.text, indent+"- "+format+"\n", args...) }
	kind := w.below(13)
	if depth == 0 && kind < 4 {
		kind += 4
	}
	switch kind {
	case 0, 1:
		line("if: '%s'", w.bool(2))
		w.text.WriteString(indent + "  then:\n")
		w.steps(indent+"    ", 2, depth-1)
		if w.below(2) == 0 {
			w.text.WriteString(indent + "  else:\n")
			w.steps(indent+"    ", 2, depth-1)
		}
	case 2:
		w.number++
		name := fmt.Sprint("e", w.number)
		line("each: %s", name)
		w.lets = append(w.lets, name)
		if w.below(2) == 0 {
			fmt.Fprintf(&w.text, "%s  when: '%s'\n", indent, w.bool(1))
		}
		w.text.WriteString(indent + "  do:\n")
		w.steps(indent+"    ", 2, depth-1)
		w.lets = w.lets[:len(w.lets)-1]
	case 3:
		if w.me {
			line("call: %s", w.pick(fmt.Sprintf("'pay(%s, %s)'", w.seat(), w.int(1)), fmt.Sprintf("'again(%s)'", w.seat())))
			return
		}
		line("clear: open")
	case 4:
		w.number++
		name := fmt.Sprint("l", w.number)
		line("let: {%s: '%s'}", name, w.int(2))
		w.lets = append(w.lets, name)
	case 5:
		from, to := w.list(), w.list()
		for from == to {
			to = w.list()
		}
		line("move: {from: %s, to: %s%s%s}", from, to, w.maybe(", value: '%s'"), w.maybe(", count: '%s'"))
	case 6:
		line("clear: %s", w.pick(w.list(), "hand"))
	case 7:
		line("%s: %s", w.pick("reveal", "hide"), w.pick("hand", "pile", "secret", fmt.Sprintf("'hand[%s]'", w.seat())))
	case 8:
		line("emit: {a: '%s', b: '%s', c: best, d: '%s'}", w.int(2), w.bool(1), w.seat())
	default:
		line("set: {%s}", strings.Join(w.targets(), ", "))
	}
}

func (w *stepWriter) maybe(format string) string {
	if w.below(2) == 0 {
		return ""
	}
	return fmt.Sprintf(format, w.pick("1", "0", "2", w.int(0)))
}

func (w *stepWriter) list() string {
	return w.pick("pile", "open", fmt.Sprintf("'hand[%s]'", w.seat()))
}

// targets are different variables with values.
func (w *stepWriter) targets() []string {
	all := []string{
		fmt.Sprintf("'score[%s]': '%s'", w.seat(), w.int(2)),
		fmt.Sprintf("turn: '%s'", w.pick("next(turn)", "prev(turn)", "turn")),
		fmt.Sprintf("other: '%s'", w.pick(w.seat(), "none")),
		fmt.Sprintf("flag: '%s'", w.bool(2)),
		fmt.Sprintf("count_of: '%s'", w.int(2)),
		fmt.Sprintf("secret: 'mod(%s, 10)'", w.int(1)),
		"best: " + w.pick("none", fmt.Sprintf("{seat: '%s', face: 'mod(%s, 9)', wild: '%s'}", w.seat(), w.int(1), w.bool(1))),
		fmt.Sprintf("best.face: '%s'", w.int(1)),
		fmt.Sprintf("'mark[%s]': %s", w.seat(), w.pick("none", fmt.Sprintf("{seat: '%s', size: 'abs(%s)', on: '%s'}", w.seat(), w.int(1), w.bool(1)))),
		fmt.Sprintf("'mark[%s].size': 'mod(%s, 20)'", w.seat(), w.int(1)),
		fmt.Sprintf("'mark[%s].on': '%s'", w.seat(), w.bool(1)),
	}
	var list []string
	taken := map[string]bool{} // a record and a field of it are not set together
	for _, target := range all {
		name, _, _ := strings.Cut(strings.Trim(target, "'"), ":")
		if name = strings.FieldsFunc(name, func(c rune) bool { return c == '.' || c == '[' })[0]; w.below(5) == 0 && !taken[name] {
			taken[name] = true
			list = append(list, target)
		}
	}
	if len(list) == 0 {
		list = all[w.below(6):][:1]
	}
	return list
}

func (w *stepWriter) seat() string {
	list := []string{"turn", "next(turn)", "prev(turn)", "0", "1", "other", "best.seat", "mod(count_of, seats)"}
	if w.me {
		list = append(list, "me", "next(me)")
	}
	for _, name := range w.lets {
		if strings.HasPrefix(name, "e") || name == "who" {
			list = append(list, name, name)
		}
	}
	return w.pick(list...)
}

func (w *stepWriter) int(depth int) string {
	if depth == 0 || w.below(5) == 0 {
		list := append([]string{"0", "1", "3", "count_of", "secret", "best.face", "seats", "live()", "len(pile)", "len(open)"}, w.lets...)
		if w.inside {
			list = append(list, "#", "#", "#")
		}
		return w.pick(list...)
	}
	a := func() string { return w.int(depth - 1) }
	switch w.below(9) {
	case 0:
		return "score[" + w.seat() + "]"
	case 1:
		return "mark[" + w.seat() + "].size"
	case 2:
		return w.pick("tally(hand, "+a()+")", "tally(hand["+w.seat()+"], "+a()+")", "tally(pile, "+a()+")", "len(hand["+w.seat()+"])")
	case 3:
		return w.pick("min", "max", "div", "mod", "ceildiv") + "(" + a() + ", " + a() + ")"
	case 4:
		return "(" + w.bool(depth-1) + " ? " + a() + " : " + a() + ")"
	case 5:
		if !w.inside {
			return w.over("sum", w.int, depth)
		}
	case 6:
		return w.pick("twice("+a()+")", "held("+w.seat()+", "+a()+")", "abs("+a()+")")
	}
	return "(" + a() + " " + w.pick("+", "-", "+", "*") + " " + a() + ")"
}

func (w *stepWriter) over(name string, item func(int) string, depth int) string {
	list := w.pick("score", "pile", "all_seats", "hand["+w.seat()+"]")
	w.inside = true
	defer func() { w.inside = false }()
	return name + "(" + list + ", " + item(depth-1) + ")"
}

func (w *stepWriter) bool(depth int) string {
	if depth == 0 {
		return w.pick("flag", "best.wild", "true", "(count_of > 2)", "mark["+w.seat()+"].on")
	}
	switch w.below(6) {
	case 0:
		return "(" + w.bool(depth-1) + " " + w.pick("&&", "||", "==", "!=") + " " + w.bool(depth-1) + ")"
	case 1:
		return "!" + w.bool(0)
	case 2:
		if !w.inside {
			return w.over(w.pick("all", "any", "none", "one"), w.bool, depth)
		}
	case 3:
		return "above(" + w.int(depth-1) + ", " + w.int(depth-1) + ")"
	case 4:
		return "(" + w.seat() + " " + w.pick("==", "!=") + " " + w.pick(w.seat(), "none") + ")"
	}
	return "(" + w.int(depth-1) + " " + w.pick("==", "!=", "<", "<=", ">", ">=") + " " + w.int(depth-1) + ")"
}
