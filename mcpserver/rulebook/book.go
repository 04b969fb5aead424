package rulebook

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"dudo.example/rules"
)

// Book is the rule files that a server has on offer: those that its operator names, in order, then what ships of liar's dice. A
// name is a file, a folder of files *.yaml, or the id of a game that ships, of whatever family. The default is the first that
// is named by itself, else the standard game, so that what comes and goes in a folder does not change it. A file of a game that
// ships stands in its place.
//
// The files are read when the book is opened and when it is told to. A file that is not right, or that is not right together with
// the others, stays on offer as it last was; one that is gone is not on offer any more.
type Book struct {
	log     *slog.Logger
	check   func([]*rules.File) error
	shipped []*rules.File

	mu     sync.Mutex // held while files are read, which takes a moment
	names  []string
	pages  []page
	read   string // the trace of what was read
	looked string // and of when Moved last looked

	shown atomic.Pointer[shown] // for those who ask meanwhile
}

// shown is what came of the last Reload.
type shown struct {
	files  []*rules.File
	faults []Fault
}

// Fault says that a rule file is not on offer as it is on disk, and why.
type Fault struct {
	Path  string
	Named bool // by itself, and not by its folder
	Err   error
}

// File is the name of the file without folders.
func (f Fault) File() string { return filepath.Base(f.Path) }

// Brief is the first mistake, with its line and column, without the file's path and text.
func (f Fault) Brief() string {
	var at *rules.Error
	var path *fs.PathError
	switch {
	case errors.As(f.Err, &at) && at.Line > 0:
		return fmt.Sprintf("%d:%d: %s", at.Line, at.Col, at.Msg)
	case errors.As(f.Err, &at):
		return at.Msg
	case errors.As(f.Err, &path):
		return path.Err.Error()
	}
	return f.Err.Error()
}

// Open reads the files that names mean. check, if there is one, says whether a server can have files on offer together. The error
// is of names that mean nothing right; a bad file of a folder is only logged.
func Open(names []string, check func([]*rules.File) error, log *slog.Logger) (*Book, error) {
	shipped, err := rules.Library()
	if err != nil {
		return nil, err
	}
	if check == nil {
		check = func([]*rules.File) error { return nil }
	}
	b := &Book{log: log, check: check, shipped: shipped, names: names}
	b.shown.Store(&shown{files: b.offer()})
	b.Reload()
	var errs []error
	for _, f := range b.Faults() {
		if f.Named {
			errs = append(errs, f.Err)
		}
	}
	return b, errors.Join(errs...)
}

// Offer gives the rule files that a server offers whose operator names these. The error tells of every one that is not right.
func Offer(names []string) ([]*rules.File, error) {
	b, err := Open(names, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	var errs []error
	for _, f := range b.Faults() {
		errs = append(errs, f.Err)
	}
	return b.Files(), errors.Join(errs...)
}

// Rename has the book mean other names from the next Reload on.
func (b *Book) Rename(names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.names = names
}

// Files are the rule files on offer, the default first. They are for reading only.
func (b *Book) Files() []*rules.File { return b.shown.Load().files }

// Faults are the files that are not on offer as they are on disk. They are for reading only.
func (b *Book) Faults() []Fault { return b.shown.Load().faults }

// Moved says whether the files have changed on disk since they were read, and have then stayed as they are from one call to the
// next: who calls it now and then does not meet a file that is being written, or one that is away while an editor replaces it.
func (b *Book) Moved() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := trace(places(b.names, b.shipped))
	settled := now == b.looked && now != b.read
	b.looked = now
	return settled
}

// Reload reads the files again and says whether that changed what is on offer.
func (b *Book) Reload() (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := b.shown.Load()
	list := places(b.names, b.shipped)
	b.read = trace(list)
	b.look(list)
	b.take()
	after := &shown{files: b.offer()}
	for _, p := range b.pages {
		if p.err != nil {
			after.faults = append(after.faults, Fault{p.path, p.named, p.err})
		}
	}
	b.shown.Store(after)
	b.tell(before, after.files)
	return !slices.EqualFunc(before.files, after.files, func(f, g *rules.File) bool { return f.Digest == g.Digest })
}

// tell logs what is other than before.
func (b *Book) tell(was *shown, after []*rules.File) {
	before, faults := was.files, map[string]string{}
	for _, f := range was.faults {
		faults[f.Path] = f.Err.Error()
	}
	for _, f := range after {
		if i := indexGame(before, f.Game); i < 0 {
			b.log.Info("a game is on offer", "game", f.Game, "sha256", f.Digest)
		} else if before[i].Digest != f.Digest {
			b.log.Info("a game has new rules", "game", f.Game, "sha256", f.Digest, "before", before[i].Digest)
		}
	}
	for _, f := range before {
		if indexGame(after, f.Game) < 0 {
			b.log.Info("a game is not on offer any more", "game", f.Game)
		}
	}
	for _, p := range b.pages {
		switch was, there := faults[p.path]; {
		case p.err != nil && was != p.err.Error():
			kept := "nothing"
			if p.file != nil {
				kept = p.file.Game + " as it was"
			}
			b.log.Error("a rule file is not taken", "file", p.path, "error", strings.TrimSpace(p.err.Error()), "on_offer", kept)
		case p.err == nil && there:
			b.log.Info("a rule file is right again", "file", p.path)
		}
	}
}
