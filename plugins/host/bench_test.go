package host_test

import (
	"testing"

	"dudo.example/plugins/host"
)

// One call of a bot that thinks no time.
func BenchmarkDecide(b *testing.B) {
	h, err := host.New(host.Options{Dir: plugins(b, "good"), TempDir: shortDir(b)})
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	s := open(b, h, "good", 0)
	for b.Loop() {
		if _, err := s.Decide(b.Context(), view); err != nil {
			b.Fatal(err)
		}
	}
}

// From no process to one that has said who it is.
func BenchmarkStart(b *testing.B) {
	dir := plugins(b, "good")
	for b.Loop() {
		h, err := host.New(host.Options{Dir: dir, TempDir: shortDir(b)})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := h.Start(b.Context(), "good"); err != nil {
			b.Fatal(err)
		}
		if err := h.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
