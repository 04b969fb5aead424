package tables_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// taken is a rule file that gives its own things the names that every state uses, and has moves of many parameters with gaps.
const taken = `dudo: 1
game: test/taken
title: Names that are taken
about: A game for tests, of names that mean something else in every state.
seats: [2, 3]
limits: {moves: 12}
state:
  turn: {seat: 0}
  legal: {int: [0, 9], init: '7', doc: not the moves}
  places: {int: [0, 9], init: '7'}
  receipt: {int: [0, 9], init: '7'}
  seed: {int: [0, 9], init: '7'}
  talk: {bool: yes}
  you: {record: {face: [0, 6]}}
  table: {list: 3, of: [1, 9], init: [1, 2, 3]}
  name: {each: seat, int: [0, 9], init: '7'}
  bot: {each: seat, int: [0, 9], init: '7'}
  hand: {each: seat, list: 2, of: [1, 6], see: owner, as: dice}
  dice: {each: seat, int: [0, 9], init: '7'}
start: deal
phases:
  deal:
    chance:
      - {into: hand, each: seat, count: '2', from: [1, 6]}
    then:
      - goto: playing
  playing:
    turn: turn
    actions:
      bid:
        doc: Bid.
        params: {quantity: [1, 9], seat_number: [1, 6]}
        when: mod(quantity, 2) == 1
        do:
          - set: {turn: next(me), you: {face: 3}}
      place:
        doc: Place.
        params: {pile: [1, 3], card: [1, 4], row: [0, 3], column: [0, 3]}
        when: mod(pile + card + row, 2) == 0
        do:
          - reveal: hand
          - emit: {n: 5, hands: 6, found: 2}
          - set: {turn: next(me)}
      free_seat:
        doc: Free.
        params: {number: [1, 6]}
        when: number != 3
        do:
          - end: now
result:
  rank: '1'
`

// Whatever a rule file calls its things, states can be written, the members of every state mean what they always do, and no move is
// lost.
func TestTakenNames(t *testing.T) {
	f, err := rules.Parse("taken.yaml", []byte(taken))
	if err != nil {
		t.Fatal(err)
	}
	r := openGame(t, f, tables.Limits{})
	set := rulebook.Ruleset(f)
	for seed := range byte(20) {
		rnd := rand.New(rand.NewPCG(1, uint64(seed)))
		p := begin(t, f, 2, nil, deal.Seed{seed})
		for p.Status() == play.Live {
			checkViews(t, r.Lobby, &set, p)
			p = anyMove(t, p, rnd)
		}
		checkViews(t, r.Lobby, &set, p)
		if t.Failed() {
			return
		}
	}
	_, tokens := r.sit(tables.Settings{Seats: 2}, "ann", "bob")
	move := play.Move{Action: "free_seat", Args: bid(1, 1).Args[:1]}
	move.Args[0].Name = "number"
	o, err := r.Act(t.Context(), tokens[0], -1, move)
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Table, Receipt, Seed string
		Places               []int
		You                  struct {
			Seat int
			Name string
			Dice []int
		}
		Seats []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(o.Encode()), &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Places) != 2 || len(s.Receipt) < 50 || len(s.Seed) != 64 || s.You.Name != "ann" || len(s.You.Dice) != 2 || s.Seats[1].Name != "bob" {
		t.Errorf("the end is %s", o.Encode())
	}
}
