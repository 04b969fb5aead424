package verifier_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

// TestContradict holds what one server signed against other things that it, or somebody else, signed.
func TestContradict(t *testing.T) {
	lines := playGame(t, bases["abandoned"])
	changed := func(from, to string) []record.Line {
		out := append([]record.Line{}, lines...)
		for i, l := range out {
			out[i] = record.Line(strings.Replace(string(l), from, to, 1))
		}
		return out
	}
	const gid = "ZCLP-0A1B2C3D"
	bare := func(lines []record.Line) []byte {
		file, err := record.ReadFile(bytes.NewReader(sign(lines)))
		if err != nil {
			t.Fatal(err)
		}
		return []byte(`{"gid":"` + gid + `","key":"` + record.KeyText(public()) + `","origin":"` + origin + `","receipt":"` + file.Receipt + `"}` + "\n")
	}
	mine := sign(lines)
	tests := []struct {
		name     string
		a, b     []byte
		event    int64
		no       string // why it is no proof
		unread   string
		swapping bool // the same the other way round
	}{
		{name: "a history rewritten", a: mine, b: sign(changed(`"name":"ann"`, `"name":"eve"`)), event: int64(len(lines) - 1), swapping: true},
		{name: "an earlier receipt of another history", a: mine, b: bare(changed(`"name":"ann"`, `"name":"eve"`)[:5]), event: 4, swapping: true},
		{name: "two receipts of one event", a: bare(lines[:6]), b: bare(changed(`"name":"ann"`, `"name":"eve"`)[:6]), event: 5, swapping: true},
		{name: "the same record", a: mine, b: mine, no: "they agree"},
		{name: "an earlier record of the game", a: mine, b: sign(lines[:7]), no: "they agree: both have the same history up to event 6", swapping: true},
		{name: "an earlier receipt", a: mine, b: bare(lines[:7]), no: "they agree", swapping: true},
		{name: "bare receipts of two events", a: bare(lines[:5]), b: bare(lines[:7]), no: "bring the record of that one", swapping: true},
		{name: "another game", a: mine, b: signAs(serverKey, origin, "ZCLP-0A1B2C3E", changed(gid, "ZCLP-0A1B2C3E")), no: "they are of two games", swapping: true},
		{name: "another server", a: mine, b: signAs(otherKey, origin, gid, lines), no: "is not signed by the key", swapping: true},
		{name: "nothing", a: mine, b: nil, unread: "this is no statement of a server"},
		{name: "a line of something else", a: mine, b: []byte(`{"gid":"x"}` + "\n"), unread: "this is no statement of a server"},
		{name: "no receipt", a: mine, b: []byte(text(lines)), unread: "this record has no receipt"},
		{name: "a receipt of other events", a: mine, b: append([]byte(text(lines[:3])), mine[bytes.LastIndex(mine, []byte(`{"receipt"`)):]...), unread: "not of its events"},
		{name: "half a receipt", a: mine, b: mine[:len(mine)-20], unread: "does not end"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			pairs := [][2][]byte{{tt.a, tt.b}}
			if tt.swapping {
				pairs = append(pairs, [2][]byte{tt.b, tt.a})
			}
			for _, pair := range pairs {
				var s [2]verifier.Statement
				for i, text := range pair {
					var err error
					if s[i], err = verifier.ReadStatement(bytes.NewReader(text)); err != nil {
						if tt.unread == "" || !strings.Contains(err.Error(), tt.unread) {
							t.Errorf("ReadStatement: %v, want %q", err, tt.unread)
						}
						return
					}
				}
				c, err := verifier.Contradict(s[0], s[1])
				var no *verifier.NoContradiction
				switch {
				case tt.no != "":
					if !errors.As(err, &no) || !strings.Contains(no.Reason, tt.no) {
						t.Errorf("Contradict: %v, want %q", err, tt.no)
					}
				case err != nil:
					t.Errorf("Contradict: %v", err)
				case c.Event != tt.event || c.Heads[0] == c.Heads[1]:
					t.Errorf("Contradict = event %d, want %d", c.Event, tt.event)
				}
			}
		})
	}
}

func text(lines []record.Line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(string(l) + "\n")
	}
	return b.String()
}
