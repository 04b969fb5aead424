package verifier

import (
	"crypto/ed25519"
	"fmt"

	"dudo.example/core/record"
)

// key is the server's key as the user knows it, and where from. Of several pinned keys it is the one that the record names, else the
// first.
func (p *pass) key(named ed25519.PublicKey) (ed25519.PublicKey, string) {
	if p.options.Key != nil {
		return p.options.Key, KeyGiven
	}
	pinned := p.options.Pins[p.open.Origin]
	if len(pinned) == 0 {
		return nil, ""
	}
	if p.options.Pins.Knows(p.open.Origin, named) {
		return named, KeyPinned
	}
	return pinned[0], KeyPinned
}

// receipts checks the receipt of the file, whose chain ends with that head, and those that the user kept. The open event's key is
// one in form.
func (p *pass) receipts(head record.Head) *Failure {
	named, err := record.ParseKey(p.open.Key)
	if err != nil {
		return fail(CheckKey, "a key", p.open.Key, "the record names no server's key")
	}
	key, from := p.key(named)
	if key != nil && !key.Equal(named) {
		f := member("key", fail(CheckKey, record.KeyText(key), p.open.Key, "the record names another key than the one you know: it is not that server's, or the server has a new key and you have to ask it"))
		f.Event = 0
		return f
	}
	last := int64(len(p.lines) - 1)
	if f := p.ownReceipt(named, key, from, last, head); f != nil {
		f.Event = WholeFile
		return f
	}
	for _, kept := range p.options.Kept {
		if f := p.keptReceipt(kept, named, last); f != nil {
			f.Event = WholeFile
			return f
		}
		p.report.Kept = append(p.report.Kept, Kept{N: kept.N, Checked: key != nil})
		if key != nil {
			p.keptUpTo = max(p.keptUpTo, kept.N)
		}
	}
	return nil
}

// ownReceipt checks the receipt at the end of the file.
func (p *pass) ownReceipt(named, key ed25519.PublicKey, from string, last int64, head record.Head) *Failure {
	if p.receipt == "" {
		if key != nil && len(p.options.Kept) == 0 {
			return fail(CheckReceipt, "a receipt", "none", "a key was given, but the file has no receipt that it could check")
		}
		return nil
	}
	r, f := parseReceiptLine(p.receipt)
	switch {
	case f != nil:
		return f
	case p.beyond:
		return fail(CheckEnd, "nothing", "more lines", "something follows the receipt")
	case p.cut:
		return fail(CheckTruncated, "a newline", "the end of the file", "the last line does not end")
	case r.N != last:
		return fail(CheckReceipt, last, r.N, "the receipt is not of the last event")
	case r.Head != head:
		return fail(CheckChain, head, r.Head, "the receipt is not of these events")
	case !r.Verify(named, p.open.Origin, p.open.GID):
		return fail(CheckSignature, "a signature by "+p.open.Key, "another", "the server with that key did not sign this history of this game")
	}
	p.report.Receipt = Receipt{Present: true, N: r.N}
	if key != nil {
		p.report.Receipt.Checked, p.report.Receipt.Key, p.report.Receipt.KeyFrom = true, record.KeyText(key), from
	}
	return nil
}

func parseReceiptLine(line string) (record.Receipt, *Failure) {
	o, err := record.ParseObject(record.Line(line))
	if err != nil {
		f := malformed(record.Line(line), err)
		f.Check = CheckReceipt
		return record.Receipt{}, f
	}
	text, ok := o[0].Value.(string)
	if !ok || len(o) != 1 {
		return record.Receipt{}, fail(CheckReceipt, "a line with the receipt alone", line, "the last line is no receipt")
	}
	r, err := record.ParseReceipt(text)
	if err != nil {
		return record.Receipt{}, fail(CheckReceipt, "n.head.signature", text, "%s", err.Error())
	}
	return r, nil
}

// keptReceipt checks a receipt that the user kept against the record.
func (p *pass) keptReceipt(r record.Receipt, named ed25519.PublicKey, last int64) *Failure {
	switch {
	case r.N > last:
		return fail(CheckKept, fmt.Sprintf("an event %d", r.N), fmt.Sprintf("%d events", last+1), "the record lacks events that you have a receipt for")
	case !r.Verify(named, p.open.Origin, p.open.GID):
		return fail(CheckKept, "a receipt of this game signed by "+p.open.Key, "another", "the receipt that you kept is not of this game or not of this server")
	}
	if head := record.HeadOf(p.lines[:r.N+1]); head != r.Head {
		return fail(CheckKept, r.Head, head, "the server signed another history up to event %d", r.N)
	}
	return nil
}
