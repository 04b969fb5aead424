package record_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/core/record/corpus"
	"github.com/google/go-cmp/cmp"
)

// The vectors are part of the dudo/1 format.
func TestChainAndReceiptVectors(t *testing.T) {
	lines := []record.Line{
		`{"n":0,"t":1764500000000,"type":"open"}`,
		`{"n":1,"name":"ann","seat":0,"t":1764500000500,"type":"join"}`,
	}
	heads := []record.Head{
		"764b222bd67ed675048ec7ac8608d48c9dfb6f20f7fcb51f77a4dac85da9995b",
		"50a9e2676ba8fad7f8a69d00291fad067b49a4edb41c624697d53f83f08389b5",
	}
	head := record.NoHead
	for i, l := range lines {
		if head = head.Next(l); head != heads[i] {
			t.Errorf("head(%d) = %s, want %s", i, head, heads[i])
		}
	}
	seed, err := hex.DecodeString("5221f5a9f556fa74288e4964c110c57052ecbb2ffd4c813fa84144d16870bea4")
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	public := key.Public().(ed25519.PublicKey)
	if got, want := record.KeyText(public), "1qredKTRIo7nq8E16gz62Po1hNrqWroszoiB8qtUeik"; got != want {
		t.Errorf("public key = %s, want %s", got, want)
	}
	const want = "1.UKniZ2uo-tf4pp0AKR-tBntJpO20HGJGl9U_g_CDibU.vgUBx-3fAJP28NtHuG7VECmqTIkk2kArmFhTkNLD9c1NAdow9_jVJDf2xO8SCnTjFGFLVtPVKAQNLpu3eW2zDg"
	if got := record.Sign(key, "dudo.example", "ZCLP-0A1B2C3D", 1, head).String(); got != want {
		t.Errorf("receipt = %s, want %s", got, want)
	}
	r, err := record.ParseReceipt(want)
	if err != nil {
		t.Fatal(err)
	}
	if !r.Verify(public, "dudo.example", "ZCLP-0A1B2C3D") {
		t.Error("the receipt does not verify")
	}
	if r.Verify(public, "dudo.example", "ZCLP-0A1B2C3E") || r.Verify(public, "dudo.exampl", "ZCLP-0A1B2C3D") || r.Verify(nil, "dudo.example", "ZCLP-0A1B2C3D") {
		t.Error("the receipt verifies for another game, server or key")
	}
}

func TestParseReceiptRefuses(t *testing.T) {
	good := "1.UKniZ2uo-tf4pp0AKR-tBntJpO20HGJGl9U_g_CDibU.vgUBx-3fAJP28NtHuG7VECmqTIkk2kArmFhTkNLD9c1NAdow9_jVJDf2xO8SCnTjFGFLVtPVKAQNLpu3eW2zDg"
	for _, bad := range []string{
		"", ".", "..", "0" + good, "-" + good, "+" + good, good + "=", good + "A", strings.Replace(good, ".", "", 1),
		strings.Replace(good, "ibU.", "ibV.", 1), // bits beyond the last byte
		strings.Replace(good, "vgUB", "vg\nUB", 1), strings.Replace(good, "UKni", "UK\r\nni", 1), good + "\n",
		strings.Repeat("1", 300), strings.Replace(good, "1.", "9007199254740992.", 1),
	} {
		if _, err := record.ParseReceipt(bad); err == nil {
			t.Errorf("ParseReceipt(%q) succeeded", bad)
		}
	}
}

func TestParseKeyRefuses(t *testing.T) {
	const good = "1qredKTRIo7nq8E16gz62Po1hNrqWroszoiB8qtUeik"
	if _, err := record.ParseKey(good); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"", good[1:], good + "A", good + "=", good + "\n", "\n" + good[1:], "1q\n" + good[2:], good[:42] + "l", strings.ToUpper(good[:42]) + "/"} {
		if _, err := record.ParseKey(bad); err == nil {
			t.Errorf("ParseKey(%q) succeeded", bad)
		}
	}
}

func TestCanonicalForm(t *testing.T) {
	tests := []struct {
		line record.Line
		err  string // a part of it; empty if the line is canonical
	}{
		{`{}`, ""},
		{`{"a":[1,-2,0,true,false,null,"x",{}],"b":{"c":[]}}`, ""},
		{`{"a":9007199254740991,"b":-9007199254740991}`, ""},
		{`{"a":"\b\t\n\f\r\"\\\u0000\u001f/<>&é€𝄞 "}`, ""},
		{"{\"a\":\"\u2028\u2029\x7f\"}", ""},
		{"{\"\U0001d11e\":1,\"\ufb33\":2}", ""}, // RFC 8785, 3.2.3: by UTF-16 code units
		{"{\"\ufb33\":2,\"\U0001d11e\":1}", "out of order"},
		{``, "want an object"},
		{`[]`, "want an object"},
		{`{"b":1,"a":2}`, "out of order"},
		{`{"a":1,"a":2}`, "out of order or twice"},
		{`{ "a":1}`, "want '\"'"},
		{`{"a": 1}`, "want a value"},
		{`{"a":1 }`, "want '}'"},
		{`{"a":1,}`, "want '\"'"},
		{`{"a":1}x`, "something follows"},
		{`{"a":1}` + "\n", "something follows"},
		{`{"a":1.0}`, "not an integer"},
		{`{"a":1e2}`, "not an integer"},
		{`{"a":-0}`, "not an integer"},
		{`{"a":01}`, "not an integer"},
		{`{"a":-}`, "not an integer"},
		{`{"a":9007199254740992}`, "not an integer"},
		{`{"a":99999999999999999999}`, "not an integer"},
		{`{"a":"\u0041"}`, "not in canonical form"},
		{`{"a":"\/"}`, "not in canonical form"},
		{`{"a":"\u001F"}`, "not in canonical form"},
		{`{"a":"\u000a"}`, "not in canonical form"},
		{`{"a":"\x"}`, "not in canonical form"},
		{`{"a":"\`, "without end"},
		{`{"a":"\"`, "without end"},
		{`{"a":"x`, "without end"},
		{"{\"a\":\"\x01\"}", "control character"},
		{"{\"a\":\"\xff\"}", "invalid UTF-8"},
		{`{"a":tru}`, "want a value"},
		{`{"a":[[[[[[]]]]]]}`, "nested deeper"},
		{`{"a":[[[[]]]]}`, ""},
		{record.Line(`{"a":"` + strings.Repeat("x", record.MaxLine) + `"}`), "more than 64 KiB"},
	}
	for _, tt := range tests {
		o, err := record.ParseObject(tt.line)
		if tt.err == "" {
			if err != nil {
				t.Errorf("ParseObject(%.80s): %v", tt.line, err)
			} else if got := o.Encode(); got != tt.line {
				t.Errorf("%s is written again as %s", tt.line, got)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.err) || !errors.Is(err, record.ErrNotCanonical) {
			t.Errorf("ParseObject(%.80s) = %v, want an error with %q", tt.line, err, tt.err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, e := range events {
		f.Add(string(e.Encode()))
	}
	for _, list := range []func() ([]corpus.Case, error){corpus.JSON, corpus.Events} {
		cases, err := list()
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range cases {
			f.Add(c.Text)
		}
	}
	f.Add(`{"a":"\b\u0000","b":[1,{"c":null}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		if o, err := record.ParseObject(record.Line(s)); err == nil && string(o.Encode()) != s {
			t.Errorf("%q is accepted and written as %q", s, o.Encode())
		}
		if e, err := record.Parse(record.Line(s)); err == nil && string(e.Encode()) != s {
			t.Errorf("event %q is accepted and written as %q", s, e.Encode())
		}
	})
}

// There is one text for a receipt, and one for a key.
func FuzzReceipt(f *testing.F) {
	const good = "1.UKniZ2uo-tf4pp0AKR-tBntJpO20HGJGl9U_g_CDibU.vgUBx-3fAJP28NtHuG7VECmqTIkk2kArmFhTkNLD9c1NAdow9_jVJDf2xO8SCnTjFGFLVtPVKAQNLpu3eW2zDg"
	f.Add(good)
	f.Add("9007199254740991" + good[1:])
	f.Add(good[2:45])
	public := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public().(ed25519.PublicKey)
	f.Add(strings.Replace(good, "vgUB", "vg\nUB", 1))
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := record.ParseReceipt(s); err == nil {
			if got := r.String(); got != s {
				t.Errorf("%q is accepted and written as %q", s, got)
			}
			if r.Verify(public, "another.example", "ZCLP-0A1B2C3D") {
				t.Errorf("%q verifies, which nobody signed", s)
			}
		}
		if key, err := record.ParseKey(s); err == nil && record.KeyText(key) != s {
			t.Errorf("the key %q is accepted and written as %q", s, record.KeyText(key))
		}
	})
}

var events = []record.Event{
	{N: 0, T: 1, Body: record.Open{
		Origin: "dudo.example", GID: "ZCLP-0A1B2C3D", Key: "k", Commit: "c",
		Rules:   record.Rules{Game: "liars-dice/standard", SHA256: "d", Text: "dudo: 1\n# \"quoted\"\n"},
		Options: []record.Option{{Name: "dice", Value: 3}, {Name: "wild", Value: 1, Bool: true}},
		Seats:   2, TurnSeconds: 60, Public: true,
	}},
	{N: 1, T: 2, Body: record.Join{Seat: 0, Name: "ann"}},
	{N: 2, T: 2, Body: record.Join{Seat: 1, Name: "croupier", Bot: &record.Bot{Name: "croupier", Version: "1", SHA256: "ab"}}},
	{N: 3, T: 3, Body: record.Nonce{Seat: 0, Nonce: "purple otter 41"}},
	{N: 4, T: 3, Body: record.Start{By: 0}},
	{N: 5, T: 3, Body: record.Deal{
		Deal: 1, HC: []record.Owned[string]{{0, "a"}, {1, "b"}, {-1, "c"}}, Counts: []record.Owned[int]{{0, 3}, {1, 3}, {-1, 1}},
	}},
	{N: 6, T: 4, Body: record.Act{Seat: 0, Action: "bid", Args: []record.Arg{{"face", 5}, {"quantity", 2}}, Say: "süß"}},
	{N: 7, T: 4, Body: record.Timeout{Seat: 1}},
	{N: 7, T: 4, Body: record.Timeout{Seat: 1, Fault: "crashed"}},
	{N: 8, T: 5, Body: record.Resume{}},
	{N: 9, T: 5, Body: record.Show{
		Keys: []record.Owned[string]{{0, "k"}}, Hands: []record.Owned[[]int]{{0, []int{1, 2, 5}}},
		Facts: record.Object{{"bid", record.Object{{"face", int64(5)}, {"seat", nil}}}, {"found", int64(2)}},
	}},
	{N: 10, T: 6, Body: record.End{Reason: record.ReasonFinished, Places: []int{1, 2}, Seed: "00"}},
	{N: 10, T: 6, Body: record.End{Reason: record.ReasonLimit, Payoffs: []int{-1, 1}, Seed: "00"}},
}

func TestEventsReadBack(t *testing.T) {
	for _, e := range events {
		line := e.Encode()
		got, err := record.Parse(line)
		if err != nil {
			t.Errorf("Parse(%s): %v", line, err)
			continue
		}
		if again := got.Encode(); again != line {
			t.Errorf("%s is read and written as %s", line, again)
		}
		if e.Body.Type() != "deal" && e.Body.Type() != "show" { // owners come back in the order of their names
			if d := cmp.Diff(e, got); d != "" {
				t.Errorf("Parse(%s) differs (-want +got):\n%s", line, d)
			}
		}
	}
}

// Every member is required or known: without it, with another type or with one more, a line is no event.
func TestEventsAreStrict(t *testing.T) {
	for _, e := range events {
		o, err := record.ParseObject(e.Encode())
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range o {
			without := append(append(record.Object{}, o[:i]...), o[i+1:]...)
			optional := m.Name == "say" || m.Name == "fault" || m.Name == "bot" || m.Name == "places" || m.Name == "payoffs"
			if _, err := record.Parse(without.Encode()); (err == nil) != optional {
				t.Errorf("%s without %s: error %v", e.Body.Type(), m.Name, err)
			}
			other := append(record.Object{}, o...)
			other[i].Value = []record.Value{"x"}
			if _, err := record.Parse(other.Encode()); err == nil {
				t.Errorf("%s with a list of strings as %s was accepted", e.Body.Type(), m.Name)
			}
		}
		more := append(append(record.Object{}, o...), record.Member{Name: "zz", Value: nil})
		var bad *record.EventError
		if _, err := record.Parse(more.Encode()); !errors.As(err, &bad) {
			t.Errorf("%s with an unknown member: error %v", e.Body.Type(), err)
		}
	}
}

func TestFile(t *testing.T) {
	f := record.File{Lines: []record.Line{`{"n":0}`, `{"n":1}`}, Receipt: "1.x.y"}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := record.ReadFile(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(f, got); d != "" {
		t.Errorf("read back (-want +got):\n%s", d)
	}
	for name, bad := range map[string]string{
		"empty": "", "no newline": `{"n":0}`, "a receipt that is no object": "{\"receipt\":1}\n", "receipt and more": "{\"receipt\":\"a\",\"x\":1}\n",
		"too large": strings.Repeat("x\n", record.MaxLines+1), "a long line": strings.Repeat("x", record.MaxLine+1) + "\n",
		"too many bytes": strings.Repeat(strings.Repeat("x", 60000)+"\n", 80),
	} {
		if _, err := record.ReadFile(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
