package hostile

import (
	"fmt"
	"strings"
)

// largeGames are made of much, or look as if they were until somebody has looked at all of it.
func largeGames() []Game {
	tables := repeated(28, "  t%d(a, b):\n    is: a + b\n    table: [[0, 255], [0, 255]]\n")
	wide := "      wide:\n        params:\n          p: ['min(x, 0)', 'max(3900, min(x, 3900))']\n        when: p > mod(x, 60)\n        do:\n          - end: now\n"
	withAction := func(rules, action string) string {
		return strings.Replace(rules, "      leave:\n", action+"      leave:\n", 1)
	}
	bodies := "  p0():\n    - set: {x: 1}\n" + procedure(1, 14) + procedure(2, 14) + procedure(3, 14)
	leaf := "- {if: 'x == 0', then: [{call: p3()}, {call: p3()}], else: [{call: p3()}]}\n"
	sums := "- set: {x: 'mod(" + strings.Repeat("f()+", 80) + "1, 7)'}\n"
	return []Game{
		{Name: "large tables and a wide move", Rules: with(withAction(Rules("", plainDeal, set), wide), "functions", tables)},
		{Name: "a long body in many places", Rules: with(Rules("", plainDeal, tree(7, 10, leaf)), "procedures", bodies)},
		{Name: "long sums of a long sum", Rules: with(Rules("", plainDeal, tree(7, 10, sums)), "functions", "  f(): |\n    "+strings.Repeat("x+", 22)+"1\n")},
		{Name: "names that do not exist", Rules: Rules(repeated(60, "  v"+strings.Repeat("x", 37)+"%02d: {int: [0, 9]}\n"), plainDeal,
			repeated(700, "          - set: {x: z"+strings.Repeat("x", 36)+"%d}\n")), Want: "refuted: event 0, rules (rules.text): want rules that load"},
		{Name: "guards over everything", Rules: withAction(Rules("  y: {int: [0, 60]}\n", plainDeal, set), repeated(28,
			"      a%d:\n        params: {p: [0, 63]}\n        when: (p > y && y > 3 || p > x %% 7 && x > 3 || p == y) && p - y < 40 && p + y > 3\n        do:\n          - end: now\n"))},
	}
}

// procedure is a procedure that calls the one before it so often.
func procedure(n, calls int) string {
	return fmt.Sprintf("  p%d():\n%s", n, strings.Repeat(fmt.Sprintf("    - call: p%d()\n", n-1), calls))
}

// tree is a step that decides between two of its kind, down to a leaf.
func tree(depth, indent int, leaf string) string {
	in := strings.Repeat(" ", indent)
	if depth == 0 {
		return in + leaf
	}
	branch := tree(depth-1, indent+2, leaf)
	return in + "- if: x == 0\n" + in + "  then:\n" + branch + in + "  else:\n" + branch
}
