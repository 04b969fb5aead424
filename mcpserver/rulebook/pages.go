package rulebook

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"dudo.example/rules"
)

// page is a file of the book.
type page struct {
	place
	text []byte      // as it was last read
	file *rules.File // as it is on offer; nil if it is not
	next *rules.File // as it would be, if the others and the server could be with it
	err  error       // what is wrong with it
}

// look makes the pages of places, with what can be kept of those there were.
func (b *Book) look(list []place) {
	old := b.pages
	b.pages = nil
	for _, at := range list {
		p := page{place: at, file: at.ships}
		if i := slices.IndexFunc(old, func(q page) bool { return q.path == at.path }); i >= 0 && at.ships == nil {
			p = old[i]
			p.place = at
		}
		if at.err == nil && at.ships == nil {
			at.err = p.reread(b.shipped)
		}
		within := 0
		if at.err != nil {
			for _, q := range old {
				if filepath.Dir(q.path) == at.path { // of a folder that cannot be looked into: what was in it stays
					b.pages = append(b.pages, q)
					within++
				}
			}
			p.text, p.next, p.err = nil, nil, at.err
		}
		if errors.Is(at.err, fs.ErrNotExist) && within == 0 {
			if !at.named {
				continue
			}
			p.file, p.err = nil, missing(at.err, b.shipped)
		}
		b.pages = append(b.pages, p)
	}
}

// reread reads the page's file, and parses it if it is another one than before. The error is of reading.
func (p *page) reread(shipped []*rules.File) error {
	text, err := Text(p.path)
	if err != nil || p.text != nil && bytes.Equal(text, p.text) {
		return err
	}
	p.text, p.next, p.err = text, nil, nil
	if p.file != nil && bytes.Equal(p.file.Text, text) {
		return nil // as it was before a mistake
	}
	if i := slices.IndexFunc(shipped, func(f *rules.File) bool { return bytes.Equal(f.Text, text) }); i >= 0 {
		p.next = shipped[i] // which is known to be right
		return nil
	}
	var errs []error
	if p.next, errs = parse(p.path, text); len(errs) > 0 {
		p.next, p.err = nil, errors.Join(errs...)
	}
	return nil
}

// take puts the new files on offer: all of them, or if they cannot be there together, each that can. The others are tried again
// the next time.
func (b *Book) take() {
	kept := slices.Clone(b.pages)
	for i := range b.pages {
		if p := &b.pages[i]; p.next != nil {
			p.file, p.next, p.err = p.next, nil, nil
		}
	}
	if b.together() == nil {
		return
	}
	b.pages = kept
	for i := range b.pages {
		p := &b.pages[i]
		if p.next == nil {
			continue
		}
		was := p.file
		p.file = p.next
		if p.err = b.together(); p.err != nil {
			p.file = was
		} else {
			p.next = nil
		}
	}
}

// together says why the files cannot all be on offer.
func (b *Book) together() error {
	for i, p := range b.pages {
		for _, q := range b.pages[:i] {
			if p.file != nil && q.file != nil && p.file.Game == q.file.Game {
				return fmt.Errorf("the game %s is in both %s and %s; give one of them another id", p.file.Game, filepath.Base(q.path), filepath.Base(p.path))
			}
		}
	}
	return b.check(b.offer())
}

// offer lists the files on offer, the default first. The lock must be held.
func (b *Book) offer() (files []*rules.File) {
	first := rules.Standard
	for _, p := range slices.Backward(b.pages) {
		if p.file != nil && p.named {
			first = p.file.Game
		}
	}
	for _, p := range b.pages {
		if p.file != nil {
			files = append(files, p.file)
		}
	}
	for _, f := range b.shipped {
		if f.InFamily() && indexGame(files, f.Game) < 0 {
			files = append(files, f)
		}
	}
	i := indexGame(files, first)
	f := files[i]
	return slices.Insert(slices.Delete(files, i, i+1), 0, f)
}
