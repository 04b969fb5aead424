// Package hostile makes files that are meant to cost much to whoever reads them as a record: up to 4 MiB of all kinds of bytes, and
// records whose rules are as dear as rules can be. It is for tests of the verifier and of its program.
package hostile

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"

	"dudo.example/core/record"
)

// Bytes are up to 4 MiB of what a reader of lines of JSON might choke on.
func Bytes() map[string][]byte {
	random := make([]byte, record.MaxRecord)
	dice := rand.NewChaCha8([32]byte{1})
	if _, err := dice.Read(random); err != nil {
		panic(err) // it gives as much as is asked
	}
	fill := func(s string) []byte { return []byte(strings.Repeat(s, record.MaxRecord/len(s))) }
	short := func(s string) []byte {
		return []byte(strings.Repeat(s+"\n", min(record.MaxLines, record.MaxRecord/(len(s)+1))))
	}
	lines := func(prefix, filling, end string) []byte {
		line := prefix + strings.Repeat(filling, (record.MaxLine-len(prefix)-len(end))/len(filling)) + end + "\n"
		return fill(line)
	}
	seed := hex.EncodeToString(make([]byte, sha256.Size))
	return map[string][]byte{
		"random":                    random,
		"braces":                    fill("{"),
		"brackets":                  fill("{[\""),
		"zeros":                     fill("\x00"),
		"quotes":                    fill(`"`),
		"newlines":                  fill("\n"),
		"not UTF-8":                 short("{\"n\":0,\"type\":\"\xed\xa0\x80\xff\"}"),
		"short lines":               short(`{"n":0,"type":"x"}`),
		"small lines":               short(`{"n":0,"type":"x","xxxxxxxxxxxxxxxxx":[[[[[]]]]],"y":{"z":null}}`),
		"nested":                    lines(`{"n":0,"type":`, "[", "}"),
		"escapes":                   lines(`{"n":0,"type":"`, `\u0000`, `"}`),
		"short escapes":             lines(`{"n":0,"type":"`, `\n`, `"}`),
		"a long list":               lines(`{"n":0,"t":[`, "1,", `1],"type":"show"}`),
		"lists as facts":            lines(`{"facts":{"a":[`, "[],", `1]},"hands":{},"keys":{},"n":0,"t":0,"type":"show"}`),
		"objects":                   lines(`{"facts":{"a":[`, "{},", `{}]},"hands":{},"keys":{},"n":0,"t":0,"type":"show"}`),
		"huge numbers":              lines(`{"n":0,"t":[`, strings.Repeat("9", 4000)+",", `1],"type":"show"}`),
		"one long number":           lines(`{"n":`, "1", `,"t":0,"type":"show"}`),
		"receipts":                  fill("{\"receipt\":\"0.a.b\"}\n"),
		"a long receipt":            []byte(`{"receipt":"` + strings.Repeat("0", record.MaxRecord-16) + "\"}\n"),
		"a long receipt of members": []byte(`{"receipt":0` + strings.Repeat(`,"a":0`, record.MaxRecord/6-20) + "}\n"),
		"a large file":              append(fill("x"), "xxxxxxxx"...),
		"ends":                      short(`{"n":0,"reason":"expired","seed":"` + seed + `","t":0,"type":"end"}`),
		"wrong ends":                short(`{"n":0,"type":"end","type":"end"}`),
		"long ends":                 lines(`{"n":0,"type":"end","x":"`, "x", `"}`),
		"only the seed":             []byte(`{"n":0,"reason":"expired","seed":"` + seed + "\",\"t\":0,\"type\":\"end\"}\n"),
	}
}

// Game is a record that a stranger could make: its rules, and what a verifier says of it.
type Game struct {
	Name  string
	Rules string
	Seats int
	Moves int // how often seat 0 passes; 0 is as often as the record has room
	// Want is how the outcome begins; empty if it depends on how fast the machine is.
	Want string
}

// Games are records whose rules are as dear as they can be in one respect or another.
func Games() []Game {
	all := []Game{
		{Name: "as often as there is room", Rules: Rules("", plainDeal, set), Want: verified},
		{Name: "a fact twice", Rules: Rules("", plainDeal, "          - emit: {a: 1}\n          - emit: {a: 2}"), Want: verified},
		{Name: "a deal after every move", Rules: Rules("", plainDeal, again), Want: verified},
		{Name: "many dice after every move", Rules: Rules("  y: {each: seat, list: 64, of: [1, 6]}", "{into: y, each: seat, count: '64', from: [1, 6]}", again), Want: verified},
		{Name: "two draws into one list", Rules: Rules("  y: {list: 4, of: [1, 6]}",
			"{into: y, count: '4', from: [1, 6]}\n      - {into: y, count: '4', from: [1, 6]}", set), Want: "refuted: event 2, rules"},
		{
			Name: "deals without end", Rules: strings.Replace(Rules("", plainDeal, set), "- goto: play",
				"- if: x >= 0\n        then:\n          - goto: deal\n        else:\n          - goto: play", 1),
			Want: "refuted: event 2, rules: want rules that work, got the rules deal again and again",
		},
		{Name: "a huge number", Rules: Rules("", plainDeal, "          - set: {x: 1000000000}\n          - emit: {huge: 'x * x'}"), Want: "refuted: event 5, rules"},
		{Name: "moves that cost what they may", Rules: Rules(costlyList, plainDeal, costlySteps(5))},
	}
	return append(all, append(wideGames(), largeGames()...)...)
}

// The outcomes of records.
const (
	verified  = "verified"
	tooCostly = "unreadable: the rules in this record make it too much work"
)

// Parts of rules.
const (
	plainDeal  = "{into: x, from: [0, 5]}"
	set        = "          - set: {x: 1}"
	again      = "          - goto: deal"
	costlyList = "  list: {list: 64, of: [0, 9], init: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}\n"
)

// costlySteps are so many steps, each of which costs about as much as an expression may.
func costlySteps(n int) string {
	sums := strings.TrimSuffix(strings.Repeat("sum(list, mod(#, 7)) + ", 14), " + ")
	return strings.Repeat("          - set: {x: 'mod("+sums+", 7)'}\n", n)
}

// Rules are rules around the state, the draws of one deal and the steps of one action, pass.
func Rules(state, deal, steps string) string {
	return `dudo: 1
game: test/hostile
title: A game that nobody should play
about: It is here to be refused.
seats: [1, 10]
limits: {moves: 20000}
state:
  x: {int: [0, 1000000000]}
` + state + `
start: deal
phases:
  deal:
    chance:
      - ` + deal + `
    then:
      - goto: play
  play:
    turn: '0'
    actions:
      pass:
        doc: Pass.
        do:
` + steps + `
      leave:
        doc: Leave.
        do:
          - end: now
result:
  rank: '1'
`
}

// with adds functions or procedures to rules.
func with(rules, key, text string) string {
	return strings.Replace(rules, "start: deal\n", key+":\n"+text+"start: deal\n", 1)
}

// repeated is a text for each number.
func repeated(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// Key signs the records of this package.
func Key() ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("a hostile server's key"))
	return ed25519.NewKeyFromSeed(seed[:])
}
