package verifier_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/verifier"
)

// takeRules are a game without dice: whoever takes the last stone wins one from the other.
const takeRules = `dudo: 1
game: test/take
title: Take the last stone
about: Take one or two stones in turn; whoever takes the last one wins.
seats: [2, 2]
options:
  stones: {int: [1, 9], default: 5, doc: how many stones there are}
  loud: {bool: yes, doc: whether it is said what is left}
limits: {moves: 20}
state:
  left: {int: [0, 9], init: stones, doc: stones left}
  turn: {seat: 0, doc: whose turn it is}
start: play
phases:
  play:
    turn: turn
    actions:
      take:
        doc: Take stones.
        params:
          stones_taken: {int: [1, 2], doc: how many}
        when: stones_taken <= left
        refuse: There are only {left} left.
        do:
          - set: {left: left - stones_taken, turn: 1 - turn}
          - if: loud
            then:
              - emit: {left: left, loser: turn}
          - if: left == 0
            then:
              - end: now
result:
  payoff: 'seat == turn ? -1 : 1'
`

// Games without dice, with payoffs, with facts of their own and with a limit are derived again like any other.
func TestOtherGames(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	r := verify(t, v, sign(playGame(t, setting{seed: "take", text: takeRules, seats: 2, options: map[string]int{"stones": 4}})))
	if !r.Verified() || r.Rules.Known {
		t.Fatalf("verified: %v, known: %t", r.Failure, r.Rules.Known)
	}
	if d := cmp.Diff(map[string]int{"stones": 4, "loud": 1}, r.Rules.Options); d != "" {
		t.Errorf("options (-want +got):\n%s", d)
	}
	if len(r.Rounds) != 1 || r.Rounds[0].Round != 0 || !strings.HasPrefix(r.Rounds[0].Text, "bob: take: left 0, ann lost") {
		t.Errorf("rounds %+v", r.Rounds)
	}
	if d := cmp.Diff([]int{-1, 1}, r.Ending.Payoffs); d != "" || *r.Players[1].Pay != 1 {
		t.Errorf("payoffs (-want +got):\n%s", d)
	}
	for _, claim := range r.Proved {
		if strings.Contains(claim, "dice") {
			t.Errorf("a game without dice is said to prove %q", claim)
		}
	}
	b, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(b), `"facts":{"left":0,"loser":0}`) {
		t.Errorf("as JSON: %s, %v", b, err)
	}

	limited := strings.Replace(takeRules, "moves: 20", "moves: 1", 1)
	r = verify(t, v, sign(playGame(t, setting{seed: "take", text: limited, seats: 2, options: map[string]int{"loud": 0}})))
	if !r.Verified() || r.Ending.Reason != "move limit" || r.Rounds[0].Facts != nil {
		t.Errorf("a game at its limit: %v, %+v, %+v", r.Failure, r.Ending, r.Rounds)
	}
}

func TestReadPins(t *testing.T) {
	const key = "1qredKTRIo7nq8E16gz62Po1hNrqWroszoiB8qtUeik"
	tests := []struct{ text, err string }{
		{"", ""},
		{"# nothing\n\n", ""},
		{"dudo.example " + key + "\nexample.org\t" + key + "\n", ""},
		{"dudo.example " + key + "\n dudo.example " + key, ""},
		{"dudo.example", "line 1: want an origin and its key"},
		{"\ndudo.example " + key + " x", "line 2: want an origin and its key"},
		{"dudo.example x", "line 1: a server's key is"},
		{"dudo.example " + key + "\ndudo.example " + "rFEp606kh509uCi7AnbBk0zL-PR8wWVgB-p-WzQHowE", ""},
		{"127.0.0.1:8787 " + key, "line 1: want an origin and its key"},
		{"d\u00fcdo.example " + key, "line 1: want an origin and its key"},
		{strings.Repeat("x", 100_000), "line 1: want an origin and its key"},
		{strings.Repeat("#", 1<<20), ""},
		{strings.Repeat("#", 1<<20+1), "a file of pins is at most 1 MiB"},
	}
	for _, tt := range tests {
		_, err := verifier.ReadPins(strings.NewReader(tt.text))
		if (err != nil) != (tt.err != "") || (err != nil && !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("ReadPins(%.40q): error %v, want %q", tt.text, err, tt.err)
		}
	}
}
