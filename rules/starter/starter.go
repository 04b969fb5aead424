// Package starter writes rule files to begin with: the standard game, with notes for people who know YAML and nothing of the
// rule language. The notes stand here and the game does not, so the two cannot come to differ.
package starter

import (
	"fmt"
	"strings"

	"dudo.example/rules"
)

// Mine is the id of a game that was given no other.
const Mine = "liars-dice/mine"

// File gives a starting file for a game of that id.
func File(game string) ([]byte, error) {
	shipped, err := rules.Library()
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	left := notes
	for line := range strings.Lines(string(shipped[0].Text)) {
		if len(left) > 0 && strings.HasPrefix(strings.TrimLeft(line, " "), left[0].above) {
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			for _, text := range strings.Split(left[0].text, "\n") {
				out.WriteString(strings.TrimRight(indent+"# "+text, " ") + "\n")
			}
			left = left[1:]
		}
		if strings.HasPrefix(line, "game: ") {
			line = "game: " + game + "\n"
		}
		out.WriteString(line)
	}
	if len(left) > 0 {
		return nil, fmt.Errorf("the standard game has no line that begins with %q, after those of the notes before", left[0].above)
	}
	text := []byte(out.String())
	if _, err := rules.Parse("the new file", text); err != nil {
		return nil, err
	}
	return text, nil
}
