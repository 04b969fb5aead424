package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"dudo.example/rules"
)

// hostileGame is a game that is meant to cost the reader and the compiler much.
type hostileGame struct {
	text     string
	accepted bool // it keeps within all limits, as near to them as can be
}

// changed replaces pairs of text, each of which stands there once.
func changed(text string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			panic(fmt.Sprintf("%q is %d times in the text", pairs[i], strings.Count(text, pairs[i])))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// made joins what is made for each number.
func made(n int, piece func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(piece(i))
	}
	return b.String()
}

// block writes a long sum as a block.
func block(indent, terms int, term string) string {
	line := strings.Repeat(" ", indent) + strings.TrimSuffix(strings.Repeat(term+" + ", terms/4), "+ ") + "+\n"
	return strings.TrimSuffix(strings.Repeat(line, 4), "+\n") + "\n"
}

const (
	functionsHere = "  heads(): "
	stepsHere     = "          - call: pay(me, 1)\n"
	actionsHere   = "      look:\n"
	stateHere     = "  turn: {seat: 0}\n"
	guardHere     = "when: many > 0 || lost[me] == 0"
)

func hostileGames() map[string]hostileGame {
	games := map[string]hostileGame{}
	refuse := func(name string, pairs ...string) { games[name] = hostileGame{changed(coin, pairs...), false} }
	accept := func(name string, pairs ...string) { games[name] = hostileGame{changed(coin, pairs...), true} }

	calls := "  f0(): 1\n" + made(27, func(i int) string {
		return fmt.Sprintf("  f%d(): |\n    %s\n", i+1, strings.Repeat(fmt.Sprintf("f%d() + ", i), 35)+"1")
	})
	refuse("functions that call functions", functionsHere, calls+functionsHere)
	refuse("a table bounded by functions that call functions", functionsHere, calls+functionsHere, "[[0, 3], [0, 3]]", "[[0, f20()], [0, 3]]")
	refuse("all seats in all seats", functionsHere, "  a0(): 'sum(all_seats, lost[#])'\n"+made(6, func(i int) string {
		return fmt.Sprintf("  a%d(): 'sum(all_seats, a%d())'\n", i+1, i)
	})+functionsHere, "seats: [2, 3]", "seats: [2, 10]")
	dear := "  half(): |\n    sum(lost, " + strings.Repeat("# + ", 80) + "1)\n"
	step := "          - if: |\n              " + strings.Repeat("half() + ", 6) + "half() > 1\n            then: [{set: {turn: 0}}]\n"
	refuse("many dear expressions", functionsHere, dear+functionsHere, stepsHere, strings.Repeat(step, 25))
	refuse("many dear steps", functionsHere, dear+functionsHere, stepsHere, strings.Repeat(step, 250))
	refuse("procedures that call procedures", "procedures:\n", "procedures:\n  p0():\n    - set: {turn: 0}\n"+made(29, func(i int) string {
		return fmt.Sprintf("  p%d():\n%s", i+1, strings.Repeat(fmt.Sprintf("    - call: p%d()\n", i), 40))
	}), "call: pay(me, 1)", "call: p29()")
	accept("chains of calls in the steps of actions", functionsHere, "  f(): "+strings.Repeat("turn + ", 12)+"1\n"+functionsHere,
		actionsHere, made(28, func(i int) string {
			return fmt.Sprintf("      a%d:\n        do:\n", i) + strings.Repeat("          - if: |\n"+block(14, 72, "f()")+
				"              > 0\n            then: [{end: now}]\n", 4) + "          - end: now\n"
		})+actionsHere)
	accept("thousands of facts", stepsHere, made(160, func(int) string {
		return "          - emit: {" + strings.TrimSuffix(made(30, func(i int) string { return fmt.Sprintf("a%d: me, ", i) }), ", ") + "}\n"
	}))
	accept("thousands of small steps", stepsHere, strings.Repeat("          - set: {turn: me}\n", 1400))
	refuse("hundreds of unknown names", stepsHere, made(400, func(i int) string {
		return fmt.Sprintf("          - goto: %s%04d\n          - set: {%s%04d: 1}\n", strings.Repeat("y", 30), i, strings.Repeat("y", 36), i)
	}), stateHere, stateHere+made(50, func(i int) string { return fmt.Sprintf("  %s%02d: {int: [0, 1]}\n", strings.Repeat("x", 38), i) }))

	tables := func(n int, is, domain string) string {
		return made(n, func(i int) string { return fmt.Sprintf("  t%d(a, b):\n    is: %s\n    table: %s\n", i, is, domain) }) + functionsHere
	}
	const all, bids = "[[0, 255], [0, 255]]", "[[0, 255], [0, 255]]\n    order: yes"
	refuse("tables over the budget", functionsHere, tables(28, strings.Repeat("a + b - ", 30)+"1 > a", all))
	accept("tables as dear as can be", functionsHere, tables(5, "mod(a * b, 7) + mod(a + b, 5) + mod(a, 3) + div(b, 3) + mod(b, 4) + mod(a, 9)", all))
	accept("tables as large as can be", functionsHere, strings.TrimSuffix(tables(28, "a", all), functionsHere)+"  total_of(): 'sum(lost, "+
		made(28, func(i int) string { return fmt.Sprintf("t%d(#, 1) + ", i) })+"1)'\n"+functionsHere)
	accept("orders as large as can be", functionsHere, tables(28, "a > b", bids))
	accept("sparse orders", functionsHere, tables(22, "a == b + 1", bids))
	refuse("an order that goes round by all bids", functionsHere, tables(1, "mod(a - b, 256) == 1", bids))
	refuse("an order with a late circle", functionsHere, tables(1, "a > b && !(a == 255 && b == 0) || a == 0 && b == 255", bids))

	accept("a wide move", "many: [0, seats]", "many: [0, 3900]")
	refuse("many wide moves", actionsHere, made(28, func(i int) string {
		return fmt.Sprintf("      a%d: {params: {p: [0, 1000]}, when: 'p > turn', do: [{end: now}]}\n", i)
	})+actionsHere)
	numbers := stateHere + "  x: {int: [0, 300]}\n  y: {int: [0, 300]}\n  z: {int: [0, 4000]}\n"
	guards := func(when, bounds string) string {
		return made(28, func(i int) string {
			return fmt.Sprintf("      a%d: {params: {p: %s}, when: '%s', do: [{end: now}]}\n", i, bounds, when)
		}) + actionsHere
	}
	accept("guards with many rows of one move", stateHere, numbers, actionsHere, guards("p + x > y || p > 2 && p > y - x", "[0, 0]"))
	accept("guards known for many states", stateHere, numbers, actionsHere, guards("z > 5 && p > 2 || z > 3000 && p > 1 || z < 7", "[0, 100]"))
	accept("guards that choose and choose", stateHere, numbers, actionsHere,
		guards(made(9, func(i int) string { return fmt.Sprintf("x > %d ? p > y : ", i*50) })+"p > z", "[0, 63]"))
	accept("the largest state", stateHere, stateHere+made(17, func(i int) string {
		return fmt.Sprintf("  pile%d: {each: seat, list: 64, of: [0, 1], see: owner}\n", i)
	}))

	guard := func(name, is string) { refuse(name, guardHere, "when: '"+is+"'") }
	refuse("an expression of minus signs", guardHere, "when: "+strings.Repeat("-", 380))
	guard("an expression of ternaries", strings.Repeat("1>0?", 90)+"0"+strings.Repeat(":0", 45))
	guard("an expression of pipes", strings.Repeat("1|a()", 70))
	guard("an expression of brackets", strings.Repeat("(", 195)+strings.Repeat(")", 185))
	guard("an expression of nots", strings.Repeat("!", 370)+"1")
	return games
}

// TestHazards wants none of what expr can do and a rule file must not to compile, alone or in a quantifier.
func TestHazards(t *testing.T) {
	for _, hazard := range hazards {
		for _, text := range []string{hazard, "any(lost, " + hazard + ")", "many > 0 ? " + hazard + " : true"} {
			_, err := rules.Parse("coin.yaml", []byte(replaced(t, guardHere, "when: |\n          "+text)))
			if err == nil {
				t.Errorf("%s compiles", text)
			}
		}
	}
}

var hazards = []string{
	"all(lost, all(lost, all(lost, # > 0)))", "sum(lost, sum(lost, #)) > 0", "reduce(lost, #acc + #, 0) > 0", "len(map(lost, #)) > 0",
	"len(filter(lost, # > 0)) > 0", "find(lost, # > 0) > 0", "groupBy(lost, #) != nil", "sortBy(lost, #)[0] > 0", "#index > 0", "#acc > 0",
	`"a" + "a" == "aa"`, `repeat("a", 1000000) != ""`, "`a` == `a`", `len("aaaa") > 0`, `"a" matches "(a*)*b"`, `"a" contains "a"`,
	`lower("A") == "a"`, `split("a,b", ",")[0] == "a"`, `string(1) == "1"`, `toJSON(lost) != ""`, `fromJSON("[1]")[0] == 1`,
	"sum(1..1000000) > 0", "any(1..9, # > 0)", "len(1..9) > 0", "many in 1..9", "many in [1, 2]", "[1, 2][0] == 1", "{many: 1}.many == 1",
	"$env.lost[0] > 0", `$env["lost"][0] > 0`, "$env == $env", "lost.String() != nil", "claim.seat.Format() == 1", "lost[0:1] == lost[0:1]",
	"lost?.[0] > 0", "(lost ?? lost)[0] > 0", "get(lost, 0) > 0", "now() == now()", `date("2026-01-01") == now()`, `duration("1s") > 0`,
	"1e999 > 1", "1e3 > 1", "0.1 > 0", "2 ** 62 > 0", "2 ^ 62 > 0", "9223372036854775807 > 0", "9223372036854775808 > 0", "0xffffffff > 0", "many > 010", "many > 0b11", "many > 1_000",
	"1 / 0 > 0", "float(1) > 0", "int(1.5) > 0", "round(1.5) > 0", "type(1) == 1", "nil == nil", "let x = 1; x > 0", "true; true",
	"if true { true } else { false }", "lost | any(# > 0)", "many | max(1) > 0", "not loud", "loud and loud", "loud or loud", "lost == lost",
	"loud == 1", "many == true", "lost[loud] > 0", "lost[lost] > 0", "any(lost)", "one()", "tally(coins, 1) > 0", "heads() > 0", "coins[next(me)] != nil",
	"any(coins[next(me)], # > 0)", "min() > 0", "min(1) > 0", "max(1, 2, 3) > 0", "bitand(1, 1) > 0", "env > 0", "many → 1", "ｍany > 0",
}

// hostileChecks are games whose examples and small instances are meant to cost much. They are accepted.
func hostileChecks() map[string]string {
	long := []string{
		"int: [0, 9]", "int: [0, 20000]", "limits: {moves: 20}", "limits: {moves: 20000}", "seats: [2, 3]", "seats: [2, 10]",
		"lost[seat] < stakes", "lost[seat] < 20000", "  loud: {bool: no}\n", "  loud: {bool: no}\n  x: {int: [0, 1000000], default: 0}\n",
		"limits:", "presets:\n" + made(16, func(i int) string { return fmt.Sprintf("  p%d: {options: {x: %d}}\n", i, i+1) }) + "limits:",
	}
	game := func(pairs ...string) string { return changed(coin, append(pairs, long...)...) }
	dear := "          - if: 'sum(lost, " + strings.Repeat("# % 7 + ", 10) + "1) > 1'\n            then: [{set: {turn: next(me)}}]\n"
	tables := made(5, func(i int) string {
		return fmt.Sprintf("  t%d(a, b):\n    is: mod(a * b, 7) + mod(a + b, 5) + mod(a, 3) + div(b, 3) + mod(b, 4) + mod(a, 9)\n    table: [[0, 255], [0, 255]]\n", i)
	}) + functionsHere
	moves := strings.TrimSuffix(strings.Repeat("guess 1, look, ", 20), ", ")
	examples := func(keys string) string {
		return "examples:\n" + made(100, func(i int) string {
			return fmt.Sprintf("  - {name: e%d, phase: play, %s}\n", i, fmt.Sprintf(keys, i+1))
		}) + "result:"
	}
	return map[string]string{
		"a game that goes on":       game(),
		"dear moves":                game(stepsHere, strings.Repeat(dear, 11)+stepsHere),
		"a dear list of moves":      game("many: [0, seats]", "many: [0, 500]", guardHere, "when: 'sum(lost, # % 7 + many) >= 0 && sum(coins[me], # * many % 5) >= 0'"),
		"many moves":                game("many: [0, seats]", "many: [0, 3900]"),
		"a large state":             game(stateHere, stateHere+made(6, func(i int) string { return fmt.Sprintf("  pile%d: {each: seat, list: 60, of: [0, 1]}\n", i) })),
		"large tables":              game(functionsHere, tables),
		"examples of many settings": game(functionsHere, tables, "result:", examples("options: {x: %d}, legal_count: 4")),
		"examples that are long":    game("result:", examples("given: {lost: [%d, 0]}, legal: ["+moves+"]")),
	}
}
