package rules

import (
	"cmp"
	"embed"
	"fmt"
	"slices"
	"strings"
)

// Standard is the game that is played where nobody says which.
const Standard = "liars-dice/standard"

// family begins the ids of the games that are variants of [Standard].
const family = "liars-dice/"

//go:embed *.yaml
var shipped embed.FS

// Library gives the rule files that the project ships, each with its worked examples run: [Standard], then its variants, then
// games of other families, both in the order of their ids.
func Library() ([]*File, error) {
	entries, err := shipped.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("shipped rules: %w", err)
	}
	var files []*File
	for _, e := range entries {
		text, err := shipped.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("shipped rules: %w", err)
		}
		f, err := Parse(e.Name(), text)
		if err != nil {
			return nil, err
		}
		if errs := f.RunExamples(); len(errs) > 0 {
			return nil, errs[0]
		}
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b *File) int {
		return cmp.Or(cmp.Compare(a.group(), b.group()), strings.Compare(a.Game, b.Game))
	})
	return files, nil
}

// Shipped gives the digests of the files that [Library] loads, without loading any.
func Shipped() (map[string]bool, error) {
	entries, err := shipped.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("shipped rules: %w", err)
	}
	digests := make(map[string]bool, len(entries))
	for _, e := range entries {
		text, err := shipped.ReadFile(e.Name())
		if err != nil {
			return nil, fmt.Errorf("shipped rules: %w", err)
		}
		digests[digest(text)] = true
	}
	return digests, nil
}

// InFamily says whether the game is liar's dice: [Standard] or one of its variants.
func (f *File) InFamily() bool { return strings.HasPrefix(f.Game, family) }

// group is 0 for the standard game, 1 for a variant and 2 for any other game.
func (f *File) group() int {
	switch {
	case f.Game == Standard:
		return 0
	case f.InFamily():
		return 1
	default:
		return 2
	}
}
