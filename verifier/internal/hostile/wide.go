package hostile

import "strings"

// wideGames have much in their state, draw much of it, and show much.
func wideGames() []Game {
	var lists, draws string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		lists += "  " + name + ": {each: seat, list: 64, of: [1, 6], see: owner}\n"
		draws += "{into: " + name + ", each: seat, count: '64', from: [1, 6], when: x == 0}\n      - "
	}
	const (
		long     = "  y: {each: seat, list: 64, of: [-1000000000, -999999900], see: owner}"
		longDeal = "{into: y, each: seat, count: '64', from: [-1000000000, -999999900]}"
	)
	wideRecord := "  r:\n    record:\n" + repeated(60, "      a"+strings.Repeat("b", 37)+"%02d: [0, 9]\n")
	show := func(n int) string { return strings.Repeat("          - reveal: y\n", n) }
	tally := "          - emit: {x: x}\n" + strings.Repeat("          - call: p2()\n", 3)
	return []Game{
		{
			Name: "a large hidden state, dealt once and never again", Seats: 10, Want: verified,
			Rules: Rules(lists, draws+"{into: x, from: [1, 5]}", again),
		},
		{
			Name: "a large state dealt after every move", Seats: 10, Moves: 400, Want: tooCostly,
			Rules: strings.ReplaceAll(Rules(lists, draws+plainDeal, again), ", when: x == 0", ""),
		},
		{
			Name: "many small draws into a wide state", Seats: 10, Moves: 1500,
			Rules: Rules(lists+"  y: {each: seat, int: [0, 1]}\n", strings.Repeat("{into: y, each: seat, from: [0, 1]}\n      - ", 60)+plainDeal, again),
		},
		{Name: "as much as an event shows of a hand, after every move", Seats: 10, Want: verified, Rules: Rules(long, longDeal, show(4)+again)},
		{
			Name: "more than an event shows of a hand", Seats: 10, Rules: Rules(long, longDeal, show(5)),
			Want: "refuted: event 13, rules: want rules that work, got the rules show more than 256 values of one owner",
		},
		{
			Name: "facts that do not fit into a line", Rules: Rules(wideRecord, plainDeal, strings.ReplaceAll(facts(60), ": x", ": r")),
			Want: "refuted: event 5, rules: want rules that work, got the rules come to an event of more than 64 KiB",
		},
		{
			Name: "hands shown more often than a move may cost", Seats: 10, Rules: Rules(long, longDeal, show(40)),
			Want: "refuted: event 0, rules (rules.text): want rules that load",
		},
		{Name: "facts in every round", Rules: Rules("", plainDeal, facts(64)+again), Want: verified},
		{Name: "facts beyond number", Rules: Rules("", plainDeal, facts(1000)), Want: "refuted: event 0, rules (rules.text): want rules that load"},
		{Name: "the same facts again and again", Moves: 500, Rules: with(Rules("", plainDeal, facts(63)+tally), "procedures",
			"  p0():\n    - emit: {x: x}\n  p1():\n"+strings.Repeat("    - call: p0()\n", 40)+"  p2():\n"+strings.Repeat("    - call: p1()\n", 40))},
	}
}

// facts are steps that emit so many facts of different names.
func facts(n int) string {
	var b strings.Builder
	for at := 0; at < n; at += 150 {
		b.WriteString("          - emit:\n")
		b.WriteString(repeated(min(150, n-at), "              a"+strings.Repeat("b", at/150)+"%d: x\n"))
	}
	return b.String()
}
