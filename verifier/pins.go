package verifier

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dudo.example/core/record"
)

// Pins are the keys of servers that a user knows, by origin. A server has more than one once it has changed its key.
type Pins map[string][]ed25519.PublicKey

// Knows reports whether the key is one that is pinned for the origin.
func (p Pins) Knows(origin string, key ed25519.PublicKey) bool {
	return slices.ContainsFunc(p[origin], func(pinned ed25519.PublicKey) bool { return pinned.Equal(key) })
}

const maxPins = 1 << 20

// ReadPins reads a file of pins: an origin and its key a line, with white space between. Empty lines and those that begin
// with # say nothing. An origin can stand there with several keys.
func ReadPins(r io.Reader) (Pins, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxPins+1))
	if err != nil {
		return nil, fmt.Errorf("read pins: %w", err)
	}
	if len(text) > maxPins {
		return nil, errors.New("a file of pins is at most 1 MiB; keep the servers whose records you verify")
	}
	pins := Pins{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
			continue
		case len(words) != 2 || !isOrigin(words[0]):
			return nil, fmt.Errorf("line %d: want an origin and its key, such as dudo.example 1qred…", n)
		}
		key, err := record.ParseKey(words[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		pins[words[0]] = append(pins[words[0]], key)
	}
	return pins, nil
}
