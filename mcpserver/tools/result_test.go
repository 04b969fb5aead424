package tools_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
)

// TestCompact compares what is written with what the standard library writes of the same object.
func TestCompact(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	texts := []string{"", "plain", `"quoted" \ / <b> & 'x'`, "tab\tnewline\n\x01", "žluťoučký — ⚄", "\u2028\u2029", "bad \xff utf"}
	var value func(depth int) any
	value = func(depth int) any {
		switch k := rng.IntN(10); {
		case k == 0:
			return nil
		case k == 1:
			return rng.IntN(2) == 0
		case k == 2:
			return rng.Int64() - rng.Int64()
		case k == 3:
			return rng.IntN(100)
		case k == 4 || depth == 0:
			return texts[rng.IntN(len(texts))]
		case k == 5:
			return []int{rng.IntN(9), -rng.IntN(9)}
		case k == 6:
			return []string{texts[rng.IntN(len(texts))]}
		case k == 7:
			return []tables.Object{{"seat": rng.IntN(6), "say": value(0)}, {}}
		default:
			o := tables.Object{}
			for range rng.IntN(6) {
				o[texts[rng.IntN(len(texts))]+string(rune('a'+rng.IntN(26)))] = value(depth - 1)
			}
			return o
		}
	}
	for range 2000 {
		o := tables.Object{"a": value(3), "b": value(3), "c": value(3)}
		got, err := tools.Compact(o)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(o); err != nil {
			t.Fatal(err)
		}
		if got != string(bytes.TrimSuffix(want.Bytes(), []byte("\n"))) {
			t.Fatalf("compact(%v)\n  = %s\nwant %s", o, got, want.Bytes())
		}
	}
}
