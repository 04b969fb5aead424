package rulebook

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// Offer gives the rule files that a server offers, the default first: those that are named, in order, then what ships of liar's
// dice. A name is a file, a folder of files *.yaml, or the id of a game that ships, of whatever family. A file of a game that
// ships stands in its place.
func Offer(names []string) ([]*rules.File, error) {
	shipped, err := rules.Library()
	if err != nil {
		return nil, err
	}
	var files []*rules.File
	for _, name := range names {
		if i := indexGame(shipped, name); i >= 0 && !exists(name) {
			if indexGame(files, name) < 0 {
				files = append(files, shipped[i])
			}
			continue
		}
		paths, err := find(name, shipped)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			f, errs := Read(path)
			if len(errs) > 0 {
				return nil, errors.Join(errs...)
			}
			if indexGame(files, f.Game) >= 0 {
				return nil, fmt.Errorf("%s: the game %s is in another rule file too", path, f.Game)
			}
			files = append(files, f)
		}
	}
	for _, f := range shipped {
		if f.InFamily() && indexGame(files, f.Game) < 0 {
			files = append(files, f)
		}
	}
	return files, nil
}

// find gives the paths of the files that a name means.
func find(name string, shipped []*rules.File) ([]string, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		games := make([]string, len(shipped))
		for i, f := range shipped {
			games[i] = f.Game
		}
		return nil, fmt.Errorf("%w; the games that ship are %s", err, strings.Join(games, ", "))
	}
	if err != nil || !info.IsDir() {
		return []string{name}, nil // reading it says what is wrong
	}
	paths, err := filepath.Glob(filepath.Join(name, "*.yaml"))
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("there is no rule file, named *.yaml, in %s", name)
	}
	return paths, err
}

func indexGame(files []*rules.File, game string) int {
	return slices.IndexFunc(files, func(f *rules.File) bool { return f.Game == game })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// maxFile is more than any rule file may have, so that one that is too large is refused by its reader.
const maxFile = 1 << 20

// Read reads and checks a rule file, its worked examples included.
func Read(path string) (*rules.File, []error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, []error{err}
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxFile))
	if err != nil {
		return nil, []error{fmt.Errorf("read %s: %w", path, err)}
	}
	f, err := rules.Parse(path, text)
	if err != nil {
		return nil, []error{err}
	}
	return f, f.Check()
}

// Rulesets are rule files as the tables take them.
func Rulesets(files []*rules.File) []tables.Ruleset {
	sets := make([]tables.Ruleset, len(files))
	for i, f := range files {
		sets[i] = Ruleset(f)
	}
	return sets
}
