package verifier_test

import (
	"crypto/ed25519"
	"strings"

	"dudo.example/core/record"
)

// fault is one thing done to an honest record.
type fault struct {
	name string // of the file; what precedes a dash groups them
	what string
	make func(*draft)
	from string // the honest game, "finished" if empty
}

func (f fault) base() string {
	if f.from == "" {
		return "finished"
	}
	return f.from
}

// faults are those of form and order; see also the lists it is joined from.
var faults = join(formFaults, clockFaults, openFaults, rosterFaults, dealFaults, moveFaults, endFaults, receiptFaults)

func join(lists ...[]fault) []fault {
	var all []fault
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

var otherKey = ed25519.NewKeyFromSeed(sum("another server"))

func object(kind string, members ...record.Member) record.Object {
	return append(record.Object{{Name: "type", Value: kind}}, members...)
}

func seat(n int64) record.Member { return record.Member{Name: "seat", Value: n} }

func bid(who, quantity, face int64) record.Object {
	return object("act", seat(who), record.Member{Name: "action", Value: "bid"}, record.Member{
		Name: "args", Value: record.Object{{Name: "quantity", Value: quantity}, {Name: "face", Value: face}},
	})
}

var formFaults = []fault{
	{"form-space", "a space after a comma", func(d *draft) { d.replace(`"type":"act"}`, ` "type":"act"}`) }, ""},
	{"form-member-order", "members out of order", func(d *draft) {
		d.replace(`"seat":0,"t":1764500001000,"type":"join"`, `"t":1764500001000,"seat":0,"type":"join"`)
	}, ""},
	{"form-member-twice", "a member twice", func(d *draft) { d.replace(`"n":3,`, `"n":3,"n":3,`) }, ""},
	{"form-escape", "an escape where none is needed", func(d *draft) { d.replace(`so many?`, `so\u0020many?`) }, ""},
	{"form-control", "a raw control character in talk", func(d *draft) { d.replace(`so many?`, "so\tmany?") }, ""},
	{"form-utf8", "talk that is not UTF-8", func(d *draft) { d.replace(`so many?`, "so\xffmany?") }, ""},
	{"form-number", "a number with a fraction", func(d *draft) { d.replace(`"seats":4`, `"seats":4.0`) }, ""},
	{"form-exponent", "a number with an exponent", func(d *draft) { d.replace(`"seats":4`, `"seats":4e0`) }, ""},
	{"form-minus-zero", "a zero with a sign", func(d *draft) { d.replace(`"seat":0`, `"seat":-0`) }, ""},
	{"form-large-number", "a number beyond 2^53", func(d *draft) { d.replace(`"seats":4`, `"seats":9007199254740993`) }, ""},
	{"form-empty-line", "an empty line between events", func(d *draft) { d.replace("}\n", "}\n\n") }, ""},
	{"form-crlf", "lines ended as on Windows", func(d *draft) {
		d.raw = []byte(strings.ReplaceAll(string(d.file()), "\n", "\r\n"))
	}, ""},
	{"form-bom", "a byte order mark", func(d *draft) { d.raw = append([]byte("\xef\xbb\xbf"), d.file()...) }, ""},
	{"form-list", "a line that is a list", func(d *draft) {
		d.raw = append([]byte("[]\n"), d.file()...)
	}, ""},
	{"form-deep", "facts nested deeper than 6", func(d *draft) {
		d.replace(`"facts":{`, `"facts":{"a":[[[[[1]]]]],`)
	}, ""},
	{"form-two-in-a-line", "two events in a line", func(d *draft) { d.replace("\"type\":\"join\"}\n", `"type":"join"}`) }, ""},
	{"form-long-line", "a line of more than 64 KiB", func(d *draft) {
		d.put(d.find("act", 0), "say", strings.Repeat("x", record.MaxLine))
	}, ""},
	{"event-type", "a type of no event", func(d *draft) { d.put(d.find("act", 0), "type", "pass") }, ""},
	{"event-version", "another version of the format", func(d *draft) { d.put(0, "v", "dudo/2") }, ""},
	{"event-member-missing", "a move without arguments", func(d *draft) { d.drop(d.find("act", 0), "args") }, ""},
	{"event-member-unknown", "a member of no meaning", func(d *draft) { d.put(d.find("start", 0), "note", "x") }, ""},
	{"event-member-type", "a seat written as text", func(d *draft) { d.put(d.find("act", 0), "seat", "0") }, ""},
	{"event-empty-talk", "talk of no characters", func(d *draft) { d.put(d.find("act", 0), "say", "") }, ""},
	{"event-owner", "a hand of neither a seat nor the table", func(d *draft) { d.put(d.find("deal", 0), "hc.x", "00") }, ""},
	{"number-gap", "a number left out", func(d *draft) {
		for i := d.find("act", 0); i < len(d.lines); i++ {
			d.add(i, "n", 1)
		}
	}, ""},
	{"number-from-one", "events numbered from 1", func(d *draft) {
		for i := range d.lines {
			d.add(i, "n", 1)
		}
	}, ""},
	{"number-twice", "an event twice", func(d *draft) {
		i := d.find("act", 0)
		d.lines = append(d.lines[:i+1:i+1], d.lines[i:]...)
	}, ""},
	{"number-swapped", "two events swapped", func(d *draft) {
		i := d.find("join", 0)
		d.lines[i], d.lines[i+1] = d.lines[i+1], d.lines[i]
	}, ""},
	{"number-of-deal", "a deal with another number of event", func(d *draft) { d.add(d.find("deal", 0), "n", 1) }, ""},
	{"not-a-record", "something else", func(d *draft) { d.raw = []byte("to be or not to be\n") }, ""},
	{"not-a-record-json", "JSON of another kind", func(d *draft) { d.raw = []byte("{\"seed\":1}\n[2]\n") }, ""},
	{"not-a-record-empty", "nothing at all", func(d *draft) { d.raw = []byte{} }, ""},
	{"not-a-record-lines", "more lines than a record has", func(d *draft) { d.raw = []byte(strings.Repeat("\n", record.MaxLines+1)) }, ""},
}

var clockFaults = []fault{
	{"time-back", "a time that goes back", func(d *draft) { d.add(d.find("act", 1), "t", -60_000) }, ""},
	{"time-of-deal", "a deal later than the start that led to it", func(d *draft) { d.add(d.find("deal", 0), "t", 1) }, ""},
	{"late-move", "a move a millisecond after its deadline", func(d *draft) {
		late(d, d.find("act", 0), 60_001)
	}, ""},
	{"late-after-resume", "a move after a deadline that a resume put off", func(d *draft) {
		late(d, d.find("resume", 0)+1, 60_001)
	}, ""},
	{"early-timeout", "a timeout a second early", func(d *draft) {
		late(d, d.find("timeout", 0), 59_000)
	}, ""},
	{"early-timeout-at-deadline", "a timeout at the deadline, when a move is still in time", func(d *draft) {
		late(d, d.find("timeout", 0), 60_000)
	}, ""},
	{"early-timeout-turn", "turns stated longer than they were", func(d *draft) { d.put(0, "turn_seconds", int64(62)) }, ""},
	{"late-move-turn", "turns stated shorter than they were", func(d *draft) {
		late(d, d.find("act", 0), 30_000)
		d.put(0, "turn_seconds", int64(20))
	}, ""},
	{"timeout-seat", "a timeout of a seat whose turn it is not", func(d *draft) { d.put(d.find("timeout", 0), "seat", int64(0)) }, ""},
	{"timeout-before-start", "a timeout before the start", func(d *draft) { d.insert(2, object("timeout", seat(0))) }, ""},
	{"resume-before-start", "a resume before the start", func(d *draft) { d.insert(2, object("resume")) }, ""},
	{"resume-missing", "a resume taken out", func(d *draft) { d.remove(d.find("resume", 0)) }, ""},
	{"timeout-missing", "a timeout taken out", func(d *draft) { d.remove(d.find("timeout", 0)) }, ""},
}

// late moves the i-th event to so long after the one before, and all that follow with it.
func late(d *draft, i int, after int64) {
	by := d.get(i-1, "t").(int64) + after - d.get(i, "t").(int64)
	for ; i < len(d.lines); i++ {
		d.add(i, "t", by)
	}
}
