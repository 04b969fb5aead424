package rules_test

import (
	"strings"
	"testing"
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
