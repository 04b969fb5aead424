package tables_test

import (
	"crypto/ed25519"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
)

// BenchmarkState is what a view costs: to build it, and to write it as JSON.
func BenchmarkState(b *testing.B) {
	f := standard(b)
	set := rulebook.Ruleset(f)
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		b.Fatal(err)
	}
	l, err := tables.New(b.Context(), tables.Config{Store: record.NewMemory(time.Now), Rules: []tables.Ruleset{set}, Key: key, Origin: "dudo.example"})
	if err != nil {
		b.Fatal(err)
	}
	p := newGame(b, f, 4, 3, deal.Seed{1})
	p = step(b, p, rand.New(rand.NewPCG(1, 2)))
	seat, _ := p.Turn()
	b.Run("build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.StateOf(&set, p, seat)
		}
	})
	b.Run("build and write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(l.StateOf(&set, p, seat)); err != nil {
				b.Fatal(err)
			}
		}
	})
}
