package verifier

import (
	"fmt"
	"strings"
)

// claims writes the two lists that a verified record ends with.
func (p *pass) claims() {
	r := p.report
	r.Proved, r.NotProved = []string{}, []string{}
	if r.Failure != nil {
		return
	}
	prove := func(format string, args ...any) { r.Proved = append(r.Proved, fmt.Sprintf(format, args...)) }
	not := func(format string, args ...any) { r.NotProved = append(r.NotProved, fmt.Sprintf(format, args...)) }

	if p.deals > 0 {
		prove("by this log, the dice of all deals (%d) were fixed before the first bid and did not change", p.deals)
	}
	if p.started {
		file := "a custom file that does not ship with this program: read it in the first event"
		if r.Rules.Known {
			file = "a file that ships with this program"
		}
		prove("the game follows the rules %s, sha256 %s, %s", r.Rules.Game, r.Rules.SHA256, file)
	}
	own, without := p.nonces()
	if p.deals > 0 && len(own) > 0 {
		prove("their own nonce is in the dice of: %s", strings.Join(own, ", "))
	}
	switch {
	case r.Receipt.Checked:
		prove("this is the history that %s signed, up to event %d, the last", r.Origin, r.Receipt.N)
	case p.keptUpTo >= 0:
		prove("this is the history that %s signed, up to event %d", r.Origin, p.keptUpTo)
	}

	if r.Ending != nil && r.Ending.Places == nil && r.Ending.Payoffs == nil {
		not("who would have won: the game did not finish (%s)", r.Ending.Reason)
	}
	not("that a given player sent a given move: names, who is a bot, talk, and times within the clock, are the server's word")
	not("that no operator sits at the table and peeks")
	if p.deals > 0 && len(without) > 0 {
		not("that the dice of those who gave no nonce of their own were left to chance: %s", strings.Join(without, ", "))
	}
	last := int64(len(p.lines)) - 1
	switch {
	case len(r.Kept) == 0:
		not("anything at all about other versions of this log: no receipt that a player kept was compared with it")
	case p.keptUpTo >= 0 && p.keptUpTo < last:
		not("anything about other versions of this log after event %d, the last with a receipt that a player kept", p.keptUpTo)
	}
	if !r.Receipt.Checked && p.keptUpTo < 0 {
		not("that %s has anything to do with this record: no signature was checked with a key that you know", r.Origin)
	}
}

// nonces names the players who gave a nonce, and those who did not.
func (p *pass) nonces() (own, without []string) {
	for _, x := range p.report.Players {
		if who := fmt.Sprintf("seat %d (%s)", x.Seat, x.Name); x.Nonce {
			own = append(own, who)
		} else {
			without = append(without, who)
		}
	}
	return own, without
}
