package verifier

import (
	"bufio"
	"crypto/ed25519"
	"fmt"
	"io"
	"strings"

	"dudo.example/core/record"
)

// Pins are the keys of servers that a user knows, by origin. A server has more than one once it has changed its key.
type Pins map[string][]ed25519.PublicKey

const maxPins = 1 << 20

// ReadPins reads a file of pins: an origin and its key a line, with white space between. Empty lines and those that begin
// with # say nothing. An origin can stand there with several keys.
func ReadPins(r io.Reader) (Pins, error) {
	pins := Pins{}
	lines := bufio.NewScanner(io.LimitReader(r, maxPins))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) != 2 {
			return nil, fmt.Errorf("line %d: want an origin and its key", n)
		}
		key, err := record.ParseKey(words[1])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		pins[words[0]] = append(pins[words[0]], key)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read pins: %w", err)
	}
	return pins, nil
}
