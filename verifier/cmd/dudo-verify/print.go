package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dudo.example/verifier"
)

// printer writes a report for people.
type printer struct {
	*bytes.Buffer
	colour bool
	hands  bool // show what was dealt in each round
}

const (
	green  = "32"
	red    = "31"
	yellow = "33"
	bold   = "1"
)

func (p printer) paint(colour, text string) string {
	if !p.colour {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[0m"
}

func (p printer) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p printer) tick(format string, args ...any) {
	p.line("%s %s", p.paint(green, "✓"), fmt.Sprintf(format, args...))
}

func (p printer) report(source string, r *verifier.Report, pins string) {
	p.line("%s", p.paint(bold, source))
	p.about(source, r)
	for _, round := range r.Rounds {
		p.tick("round %d: %s", round.Round, round.Text)
		if p.hands {
			p.dealt(r, round)
		}
	}
	p.ending(r)
	p.receipts(r, pins)
	if r.Unfinished {
		p.unfinished(r)
		return
	}
	if f := r.Failure; f != nil {
		p.line("%s %v", p.paint(red, "✗"), f)
		p.line("%s", p.paint(red, "refuted"))
		return
	}
	p.line("%s", p.paint(green, "verified"))
	p.list("proved", r.Proved)
	p.list("not proved", r.NotProved)
}

// unfinished says what a record is good for whose game is not over.
func (p printer) unfinished(r *verifier.Report) {
	p.line("- the game is not over: no hand can be checked before its last event reveals the seed. Verify the record again then.")
	p.line("  Keep this one: dudo-verify evidence THIS LATER shows whether the server has changed its first %d events since.", r.Events)
	p.line("  If you know that the game is over, this record was cut short: ask for all of it.")
	p.line("%s", p.paint(yellow, verifier.Unfinished))
}

// custom says how to read rules that this program does not know.
func (p printer) custom(source string) {
	p.line("- these rules do not ship with dudo-verify: it checks that the game followed them, and you have to see whether you would play by them.")
	read := "head -1 " + quoted(source)
	switch {
	case source == "-":
		p.line("  They stand in the first event, as rules.text.")
		return
	case isAddress(source):
		read = "curl -s " + quoted(source) + " | head -1"
	}
	p.line("  Read them: %s | jq -r .rules.text", read)
}

// quoted writes a word for a shell.
func quoted(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-") == "" && !strings.HasPrefix(word, "-") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

func (p printer) about(source string, r *verifier.Report) {
	if r.GID == "" {
		return // the first event was not accepted
	}
	p.line("game %s at %s, %d events from %s", r.GID, r.Origin, r.Events, time.UnixMilli(r.Start).UTC().Format(time.DateTime+" MST"))
	if r.Rules.Game == "" {
		return
	}
	origin := "custom rules"
	if r.Rules.Known {
		origin = "shipped with this program"
	}
	p.line("rules %s (%s), sha256 %s", r.Rules.Game, origin, r.Rules.SHA256)
	if !r.Rules.Known {
		p.custom(source)
	}
	var options []string
	for _, name := range slices.Sorted(maps.Keys(r.Rules.Options)) {
		options = append(options, fmt.Sprintf("%s %d", name, r.Rules.Options[name]))
	}
	if len(options) > 0 {
		p.line("options %s", verifier.Plain(strings.Join(options, ", "), 400))
	}
	var players []string
	for _, x := range r.Players {
		s := fmt.Sprintf("%d %s", x.Seat, x.Name)
		if x.Bot {
			s += " (bot)"
		}
		players = append(players, s)
	}
	if len(players) > 0 {
		p.line("seats %s", strings.Join(players, ", "))
	}
}

// dealt writes the hands of a round, for players to hold against what they were shown.
func (p printer) dealt(r *verifier.Report, round verifier.Round) {
	for _, name := range slices.Sorted(maps.Keys(round.Dealt)) {
		var list []string
		for seat, values := range round.Dealt[name] {
			if len(values) > 0 && seat < len(r.Players) {
				list = append(list, r.Players[seat].Name+" "+strings.Trim(fmt.Sprint(values), "[]"))
			}
		}
		p.line("    %s: %s", verifier.Plain(name, 40), strings.Join(list, ", "))
	}
}

func (p printer) ending(r *verifier.Report) {
	switch {
	case r.Ending == nil:
	case r.Ending.Places != nil:
		players := slices.Clone(r.Players)
		slices.SortStableFunc(players, func(a, b verifier.Player) int { return a.Place - b.Place })
		var list []string
		for _, x := range players {
			list = append(list, fmt.Sprintf("%d %s", x.Place, x.Name))
		}
		p.tick("places: %s (%s)", strings.Join(list, ", "), r.Ending.Reason)
	case r.Ending.Payoffs != nil:
		var list []string
		for _, x := range r.Players {
			if x.Pay != nil {
				list = append(list, fmt.Sprintf("%s %+d", x.Name, *x.Pay))
			}
		}
		p.tick("payoffs: %s (%s)", strings.Join(list, ", "), r.Ending.Reason)
	default:
		p.tick("the game did not finish: %s", verifier.Plain(r.Ending.Reason, 40))
	}
}

func (p printer) receipts(r *verifier.Report, pins string) {
	for _, k := range r.Kept {
		if k.Checked {
			p.tick("your receipt of event %d is of this record, signed by %s", k.N, r.Origin)
		} else {
			p.tick("your receipt of event %d is of this record; its signature was not checked", k.N)
		}
	}
	switch {
	case r.Receipt.Checked && r.Receipt.KeyFrom == verifier.KeyPinned:
		p.tick("receipt of event %d, signed by %s with the key pinned in %s", r.Receipt.N, r.Origin, pins)
	case r.Receipt.Checked:
		p.tick("receipt of event %d, signed by %s with the key that you gave", r.Receipt.N, r.Origin)
	case r.Failure != nil && !r.Unfinished:
	case r.Receipt.Present:
		p.line("- the receipt was not checked: it takes the key of %s, from a place that you trust and not from this record.", r.Origin)
		p.line("  Give it with --key KEY, or put the line «%s KEY» into %s.", r.Origin, pins)
	case len(r.Kept) == 0:
		p.line("- the file has no receipt: nothing ties it to %s.", r.Origin)
	}
}

func (p printer) list(title string, items []string) {
	p.line("")
	p.line("%s", p.paint(bold, title))
	for _, s := range items {
		p.line("  - %s", s)
	}
}
