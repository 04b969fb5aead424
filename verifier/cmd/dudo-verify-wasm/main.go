//go:build js && wasm

// Command dudo-verify-wasm is package verifier for JavaScript: the same code, the same verdicts, in a browser or in Node.js.
//
// Once it runs, globalThis.dudoVerify(record, options) gives the verdict of a record as JSON, the same text that
// dudo-verify --json writes but for the source. The record is a Uint8Array or a string. The options are all optional:
// key, the server's public key from a place that the caller trusts; pins, lines of an origin and its key; receipts, a list of
// those that a player kept. Options that cannot be read are an unreadable record.
//
// client.mjs loads it when the first record is verified, in a Web Worker, so that a page does not wait for it.
package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"syscall/js"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

// patience is the time of native code many times over: WebAssembly is slower, and a page can close its worker.
const patience = 10 * verifier.Patience

func main() {
	v, err := verifier.New(verifier.Options{Patience: patience})
	if err != nil {
		panic(err) // the shipped rules do not load: a bug of ours
	}
	js.Global().Set("dudoVerify", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(verdict(v, args).JSON())
	}))
	select {} // as long as the page is there
}

// verdict gives an unreadable record for whatever is not what it takes, so that a page's mistake does not end the program.
func verdict(v *verifier.Verifier, args []js.Value) (answer verifier.Verdict) {
	defer func() {
		if x := recover(); x != nil {
			answer = verifier.NewVerdict("", nil, fmt.Errorf("dudoVerify takes a record and options: %v", x))
		}
	}()
	o := verifier.Options{Patience: patience}
	if len(args) > 1 {
		var err error
		if err = options(&o, args[1]); err != nil {
			return verifier.NewVerdict("", nil, err)
		}
	}
	report, err := v.With(o).Verify(read(args[0]))
	return verifier.NewVerdict("", report, err)
}

// read copies at most one byte more than a record has.
func read(from js.Value) io.Reader {
	if from.Type() == js.TypeString {
		return strings.NewReader(from.String())
	}
	b := make([]byte, min(from.Get("length").Int(), record.MaxRecord+1))
	js.CopyBytesToGo(b, from)
	return bytes.NewReader(b)
}

func options(o *verifier.Options, from js.Value) (err error) {
	if from.Type() != js.TypeObject {
		return nil
	}
	if text, ok := textOf(from, "key"); ok {
		if o.Key, err = record.ParseKey(text); err != nil {
			return fmt.Errorf("key: %w", err)
		}
	}
	if text, ok := textOf(from, "pins"); ok {
		if o.Pins, err = verifier.ReadPins(strings.NewReader(text)); err != nil {
			return fmt.Errorf("pins: %w", err)
		}
	}
	receipts := from.Get("receipts")
	if receipts.Type() != js.TypeObject {
		return nil
	}
	for i := range receipts.Length() {
		r, err := record.ParseReceipt(receipts.Index(i).String())
		if err != nil {
			return fmt.Errorf("receipts: %w", err)
		}
		o.Kept = append(o.Kept, r)
	}
	return nil
}

func textOf(from js.Value, name string) (string, bool) {
	v := from.Get(name)
	if v.Type() != js.TypeString {
		return "", false
	}
	return v.String(), true
}
