package verifier_test

import (
	"strings"

	"dudo.example/core/record"
)

const gid = "ZCLP-0A1B2C3D"

// receiptLine is the last line of a file with that receipt.
func receiptLine(text string) []byte {
	return []byte(string(record.Object{{Name: "receipt", Value: text}}.Encode()) + "\n")
}

func (d *draft) last() int { return len(d.lines) - 1 }

var receiptFaults = []fault{
	{"receipt-missing", "no receipt, though a key is given", func(d *draft) { d.raw = file(record.File{Lines: d.log()}) }, ""},
	{"receipt-garbled", "a receipt that is none", func(d *draft) { d.signed = receiptLine("32.x.y") }, ""},
	{"receipt-form", "a receipt's line that is not canonical", func(d *draft) { d.replace(`{"receipt":`, `{"receipt": `) }, ""},
	{"receipt-number", "a receipt that is a number", func(d *draft) { d.signed = []byte("{\"receipt\":1}\n") }, ""},
	{"receipt-member", "a receipt's line with another member", func(d *draft) { d.replace(`{"receipt":`, `{"receipt":"",`+`"x":`) }, ""},
	{"receipt-earlier", "the receipt of an earlier event", func(d *draft) {
		d.signed = receiptLine(receipt(serverKey, origin, gid, d.log(), d.last()-1).String())
	}, ""},
	{"receipt-later", "a receipt for more events than there are", func(d *draft) {
		lines := append(d.log(), `{}`)
		d.signed = receiptLine(receipt(serverKey, origin, gid, lines, d.last()+1).String())
	}, ""},
	{"receipt-other-game", "the receipt of another game", func(d *draft) {
		d.signed = receiptLine(receipt(serverKey, origin, "ZCLP-0A1B2C3E", d.log(), d.last()).String())
	}, ""},
	{"receipt-other-origin", "the receipt of another server with the same key", func(d *draft) {
		d.signed = receiptLine(receipt(serverKey, "dudo.example.net", gid, d.log(), d.last()).String())
	}, ""},
	{"receipt-other-key", "a receipt by another key", func(d *draft) {
		d.signed = receiptLine(receipt(otherKey, origin, gid, d.log(), d.last()).String())
	}, ""},
	{"receipt-other-key-unknown", "a receipt that is not by the key that the record names, no key given", func(d *draft) {
		d.key = false
		d.signed = receiptLine(receipt(otherKey, origin, gid, d.log(), d.last()).String())
	}, ""},
	{"receipt-signature", "a signature with a character changed", func(d *draft) {
		text := receipt(serverKey, origin, gid, d.log(), d.last()).String()
		i := len(text) - 20
		c := "A"
		if text[i] == 'A' {
			c = "B"
		}
		d.signed = receiptLine(text[:i] + c + text[i+1:])
	}, ""},
	{"receipt-twice", "two receipts", func(d *draft) {
		line := receiptLine(receipt(serverKey, origin, gid, d.log(), d.last()).String())
		d.signed = append(line, line...)
	}, ""},
	{"receipt-and-more", "an event after the receipt", func(d *draft) {
		line := receiptLine(receipt(serverKey, origin, gid, d.log(), d.last()).String())
		d.signed = append(line, "{}\n"...)
	}, ""},
	{"receipt-alone", "a receipt without events", func(d *draft) {
		d.raw = receiptLine(receipt(serverKey, origin, gid, d.log(), d.last()).String())
	}, ""},
	{"chain-talk", "talk changed after the receipt was made", func(d *draft) {
		d.replace("¡dudo!", "¡nada!")
	}, ""},
	{"chain-name", "a name changed after the receipt was made", func(d *draft) { d.replace(`"name":"ann"`, `"name":"eve"`) }, ""},
	{"chain-time", "a time changed after the receipt was made", func(d *draft) {
		d.replace(`"t":1764500001000`, `"t":1764500001001`)
	}, ""},
	{"chain-unknown-key", "talk changed after the receipt was made, no key given", func(d *draft) {
		d.key = false
		d.replace("¡dudo!", "¡nada!")
	}, ""},
	{"kept-other-history", "a kept receipt of another history of the game", func(d *draft) {
		lines := d.log()
		lines[1] = record.Line(strings.Replace(string(lines[1]), "ann", "eve", 1))
		d.kept = []record.Receipt{receipt(serverKey, origin, gid, lines, 9)}
	}, ""},
	{"kept-more-events", "a kept receipt of an event that the record lacks", func(d *draft) {
		lines := append(d.log(), `{}`)
		d.kept = []record.Receipt{receipt(serverKey, origin, gid, lines, d.last()+1)}
	}, "abandoned"},
	{"kept-other-game", "a kept receipt of another game", func(d *draft) {
		d.kept = []record.Receipt{receipt(serverKey, origin, "ZCLP-0A1B2C3E", d.log(), 9)}
	}, ""},
	{"kept-other-key", "a kept receipt by another key, no key given", func(d *draft) {
		d.key = false
		d.kept = []record.Receipt{receipt(otherKey, origin, gid, d.log(), 9)}
	}, ""},
}
