package rules_test

import (
	"errors"
	"strings"
	"testing"

	"dudo.example/rules"
)

// coin is a small complete game: two players, a hidden coin each, one guesses.
const coin = `dudo: 1
game: test/coin
title: Coins
about: Guess whether the coins match.
seats: [2, 3]
options:
  stakes: {int: [1, 3], default: 1}
  loud: {bool: no}
limits: {moves: 20}
state:
  coins: {each: seat, list: 2, of: [0, 1], see: owner}
  lost: {each: seat, int: [0, 9]}
  turn: {seat: 0}
  claim: {record: {seat: none, face: [0, 1]}}
alive: lost[seat] < stakes
functions:
  total(): 'sum(lost, #)'
  heads(): tally(coins, 1)
  above(a, b):
    is: a > b
    strict_order: true
    table: [[0, 3], [0, 3]]
procedures:
  pay(who, much):
    - set: {'lost[who]': 'lost[who] + much'}
start: toss
phases:
  toss:
    chance:
      - {into: coins, each: seat, from: [0, 1]}
    then:
      - goto: play
  play:
    turn: turn
    actions:
      guess:
        doc: Guess.
        params:
          many: [0, seats]
        when: many > 0 || lost[me] == 0
        refuse: Guess more than {total()}.
        do:
          - call: pay(me, 1)
          - if: heads() == many
            then:
              - end: now
          - set:
              turn: next(me)
      look:
        do:
          - end: now
result:
  payoff: lost[seat]
`

// replaced gives the coin game with one piece of text replaced.
func replaced(t *testing.T, from, to string) string {
	t.Helper()
	if strings.Count(coin, from) != 1 {
		t.Fatalf("%q is %d times in the text", from, strings.Count(coin, from))
	}
	return strings.Replace(coin, from, to, 1)
}

func TestErrors(t *testing.T) {
	if _, err := rules.Parse("coin.yaml", []byte(coin)); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, from, to, want string }{
		{"a hash that YAML takes for a comment", "'sum(lost, #)'", "sum(lost, #)", `
coin.yaml:17:22: YAML reads ' #' as the beginning of a comment and cuts the expression; put it in single quotes
    total(): sum(lost, #)
                       ^`},
		{"a hash inside a flow mapping", "- set: {'lost[who]': 'lost[who] + much'}", "- set: {'lost[who]': sum(lost, #)}", `
coin.yaml:25:36: YAML reads ' #' as the beginning of a comment and cuts the expression; put it in single quotes
      - set: {'lost[who]': sum(lost, #)}
                                     ^`},
		{"a ternary that YAML takes for a key", "heads() == many", "many == 1 ? heads() == 1 : heads() == 2", `
coin.yaml:44:42: YAML reads ' : ' as a key and its value; put the expression in single quotes
            - if: many == 1 ? heads() == 1 : heads() == 2
                                           ^`},
		{"a leading exclamation mark", "when: many > 0 || lost[me] == 0", "when: !loud", `
coin.yaml:40:15: YAML reads a leading ! as a tag; put the expression in single quotes
          when: !loud
                ^`},
		{"a leading exclamation mark before more", "when: many > 0 || lost[me] == 0", "when: !loud && many > 0", `
coin.yaml:40:15: YAML reads a leading ! as a tag; put the expression in single quotes
          when: !loud && many > 0
                ^`},
		{"an anchor", "turn: {seat: 0}", "turn: &first {seat: 0}", `
coin.yaml:13:9: an anchor (&) is not part of a rule file; write the value again, or quote an expression
    turn: &first {seat: 0}
          ^`},
		{"an alias", "loud: {bool: no}", "loud: *stakes", `
coin.yaml:8:9: an alias (*) is not part of a rule file; write the value again, or quote an expression
    loud: *stakes
          ^`},
		{"a merge key", "loud: {bool: no}", "<<: {bool: no}", `
coin.yaml:8:3: merge keys (<<) are not part of a rule file; write the keys out
    <<: {bool: no}
    ^`},
		{"a key written twice", "  turn: {seat: 0}", "  lost: {seat: 0}", `
coin.yaml:13:3: lost is written twice; the first is in line 12
    lost: {seat: 0}
    ^`},
		{"an unknown key at the top", "start: toss", "begin: toss", `
coin.yaml:26:1: unknown key begin in a rule file; it takes dudo, game, title, about, seats, options, presets, limits, state, alive, functions, procedures, start, phases, result, examples
  begin: toss
  ^`},
		{"a misspelt key", "procedures:", "procedure:", `
coin.yaml:23:1: unknown key procedure in a rule file; did you mean procedures?
  procedure:
  ^`},
		{"an unknown key of an action", "        doc: Guess.", "        docs: Guess.", `
coin.yaml:37:9: unknown key docs in an action; did you mean doc?
          docs: Guess.
          ^`},
		{"an unknown step", "- call: pay(me, 1)", "- pay: me", `
coin.yaml:43:13: unknown step pay; a step is one of set, let, if, each, call, goto, end, move, clear, reveal, hide, emit
            - pay: me
              ^`},
		{"clearing what is no list", "- call: pay(me, 1)", "- clear: turn", `
coin.yaml:43:20: turn is not a list; set it
            - clear: turn
                     ^`},
		{"two keys in a step", "- call: pay(me, 1)", "- {call: 'pay(me, 1)', end: now}", `
coin.yaml:43:34: a step has one of the keys set, let, if, each, call, goto, end, move, clear, reveal, hide, emit; begin another step with a dash
            - {call: 'pay(me, 1)', end: now}
                                   ^`},
		{"no document", `dudo: 1
`, `--- 
a: 1
---
dudo: 1
`, `
coin.yaml:4:1: a rule file is one document; remove the --- line
  dudo: 1
  ^`},
		{"another version", "dudo: 1", "dudo: 2", `
coin.yaml:1:7: dudo, the version of the language, is 1
  dudo: 2
        ^`},
		{"a tab", "title: Coins", "title:\tCoins", "coin.yaml:3:7: a tab; indent with spaces\n  title:\tCoins\n        ^"},
		{"a carriage return", "title: Coins", "title: Coins\r", "coin.yaml:3:13: a carriage return; end lines with LF alone\n  title: Coins\r\n              ^"},
		{"a mapping that is not closed", "loud: {bool: no}", "loud: {bool: no", `
coin.yaml:9:1: this is not YAML: ',' or '}' must be specified
  limits: {moves: 20}
  ^`},
		{"an unknown name", "heads() == many", "heads() == mony", `
coin.yaml:44:28: unknown name mony; did you mean many?
            - if: heads() == mony
                             ^`},
		{"an unknown name unlike any", "heads() == many", "heads() == whatever", `
coin.yaml:44:28: unknown name whatever in an action
            - if: heads() == whatever
                             ^`},
		{"an unknown function", "heads() == many", "head() == many", `
coin.yaml:44:17: unknown function head; did you mean heads?
            - if: head() == many
                  ^`},
		{"a hidden hand in a guard", "when: many > 0 || lost[me] == 0", "when: many > tally(coins, 1)", `
coin.yaml:40:22: tally() reads hidden values and cannot be used in a guard
          when: many > tally(coins, 1)
                       ^`},
		{"a hidden hand in a guard through a function", "when: many > 0 || lost[me] == 0", "when: many > heads()", `
coin.yaml:40:22: heads() reads hidden values (coins) and cannot be used in a guard
          when: many > heads()
                       ^`},
		{"another's hand in a guard", "when: many > 0 || lost[me] == 0", "when: 'any(coins[next(me)], # == 1)'", `
coin.yaml:40:20: coins reads hidden values and cannot be used in a guard
          when: 'any(coins[next(me)], # == 1)'
                     ^`},
		{"the own hand in a sentence", "Guess more than {total()}.", "'You hold {sum(coins[me], #)}.'", `
coin.yaml:41:32: coins reads hidden values and cannot be used in a refusal
          refuse: 'You hold {sum(coins[me], #)}.'
                                 ^`},
		{"a hidden hand in turn", `    turn: turn
`, `    turn: heads()
`, `
coin.yaml:34:11: heads() reads hidden values (coins) and cannot be used in turn
      turn: heads()
            ^`},
		{"a hidden hand in a bound", "many: [0, seats]", "many: [0, heads()]", `
coin.yaml:39:21: heads() reads hidden values (coins) and cannot be used in a bound of a parameter
            many: [0, heads()]
                      ^`},
		{"a hidden hand in who", "        doc: Guess.", "        who: 'any(coins[seat], # == 1)'", `
coin.yaml:37:19: coins reads hidden values and cannot be used in who
          who: 'any(coins[seat], # == 1)'
                    ^`},
		{"a hidden hand in alive", "alive: lost[seat] < stakes", "alive: heads() > 0", `
coin.yaml:15:8: heads() reads hidden values (coins) and cannot be used in alive
  alive: heads() > 0
         ^`},
		{"state in a bound of state", "lost: {each: seat, int: [0, 9]}", "lost: {each: seat, int: [0, total]}", `
coin.yaml:12:31: unknown name total in a bound of state
    lost: {each: seat, int: [0, total]}
                                ^`},
		{"me where nobody acts", "- goto: play", `- set: {turn: me}
      - goto: play`, `
coin.yaml:32:21: there is no acting seat (me) in a chance phase
        - set: {turn: me}
                      ^`},
		{"an integer for a condition", "if: heads() == many", "if: heads()", `
coin.yaml:44:17: want a condition, this is an integer
            - if: heads()
                  ^`},
		{"a condition for an integer", "payoff: lost[seat]", "payoff: lost[seat] > 0", `
coin.yaml:53:11: want an integer, this is true or false
    payoff: lost[seat] > 0
            ^`},
		{"a condition in arithmetic", "lost[who] + much", "lost[who] + loud", `
coin.yaml:25:39: want an integer, this is true or false
      - set: {'lost[who]': 'lost[who] + loud'}
                                        ^`},
		{"a division", "lost[who] + much", "lost[who] / 2", `
coin.yaml:25:37: the operator / is not part of the language; use div(a, b), which rounds down, or ceildiv(a, b)
      - set: {'lost[who]': 'lost[who] / 2'}
                                      ^`},
		{"a float", "lost[who] + much", "lost[who] + 0.5", `
coin.yaml:25:39: numbers are integers
      - set: {'lost[who]': 'lost[who] + 0.5'}
                                        ^`},
		{"a string", "lost[who] + much", `lost[who] + "a"`, `
coin.yaml:25:39: there are no strings in expressions
      - set: {'lost[who]': 'lost[who] + "a"'}
                                        ^`},
		{"a word operator", "when: many > 0 || lost[me] == 0", "when: many > 0 and loud", `
coin.yaml:40:24: the operator and is not part of the language; write &&
          when: many > 0 and loud
                         ^`},
		{"a let in an expression", "when: many > 0 || lost[me] == 0", "when: 'let x = 1; many > x'", `
coin.yaml:40:20: there is no let in expressions; use a let step or a function
          when: 'let x = 1; many > x'
                     ^`},
		{"a quantifier in a quantifier", "'sum(lost, #)'", "'sum(lost, count(lost, # > 0))'", `
coin.yaml:17:23: a quantifier inside a quantifier; only one level is allowed
    total(): 'sum(lost, count(lost, # > 0))'
                        ^`},
		{"a filter", "'sum(lost, #)'", "'len(filter(lost, # > 0))'", `
coin.yaml:17:17: want a list, or one seat's list such as hand[me]
    total(): 'len(filter(lost, # > 0))'
                  ^`},
		{"a range", "'sum(lost, #)'", "'sum(1..3, #)'", `
coin.yaml:17:18: want a variable of each seat, a list, one seat's list such as hand[me], or all_seats
    total(): 'sum(1..3, #)'
                   ^`},
		{"a method", "'sum(lost, #)'", "lost.total()", `
coin.yaml:17:17: only a function can be called
    total(): lost.total()
                  ^`},
		{"an element outside a quantifier", "'sum(lost, #)'", "'# + 1'", `
coin.yaml:17:13: # is the element that all, any, none, one, count or sum looks at; it has no meaning outside
    total(): '# + 1'
              ^`},
		{"a record for a number", "heads() == many", "claim == many", `
coin.yaml:44:17: claim is a record; write claim.seat
            - if: claim == many
                  ^`},
		{"a field that is not there", "heads() == many", "claim.quantity == many", `
coin.yaml:44:23: claim has no field quantity; it has seat, face
            - if: claim.quantity == many
                        ^`},
		{"an index that is missing", "heads() == many", "lost == many", `
coin.yaml:44:17: lost belongs to each seat; write lost[…]
            - if: lost == many
                  ^`},
		{"an index that is not wanted", "heads() == many", "turn[me] == many", `
coin.yaml:44:21: turn is not a variable of each seat, so it takes no index
            - if: turn[me] == many
                      ^`},
		{"a function that calls itself", "'sum(lost, #)'", "total() + 1", `
coin.yaml:17:12: total calls itself; a function can call only earlier ones
    total(): total() + 1
             ^`},
		{"a function that calls a later one", "'sum(lost, #)'", "heads() + 1", `
coin.yaml:17:12: unknown function heads; a function can call only earlier ones
    total(): heads() + 1
             ^`},
		{"too few arguments", "pay(me, 1)", "pay(me)", `
coin.yaml:43:19: pay takes 2 arguments, not 1
            - call: pay(me)
                    ^`},
		{"a procedure that is not there", "pay(me, 1)", "lose(me, 1)", `
coin.yaml:43:19: there is no procedure lose above this line; a procedure can call only earlier ones
            - call: lose(me, 1)
                    ^`},
		{"an order that goes round", "is: a > b", "is: mod(a - b, 4) == 1", `
coin.yaml:19:3: above() goes round: 0 → 1 → 2 → 3 → 0, so bidding could go on for ever; each of these bids outranks the one before
    above(a, b):
    ^`},
		{"an order of equals", "is: a > b", "is: a >= b", `
coin.yaml:19:3: above() lets 0 outrank itself, so bidding could go on for ever
    above(a, b):
    ^`},
		{"an order that is not total", "is: a > b", "is: a > b + 1", `
coin.yaml:19:3: above() is no strict_order: neither of 1 and 0 outranks the other
    above(a, b):
    ^`},
		{"a table that reads state", "is: a > b", "is: a > b + turn", `
coin.yaml:22:12: above() reads state, so it cannot be tabled
      table: [[0, 3], [0, 3]]
             ^`},
		{"a phase that is not there", "- goto: play", "- goto: game", `
coin.yaml:32:15: there is no phase game
        - goto: game
                ^`},
		{"a phase that nothing goes to", `  play:
    turn: turn`, `  pause:
    turn: turn
    actions: {rest: {do: [{goto: play}]}}
  play:
    turn: turn`, `
coin.yaml:33:3: no step goes to the phase pause
    pause:
    ^`},
		{"a step after goto", "- goto: play", `- goto: play
      - reveal: coins`, `
coin.yaml:33:9: this step is never reached: the one before it goes to a phase or ends the game
        - reveal: coins
          ^`},
		{"a chance phase that leads nowhere", "      - goto: play", "      - reveal: coins", `
coin.yaml:28:3: then must finish with goto or end, or nothing happens after the draws
    toss:
    ^`},
		{"revealing what is public", "- goto: play", `- reveal: lost
      - goto: play`, `
coin.yaml:32:17: everybody sees lost already
        - reveal: lost
                  ^`},
		{"setting a list", "turn: next(me)", "'coins[me]': 1", `
coin.yaml:48:15: coins[me] is a list; draw into it, or use a move or a clear step
                'coins[me]': 1
                ^`},
		{"a seat that may be none", "turn: {seat: 0}", "turn: {seat: none}", `
coin.yaml:34:11: turn can be -1 to 2; it must always be one of the seats 0 to 2
      turn: turn
            ^`},
		{"an empty range", "lost: {each: seat, int: [0, 9]}", "lost: {each: seat, int: [9, 'seats - 2']}", `
coin.yaml:12:3: lost holds 9 to 1, which is empty
    lost: {each: seat, int: [9, 'seats - 2']}
    ^`},
		{"a word of the language", "  turn: {seat: 0}", "  next: {seat: 0}", `
coin.yaml:13:3: next is a word of the language; choose another name for the variable
    next: {seat: 0}
    ^`},
		{"a name twice", "many: [0, seats]", "lost: [0, seats]", `
coin.yaml:39:11: the name lost is taken by a variable
            lost: [0, seats]
            ^`},
		{"a capital letter", "  loud: {bool: no}", "  Loud: {bool: no}", `
coin.yaml:8:3: an option is a name: small letters, digits and _, beginning with a letter, at most 40
    Loud: {bool: no}
    ^`},
		{"an option without default", "{int: [1, 3], default: 1}", "{int: [1, 3]}", `
coin.yaml:7:11: an option needs the key default
    stakes: {int: [1, 3]}
            ^`},
		{"a default beyond the bounds", "{int: [1, 3], default: 1}", "{int: [1, 3], default: 4}", `
coin.yaml:7:34: the default of stakes is a number from 1 to 3
    stakes: {int: [1, 3], default: 4}
                                   ^`},
		{"too many moves", "many: [0, seats]", "many: [0, 5000]", `
coin.yaml:36:7: guess has more than 4096 different moves; narrow the bounds of its parameters
        guess:
        ^`},
		{"a dear expression", "'sum(lost, #)'", `|
    sum(lost, # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #
    + # * # * # * # * #)
  twice(): |
    total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()
    + total()`, `
coin.yaml:44:5: the expression can cost 22619 evaluations, at most 4000: make it or the functions that it calls smaller
      total()
      ^`},
		{
			"a key without a value", "when: many > 0 || lost[me] == 0", "when:", `
coin.yaml:40:9: when has no value
          when:
          ^`,
		},
		{
			"a field in brackets", "when: many > 0 || lost[me] == 0", `when: claim["face"] == 1`, `
coin.yaml:40:20: write claim.face
          when: claim["face"] == 1
                     ^`,
		},
		{
			"a parameter out of range", "many: [0, seats]", "many: [40000, 40010]", `
coin.yaml:36:7: many of guess goes from 40000 to 40010; it must stay within ±32767
        guess:
        ^`,
		},
		{
			"a dear move", "- call: pay(me, 1)", `- each: x
            do: [{each: y, do: [{each: z, do: [{each: u, do: [{each: v, do: [{each: w, do: [{each: k, do: [
              {set: {turn: next(next(next(turn)))}}]}]}]}]}]}]}]`, `
coin.yaml:36:7: a move can cost 133546 evaluations with what follows from it, at most 20000: use fewer or shorter steps
        guess:
        ^`,
		},
		{"deep brackets", "heads() == many", "(((((((((((((((((((((((((((((((((((((((((1 == 1)))))))))))))))))))))))))))))))))))))))))", `
coin.yaml:44:57: brackets inside more than 40 brackets
            - if: (((((((((((((((((((((((((((((((((((((((((1 == 1)))))))))))))))))))))))))))))))))))))))))
                                                          ^`},
		{"a long expression", "if: heads() == many", `if: |
             1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
             + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 == 1`, `
coin.yaml:45:14: the expression has 803 bytes, at most 600; split it with a function
               1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
               ^`},
		{"a long line", "title: Coins", "title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", `
coin.yaml:3:1: the line has 407 bytes; write at most 400
  title: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  ^`},
		{"an expression over two lines", "if: heads() == many", `if: 'heads() ==
              many'`, `
coin.yaml:44:18: an expression over several lines is written as a block after |
            - if: 'heads() ==
                   ^`},
		{"an error in a block", "when: many > 0 || lost[me] == 0", `when: |
          many > 0
          || lost[mee] == 0`, `
coin.yaml:42:19: unknown name mee; did you mean me?
            || lost[mee] == 0
                    ^`},
		{"an error after an apostrophe", "- call: pay(me, 1)", `- if: 'many == 1 && ''x'''
            then: [{end: now}]`, `
coin.yaml:43:31: there are no strings in expressions
            - if: 'many == 1 && ''x'''
                                ^`},
		{"rank and payoff", "  payoff: lost[seat]", `  payoff: lost[seat]
  rank: lost[seat]`, `
coin.yaml:53:3: result has either a rank or a payoff
    payoff: lost[seat]
    ^`},
		{"an example of another variable", "result:", `examples:
  - name: x
    phase: play
    given: {losst: [0, 0]}
result:`, `
coin.yaml:55:13: unknown variable losst
      given: {losst: [0, 0]}
              ^`},
		{"an example with too few seats", "result:", `examples:
  - name: x
    phase: play
    given: {lost: [0]}
result:`, `
coin.yaml:55:19: lost has 1 values for 2 seats
      given: {lost: [0]}
                    ^`},
		{"an example with an unknown move", "result:", `examples:
  - name: x
    phase: play
    legal: [gess 1]
result:`, `
coin.yaml:55:13: there is no action gess
      legal: [gess 1]
              ^`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := rules.Parse("coin.yaml", []byte(replaced(t, tt.from, tt.to)))
			var e *rules.Error
			if !errors.As(err, &e) {
				t.Fatalf("Parse gave %v, want an error with a position", err)
			}
			if want := strings.TrimPrefix(tt.want, "\n"); e.Error() != want {
				t.Errorf("got\n%s\nwant\n%s", e, want)
			}
		})
	}
}
