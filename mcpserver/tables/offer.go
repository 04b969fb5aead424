package tables

import (
	"cmp"
	"maps"
	"slices"

	"dudo.example/core/play"
)

// The rules of a table are those that it was made with, for as long as it is there. What is on offer can change in between; it
// counts for new tables only.

// Offer puts other rule files on offer, the default first; there must be one.
func (l *Lobby) Offer(rules []Ruleset) { l.offer.Store(&rules) }

// Rules are the rule files on offer, the default first. They are for reading only.
func (l *Lobby) Rules() []Ruleset { return *l.offer.Load() }

// onOffer finds a ruleset on offer by its game, the default one if that is empty.
func (l *Lobby) onOffer(game string) (*Ruleset, bool) {
	rules := l.Rules()
	i := 0
	if game != "" {
		i = slices.IndexFunc(rules, func(r Ruleset) bool { return r.Game == game })
	}
	if i < 0 {
		return nil, false
	}
	return &rules[i], true
}

// offered finds a ruleset on offer by its digest.
func (l *Lobby) offered(digest string) (*Ruleset, bool) {
	rules := l.Rules()
	i := slices.IndexFunc(rules, func(r Ruleset) bool { return r.SHA256 == digest })
	if i < 0 {
		return nil, false
	}
	return &rules[i], true
}

// Played are the rule files of tables that are not over and that are not on offer, or not any more: their players still make moves.
func (l *Lobby) Played() []Ruleset {
	l.mu.Lock()
	played := map[string]*Ruleset{}
	for _, t := range l.live {
		if t.current.Load().Status() != play.Over {
			played[t.rules.SHA256] = t.rules
		}
	}
	l.mu.Unlock()
	var list []Ruleset
	for _, digest := range slices.Sorted(maps.Keys(played)) {
		if _, ok := l.offered(digest); !ok {
			list = append(list, *played[digest])
		}
	}
	slices.SortStableFunc(list, func(a, b Ruleset) int { return cmp.Compare(a.Game, b.Game) })
	return list
}

// PlayedChanged has something to receive when what Played gives may have changed, other than by Offer.
func (l *Lobby) PlayedChanged() <-chan struct{} { return l.played }

// noteRules notes that a table of some rules came or is over.
func (l *Lobby) noteRules(r *Ruleset) {
	if _, ok := l.offered(r.SHA256); ok {
		return
	}
	select {
	case l.played <- struct{}{}:
	default: // there is something to receive already
	}
}
