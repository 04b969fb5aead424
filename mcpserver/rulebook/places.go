package rulebook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dudo.example/rules"
)

// A place is what a name means: a file, or a game that ships.
type place struct {
	path  string // of the game that ships, its id
	ships *rules.File
	named bool  // by itself, and not by its folder
	err   error // why it could not be looked at, or a folder not into
}

// places gives what names mean, in order and each once. A name is a file, a folder of files *.yaml, or the id of a game that
// ships.
func places(names []string, shipped []*rules.File) (list []place) {
	add := func(p place) {
		if i := slices.IndexFunc(list, func(q place) bool { return q.path == p.path }); i < 0 {
			list = append(list, p)
		} else if p.named {
			list[i].named = true
		}
	}
	for _, name := range names {
		info, err := os.Stat(name)
		i := indexGame(shipped, name)
		switch {
		case err != nil && i >= 0:
			add(place{path: name, ships: shipped[i], named: true})
		case err != nil || !info.IsDir():
			add(place{path: filepath.Clean(name), named: true, err: err})
		default:
			entries, err := os.ReadDir(name)
			if err != nil {
				add(place{path: filepath.Clean(name), named: true, err: err})
			}
			for _, e := range entries {
				// What begins with a dot is of an editor, or half of a file that is being replaced.
				if strings.HasSuffix(e.Name(), ".yaml") && !strings.HasPrefix(e.Name(), ".") {
					add(place{path: filepath.Join(name, e.Name())})
				}
			}
		}
	}
	return list
}

// trace tells how the files at some places are on disk, without reading them: it is another one after a change.
func trace(list []place) string {
	var b strings.Builder
	for _, p := range list {
		if p.ships != nil {
			continue
		}
		fmt.Fprintf(&b, "%q", p.path)
		if info, err := os.Stat(p.path); err == nil {
			fmt.Fprintf(&b, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func indexGame(files []*rules.File, game string) int {
	return slices.IndexFunc(files, func(f *rules.File) bool { return f.Game == game })
}

// missing tells of a name that means nothing.
func missing(err error, shipped []*rules.File) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	games := make([]string, len(shipped))
	for i, f := range shipped {
		games[i] = f.Game
	}
	return fmt.Errorf("%w; the games that ship are %s", err, strings.Join(games, ", "))
}
