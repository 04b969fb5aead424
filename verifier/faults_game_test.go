package verifier_test

import (
	"encoding/hex"
	"fmt"
	"strings"

	"dudo.example/core/record"
)

// shown is the place of the first event that opens hands.
func shown(d *draft) int {
	for i := range d.lines {
		if v, ok := d.lines[i].Get("hands"); ok && len(v.(record.Object)) > 0 {
			return i
		}
	}
	d.t.Fatal("no hands are shown")
	return 0
}

// otherDie turns a hand's last die.
func otherDie(v record.Value) record.Value {
	hand := append([]record.Value{}, v.([]record.Value)...)
	last := hand[len(hand)-1].(int64)
	hand[len(hand)-1] = last%6 + 1
	return hand
}

var dealFaults = []fault{
	{"deal-number", "a deal numbered otherwise", func(d *draft) { d.add(d.find("deal", 1), "deal", 1) }, ""},
	{"deal-missing", "a deal taken out", func(d *draft) { d.remove(d.find("deal", 0)) }, ""},
	{"deal-twice", "a deal twice", func(d *draft) {
		i := d.find("deal", 0)
		d.lines = append(d.lines[:i+1:i+1], d.lines[i:]...)
		d.lines[i+1] = append(record.Object{}, d.lines[i]...)
		d.renumber()
	}, ""},
	{"hc-other", "another commitment to a hand", func(d *draft) { d.put(d.find("deal", 0), "hc.1", hex.EncodeToString(sum("x"))) }, ""},
	{"hc-swapped", "two hands swapped", func(d *draft) { d.swap(d.find("deal", 0), "hc.0", "hc.1") }, ""},
	{"hc-missing", "no commitment to a hand", func(d *draft) { d.drop(d.find("deal", 0), "hc.2") }, ""},
	{"hc-table", "a commitment to draws that nobody made", func(d *draft) { d.put(d.find("deal", 0), "hc.t", hex.EncodeToString(sum("x"))) }, ""},
	{"hc-of-round-before", "the commitment of the round before", func(d *draft) {
		d.put(d.find("deal", 1), "hc.0", d.get(d.find("deal", 0), "hc.0"))
	}, ""},
	{"count-other", "a die more", func(d *draft) { d.add(d.find("deal", 0), "counts.0", 1) }, ""},
	{"count-after-loss", "a die less for somebody who did not lose one", func(d *draft) { d.add(d.find("deal", 1), "counts.0", -1) }, ""},
	{"key-other", "another key to a hand", func(d *draft) { d.put(shown(d), "keys.0", hex.EncodeToString(sum("x"))) }, ""},
	{"key-missing", "a hand shown without its key", func(d *draft) { d.drop(shown(d), "keys.1") }, ""},
	{"key-early", "a key shown with a deal", func(d *draft) {
		d.insert(d.find("deal", 0)+1, object("show", record.Member{Name: "facts", Value: record.Object{}},
			record.Member{Name: "hands", Value: record.Object{}},
			record.Member{Name: "keys", Value: record.Object{{Name: "0", Value: d.get(shown(d), "keys.0")}}}))
	}, ""},
	{"hand-other", "another die shown", func(d *draft) { i := shown(d); d.put(i, "hands.0", otherDie(d.get(i, "hands.0"))) }, ""},
	{"hand-more", "a die more shown", func(d *draft) {
		i := shown(d)
		d.put(i, "hands.0", append([]record.Value{int64(1)}, d.get(i, "hands.0").([]record.Value)...))
	}, ""},
	{"hand-swapped", "two hands swapped", func(d *draft) { d.swap(shown(d), "hands.0", "hands.1") }, ""},
	{"hand-of-round-before", "the hand of the round before, with its key", func(d *draft) {
		i := shown(d)
		for later := i + 1; later < len(d.lines); later++ {
			if _, ok := d.lines[later].Get("hands"); ok {
				d.put(later, "hands.0", d.get(i, "hands.0"))
				d.put(later, "keys.0", d.get(i, "keys.0"))
				return
			}
		}
	}, ""},
	{"hand-hidden", "a hand not shown", func(d *draft) { d.drop(shown(d), "hands.0") }, ""},
	{"fact-found", "a count that is wrong", func(d *draft) { d.add(shown(d), "facts.found", 1) }, ""},
	{"fact-loser", "the wrong loser", func(d *draft) {
		i := shown(d)
		d.put(i, "facts.loser", (d.get(i, "facts.loser").(int64)+1)%3)
	}, ""},
	{"fact-bid", "another bid than the standing one", func(d *draft) { d.add(shown(d), "facts.bid.quantity", -1) }, ""},
	{"fact-missing", "a fact left out", func(d *draft) { d.drop(shown(d), "facts.found") }, ""},
	{"fact-type", "a seat in the facts written as text", func(d *draft) { i := shown(d); d.put(i, "facts.loser", fmt.Sprint(d.get(i, "facts.loser"))) }, ""},
	{"fact-added", "a fact that the rules do not come to", func(d *draft) { d.put(shown(d), "facts.cheated", true) }, ""},
	{"show-missing", "a showdown taken out", func(d *draft) { d.remove(shown(d)) }, ""},
	{"show-unasked", "a showdown that nobody asked for", func(d *draft) {
		d.insert(d.find("act", 1), d.lines[shown(d)])
	}, ""},
}

// put a bid in the place of the k-th, of the same seat.
func rebid(d *draft, k int, quantity, face int64) {
	i := d.act("bid", k)
	d.put(i, "args", record.Object{{Name: "face", Value: face}, {Name: "quantity", Value: quantity}})
}

var moveFaults = []fault{
	{"move-equal", "a bid that only equals the standing one", func(d *draft) {
		i := d.act("bid", 0)
		d.put(i+1, "action", "bid")
		d.put(i+1, "args", d.get(i, "args"))
	}, ""},
	{"move-lower", "a bid below the standing one", func(d *draft) { rebid(d, 1, 1, 1) }, ""},
	{"move-quantity", "a bid on more dice than there are", func(d *draft) { rebid(d, 0, 7, 1) }, ""},
	{"move-none", "a bid on no dice", func(d *draft) { rebid(d, 0, 0, 1) }, ""},
	{"move-face", "a bid on a face that no die has", func(d *draft) { rebid(d, 0, 1, 7) }, ""},
	{"move-first-challenge", "a challenge before the first bid", func(d *draft) {
		i := d.act("bid", 0)
		d.put(i, "action", "challenge")
		d.put(i, "args", record.Object{})
	}, ""},
	{"move-action", "an action that the game does not have", func(d *draft) { d.put(d.act("bid", 0), "action", "pass") }, ""},
	{"move-argument-missing", "a bid without a face", func(d *draft) { d.drop(d.act("bid", 0), "args.face") }, ""},
	{"move-argument-added", "a bid with an argument too many", func(d *draft) { d.put(d.act("bid", 0), "args.raise", int64(1)) }, ""},
	{"move-challenge-argument", "a challenge with an argument", func(d *draft) { d.put(d.act("challenge", 0), "args.face", int64(1)) }, ""},
	{"move-removed", "a move taken out", func(d *draft) { d.remove(d.act("bid", 0)) }, ""},
	{"move-talk", "talk of 141 characters", func(d *draft) { d.put(d.act("bid", 0), "say", strings.Repeat("x", 141)) }, ""},
	{"turn-seat", "a move of another seat", func(d *draft) { d.put(d.act("bid", 0), "seat", int64(1)) }, ""},
	{"turn-nobody", "a move of a seat that nobody has", func(d *draft) { d.put(d.act("bid", 0), "seat", int64(5)) }, ""},
	{"turn-out", "a move of a player who is out", func(d *draft) { d.put(d.act("bid", -1), "seat", int64(2)) }, ""},
	{"move-before-start", "a move before the start", func(d *draft) { d.insert(d.find("start", 0), bid(0, 1, 1)) }, ""},
	{"move-other", "a legal bid in place of another, which changes the fact", func(d *draft) {
		i := d.find("act", -1) - 1
		d.put(i, "args.face", d.get(i, "args.face").(int64)%6+1)
	}, ""},
}

var endFaults = []fault{
	{"end-places", "two places swapped", func(d *draft) {
		d.put(d.find("end", 0), "places", []record.Value{int64(1), int64(2), int64(3)})
	}, ""},
	{"end-places-missing", "no places", func(d *draft) { d.drop(d.find("end", 0), "places") }, ""},
	{"end-places-short", "a place too few", func(d *draft) {
		i := d.find("end", 0)
		d.put(i, "places", d.get(i, "places").([]record.Value)[:2])
	}, ""},
	{"end-payoffs", "payoffs in a game that ranks", func(d *draft) {
		d.put(d.find("end", 0), "payoffs", []record.Value{int64(1), int64(0), int64(0)})
	}, ""},
	{"end-reason", "a finished game called expired", func(d *draft) { d.put(d.find("end", 0), "reason", "expired") }, ""},
	{"end-reason-unknown", "a reason that there is not", func(d *draft) { d.put(d.find("end", 0), "reason", "bored") }, "abandoned"},
	{"end-reason-finished", "an abandoned game called finished", func(d *draft) { d.put(d.find("end", 0), "reason", "finished") }, "abandoned"},
	{"end-reason-limit", "an abandoned game said to have reached the move limit", func(d *draft) {
		d.put(d.find("end", 0), "reason", "move limit")
	}, "abandoned"},
	{"end-early", "an end in the middle", func(d *draft) { d.insert(d.find("act", 2), d.lines[d.find("end", 0)]) }, ""},
	{"end-expired-places", "places in a game that did not finish", func(d *draft) {
		d.put(d.find("end", 0), "places", []record.Value{int64(1), int64(2)})
	}, "abandoned"},
	{"end-move-after", "a move after the end", func(d *draft) { d.insert(len(d.lines), bid(0, 1, 1)) }, ""},
	{"end-twice", "two ends", func(d *draft) {
		d.lines = append(d.lines, append(record.Object{}, d.lines[len(d.lines)-1]...))
		d.renumber()
	}, ""},
	{"truncated-end", "no end", func(d *draft) { d.remove(d.find("end", 0)) }, ""},
	{"truncated-middle", "the second half cut off", func(d *draft) { d.lines = d.lines[:len(d.lines)/2] }, ""},
	{"truncated-end-unmade", "the end without the showdown that leads to it", func(d *draft) { d.remove(len(d.lines) - 2) }, ""},
	{"truncated-line", "the file cut off within a line", func(d *draft) {
		text := d.file()
		d.raw = text[:len(text)/2]
	}, ""},
	{"truncated-newline", "the file cut off before the last event's newline", func(d *draft) {
		d.key = false
		text := file(record.File{Lines: d.log()})
		d.raw = text[:len(text)-1]
	}, ""},
	{"truncated-receipt", "the file cut off before the receipt's newline", func(d *draft) {
		text := d.file()
		d.raw = text[:len(text)-1]
	}, ""},
}
