package verifier

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/rules"
)

// rulebook keeps rule files that records brought with them, by digest, so that many records of one game cost one compilation: a
// file keeps the games that were made of it.
type rulebook struct {
	shipped map[string]bool // digests

	mu    sync.Mutex
	known map[string]*rules.File // that ship
	other *rules.File            // the last one that does not
}

// maxGames is how many games may have been made of a stranger's file that is kept: they can be as large as a game can be.
const maxGames = 3

func newRulebook() (*rulebook, error) {
	shipped, err := rules.Shipped()
	if err != nil {
		return nil, err
	}
	return &rulebook{shipped: shipped, known: map[string]*rules.File{}}, nil
}

// file finds or compiles the rule file of that digest.
func (b *rulebook) file(digest, text string) (f *rules.File, known bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	known = b.shipped[digest]
	switch {
	case known && b.known[digest] != nil:
		return b.known[digest], true, nil
	case !known && b.other != nil && b.other.Digest == digest && b.other.Games() <= maxGames:
		return b.other, false, nil
	case !known:
		b.other = nil // to be let go before the next is there
	}
	if f, err = rules.Parse("rules", []byte(text)); err != nil {
		return nil, false, err
	}
	if known {
		b.known[digest] = f
	} else {
		b.other = f
	}
	return f, known, nil
}

// rules checks what an open event says of its rules and gives the game that they are.
func (p *pass) rules(open record.Open) (play.Compile, error) {
	sum := sha256.Sum256([]byte(open.Rules.Text))
	digest := hex.EncodeToString(sum[:])
	if digest != open.Rules.SHA256 {
		return nil, member("rules.sha256", fail(CheckDigest, digest, open.Rules.SHA256, "the rules are not those of the digest"))
	}
	f, known, err := p.book.file(digest, open.Rules.Text)
	if err != nil {
		return nil, member("rules.text", fail(CheckRules, "rules that load", ruleError(err), "the rules do not load; those of a newer server need a newer dudo-verify"))
	}
	if f.Game != open.Rules.Game {
		return nil, member("rules.game", fail(CheckGame, f.Game, open.Rules.Game, "the rules are those of another game"))
	}
	if open.Seats < f.MinSeats || open.Seats > f.MaxSeats {
		return nil, member("seats", fail(CheckSeats, fmt.Sprintf("%d to %d", f.MinSeats, f.MaxSeats), open.Seats,
			"the rules are not for that many seats"))
	}
	options, failure := resolve(f, open.Options)
	if failure != nil {
		return nil, failure
	}
	p.report.Rules = Rules{Game: f.Game, SHA256: digest, Known: known, Options: options}
	return func(players int) (*machine.Game, error) {
		if players < f.MinSeats || players > f.MaxSeats {
			return nil, fail(CheckRoster, fmt.Sprintf("%d to %d players", f.MinSeats, f.MaxSeats), players, "the rules are not for that many players")
		}
		return f.Compile(players, options)
	}, nil
}

// resolve checks that the options of an open event are all that the rules have, as the rules resolve them.
func resolve(f *rules.File, stated []record.Option) (map[string]int, *Failure) {
	given := make(map[string]int, len(stated))
	for _, o := range stated {
		given[o.Name] = o.Value
	}
	want, err := f.Resolve(given)
	if err != nil {
		return nil, member("options", fail(CheckOptions, "options of these rules", optionsText(stated), "the rules do not take these options"))
	}
	for _, o := range f.Options {
		value := optionText(o.Bool, want[o.Name])
		i := indexOption(stated, o.Name)
		if i < 0 {
			return nil, member("options."+o.Name, fail(CheckOptions, value, "nothing", "every option of the rules is stated"))
		}
		if got := optionText(stated[i].Bool, stated[i].Value); got != value {
			return nil, member("options."+o.Name, fail(CheckOptions, value, got, "the rules resolve this option to another value"))
		}
	}
	return want, nil
}

func indexOption(list []record.Option, name string) int {
	for i, o := range list {
		if o.Name == name {
			return i
		}
	}
	return -1
}

func optionText(isBool bool, value int) string {
	if isBool {
		return fmt.Sprint(value != 0)
	}
	return fmt.Sprint(value)
}

func optionsText(list []record.Option) string {
	s := ""
	for i, o := range list {
		if i > 0 {
			s += ", "
		}
		s += o.Name + " " + optionText(o.Bool, o.Value)
	}
	return s
}

// ruleError tells where and why rules do not load, without the line itself.
func ruleError(err error) string {
	var at *rules.Error
	if errors.As(err, &at) {
		return fmt.Sprintf("%d:%d: %s", at.Line, at.Col, at.Msg)
	}
	return err.Error()
}

func member(name string, f *Failure) *Failure {
	f.Member = Plain(name, 80)
	return f
}
