package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"dudo.example/rules"
)

// TestRandomExpressionsAgree writes random expressions into a rule file and holds the closures against expr's own machine.
func TestRandomExpressionsAgree(t *testing.T) {
	total := 0
	for seed := range uint64(12) {
		w := writer{generator(seed*1000 + 7), false}
		var steps strings.Builder
		for i := range 30 {
			fmt.Fprintf(&steps, "          - let: {x%d: '%s'}\n", i, w.short(w.int))
			fmt.Fprintf(&steps, "          - if: '%s'\n            then: [{set: {turn: 0}}]\n", w.short(w.bool))
		}
		text := replaced(t, "          - call: pay(me, 1)\n", steps.String())
		text = strings.Replace(text, "limits: {moves: 20}", "limits: {moves: 2000}", 1)
		text = strings.Replace(text, "int: [0, 9]", "int: [0, 9], init: 1", 1)
		text = strings.Replace(text, "stakes: {int: [1, 3], default: 1}", "stakes: {int: [2, 5], default: 3}", 1)
		f, err := rules.Parse("random.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		r := generator(seed)
		n, never := agree(t, f, 2+int(seed)%2, map[string]int{"loud": int(seed) % 2}, &r)
		total += n
		if len(never) > 15 {
			t.Errorf("%d of the expressions always fail, such as %s", len(never), never[0])
		}
	}
	t.Logf("%d evaluations agree", total)
	if want := 20_000; total < want && !raceEnabled {
		t.Errorf("%d evaluations were compared, want at least %d", total, want)
	}
}

// writer writes random expressions over the coin game.
type writer struct {
	generator
	inside bool // a quantifier
}

// short writes an expression of at most 150 bytes.
func (w *writer) short(write func(depth int) string) string {
	for {
		if s := write(4); len(s) <= 150 {
			return s
		}
	}
}

func (w *writer) pick(list ...string) string { return list[w.below(len(list))] }

func (w *writer) seat(depth int) string {
	if depth > 0 && w.below(4) == 0 {
		return "mod(" + w.int(depth-1) + ", seats)"
	}
	return w.pick("me", "turn", "next(me)", "prev(turn)", "0")
}

func (w *writer) int(depth int) string {
	if depth == 0 || w.below(6) == 0 {
		if w.inside && w.below(2) == 0 {
			return "#"
		}
		return w.pick("0", "1", "2", "7", "me", "seats", "turn", "claim.face", "claim.seat", "many", "stakes", "live()", "total()", "heads()")
	}
	a := func() string { return w.int(depth - 1) }
	switch w.below(12) {
	case 0:
		return "lost[" + w.seat(depth-1) + "]"
	case 1:
		return "tally(coins, " + a() + ")"
	case 2:
		return "len(coins[" + w.seat(depth-1) + "])"
	case 3:
		return w.pick("min", "max", "div", "ceildiv", "mod") + "(" + a() + ", " + a() + ")"
	case 4:
		return w.pick("abs(", "-(", "next(") + w.seat(depth-1) + ")"
	case 5:
		return "(" + w.bool(depth-1) + " ? " + a() + " : " + a() + ")"
	case 6, 7:
		if !w.inside {
			return w.over("sum", w.int, depth)
		}
	case 8:
		if !w.inside {
			return w.over("count", w.bool, depth)
		}
	}
	return "(" + a() + " " + w.pick("+", "-", "*", "%") + " " + a() + ")"
}

// over writes a quantifier.
func (w *writer) over(name string, item func(int) string, depth int) string {
	list := w.pick("lost", "coins["+w.seat(0)+"]")
	w.inside = true
	defer func() { w.inside = false }()
	return name + "(" + list + ", " + item(depth-1) + ")"
}

func (w *writer) bool(depth int) string {
	if depth == 0 {
		return w.pick("true", "loud", "(many > 1)", "(turn == me)")
	}
	switch w.below(6) {
	case 0:
		return "(" + w.bool(depth-1) + " " + w.pick("&&", "||", "==", "!=") + " " + w.bool(depth-1) + ")"
	case 1:
		return "!(" + w.bool(depth-1) + ")"
	case 2:
		if !w.inside {
			return w.over(w.pick("all", "any", "none", "one"), w.bool, depth)
		}
	case 3:
		return "above(" + w.int(depth-1) + ", " + w.int(depth-1) + ")"
	}
	return "(" + w.int(depth-1) + " " + w.pick("==", "!=", "<", "<=", ">", ">=") + " " + w.int(depth-1) + ")"
}
