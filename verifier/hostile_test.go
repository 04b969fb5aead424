package verifier_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/verifier"
)

// hostileRules are rules that a stranger could put into a record, around the steps of one action and one deal.
func hostileRules(state, deal, steps string) string {
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

// hostileGame is the record of a game of these rules in which one player passes, as often as the record has room. Where the
// rules fail, the record states the decision all the same.
func hostileGame(t testing.TB, text string) []byte {
	t.Helper()
	g, err := newGame(setting{seed: "hostile", text: text, seats: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.add(g.table.Join(g.now, "ann", nil)); err != nil {
		t.Fatal(err)
	}
	if err := g.add(g.table.Start(g.now, 0)); err != nil {
		return g.force(record.Start{})
	}
	b, err := g.table.Act(g.now, 0, play.Move{Action: "pass"})
	if err != nil {
		return g.force(record.Act{Action: "pass"})
	}
	if len(b.Lines) == 1 {
		// A pass leads to nothing else: the log can be written without playing.
		for len(g.lines) < record.MaxLines-2 {
			g.lines = append(g.lines, record.Event{N: int64(len(g.lines)), T: g.now, Body: record.Act{Action: "pass"}}.Encode())
		}
		return g.force(nil)
	}
	size := 0
	for _, l := range g.lines {
		size += len(l) + 1
	}
	for {
		if b, err = g.table.Act(g.now, 0, play.Move{Action: "pass"}); err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Lines {
			size += len(l) + 1
		}
		if size > record.MaxRecord-1000 || len(g.lines)+len(b.Lines) > record.MaxLines-2 || b.Next.End() != nil {
			break
		}
		g.table, g.lines = b.Next, append(g.lines, b.Lines...)
	}
	return g.force(nil)
}

// force ends the log with an event that cannot be, if any, and the seed.
func (g *game) force(body record.Body) []byte {
	for _, x := range []record.Body{body, record.End{Reason: record.ReasonAbandoned, Seed: deal.Seed(sum(g.seed)).Hex()}} {
		if x != nil {
			g.lines = append(g.lines, record.Event{N: int64(len(g.lines)), T: g.now, Body: x}.Encode())
		}
	}
	return sign(g.lines)
}

const plainDeal = "{into: x, from: [0, 5]}"

// costlySteps are so many steps, each of which costs about as much as an expression may.
func costlySteps(n int) string {
	sums := strings.TrimSuffix(strings.Repeat("sum(list, #) + ", 22), " + ")
	step := "          - set: {x: 'mod(" + sums + ", 7)'}\n"
	return strings.Repeat(step, n)
}

func TestHostileRules(t *testing.T) {
	list := "  list: {list: 64, of: [0, 9], init: [" + strings.Repeat("1, ", 63) + "1]}\n"
	var lists, draws string
	for i := range 9 {
		lists += fmt.Sprintf("  y%d: {list: 64, of: [1, 6]}\n", i)
		draws += fmt.Sprintf("{into: y%d, count: '64', from: [1, 6]}\n      - ", i)
	}
	tests := []struct {
		name, text string
		want       string // the beginning of the outcome, empty if that is the machine's to say
	}{
		{"as often as there is room", hostileRules("", plainDeal, "          - set: {x: 1}"), "verified"},
		{"a fact twice", hostileRules("", plainDeal, "          - emit: {a: 1}\n          - emit: {a: 2}"), "verified"},
		{"a deal after every move", hostileRules("", plainDeal, "          - goto: deal"), "verified"},
		{"many dice after every move", hostileRules("  y: {each: seat, list: 64, of: [1, 6]}", "{into: y, each: seat, count: '64', from: [1, 6]}",
			"          - goto: deal"), "verified"},
		{"two draws into one list", hostileRules("  y: {list: 4, of: [1, 6]}",
			"{into: y, count: '4', from: [1, 6]}\n      - {into: y, count: '4', from: [1, 6]}", "          - set: {x: 1}"), "refuted: event 2, rules"},
		{"deals without end", strings.Replace(hostileRules("", plainDeal, "          - set: {x: 1}"), "- goto: play",
			"- if: x >= 0\n        then:\n          - goto: deal\n        else:\n          - goto: play", 1), "refuted: event 2, rules: want rules that work, got the rules deal again and again"},
		{"a huge number", hostileRules("", plainDeal, "          - set: {x: 1000000000}\n          - emit: {huge: 'x * x'}"), "refuted: event 5, rules"},
		{"more dice than any game has", hostileRules(lists, draws+plainDeal, "          - goto: deal"), "unreadable: the rules in this record make it too much work"},
		{"moves that cost what they may", hostileRules(list, plainDeal, costlySteps(6)), ""}, // verified or too much work, as fast as the machine is
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := verifier.Options{Key: public()}
			if tt.want == "verified" {
				o.Patience = time.Minute // for slow machines
			}
			v := newVerifier(t, o)
			text := hostileGame(t, tt.text)
			start := time.Now()
			got := outcome(v, text)
			took := time.Since(start)
			t.Logf("%d bytes, %d lines: %s in %v", len(text), bytes.Count(text, []byte("\n")), got, took)
			if !strings.HasPrefix(got, tt.want) || strings.Contains(got, "fault of the verifier") {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if took > 5*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A record that takes longer than the verifier is patient gets no verdict.
func TestPatience(t *testing.T) {
	text := hostileGame(t, hostileRules("", plainDeal, "          - set: {x: 1}"))
	v := newVerifier(t, verifier.Options{Patience: time.Nanosecond})
	if _, err := v.Verify(bytes.NewReader(text)); !errors.Is(err, verifier.ErrTooCostly) {
		t.Errorf("error %v, want ErrTooCostly", err)
	}
}

// hostileBytes are up to 4 MiB of what a reader of lines of JSON might choke on.
func hostileBytes() map[string][]byte {
	random := make([]byte, record.MaxRecord)
	dice := rand.NewChaCha8([32]byte{1})
	if _, err := dice.Read(random); err != nil {
		panic(err) // it gives as much as is asked
	}
	fill := func(s string) []byte { return []byte(strings.Repeat(s, record.MaxRecord/len(s))) }
	lines := func(prefix, filling, end string) []byte {
		line := prefix + strings.Repeat(filling, (record.MaxLine-len(prefix)-len(end))/len(filling)) + end + "\n"
		return fill(line)
	}
	return map[string][]byte{
		"random":        random,
		"braces":        fill("{"),
		"zeros":         fill("\x00"),
		"quotes":        fill(`"`),
		"newlines":      fill("\n"),
		"short lines":   []byte(strings.Repeat("{\"n\":0,\"type\":\"x\"}\n", record.MaxLines)),
		"nested":        lines(`{"n":0,"type":`, "[", "}"),
		"escapes":       lines(`{"n":0,"type":"`, `\u0000`, `"}`),
		"a long list":   lines(`{"n":0,"t":[`, "1,", `1],"type":"show"}`),
		"long facts":    lines(`{"facts":{"a":[`, "[],", `1]},"hands":{},"keys":{},"n":0,"t":0,"type":"show"}`),
		"receipts":      fill("{\"receipt\":\"0.a.b\"}\n"),
		"a large file":  append(fill("x"), "xxxxxxxx"...),
		"ends":          []byte(strings.Repeat("{\"n\":0,\"reason\":\"expired\",\"seed\":\""+hex.EncodeToString(sum("x"))+"\",\"t\":0,\"type\":\"end\"}\n", record.MaxLines)),
		"wrong ends":    []byte(strings.Repeat("{\"n\":0,\"type\":\"end\",\"type\":\"end\"}\n", record.MaxLines)),
		"only the seed": []byte("{\"n\":0,\"reason\":\"expired\",\"seed\":\"" + hex.EncodeToString(sum("x")) + "\",\"t\":0,\"type\":\"end\"}\n"),
	}
}

func TestHostileBytes(t *testing.T) {
	v := newVerifier(t, verifier.Options{Key: public()})
	for name, text := range hostileBytes() {
		start := time.Now()
		got := outcome(v, text)
		t.Logf("%s: %.80s in %v", name, got, time.Since(start))
		if got == "verified" || strings.Contains(got, "fault of the verifier") {
			t.Errorf("%s: %s", name, got)
		}
	}
}
