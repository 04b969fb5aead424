package verifier

import (
	"errors"
	"strings"

	"dudo.example/core/play"
	"dudo.example/core/record"
)

// explain turns what a replay says of a line into a failure.
func (p *pass) explain(i int, e record.Event, err error) *Failure {
	var f *Failure
	var mismatch *play.Mismatch
	switch {
	case errors.As(err, &f):
		return f
	case !errors.As(err, &mismatch):
		return malformed(p.lines[i], err)
	case mismatch.Err == nil:
		return derived(e, differ(mismatch.Want, mismatch.Got))
	default:
		return p.refused(e, mismatch.Err)
	}
}

// malformed says what is wrong with a line that is no event.
func malformed(line record.Line, err error) *Failure {
	var syntax *record.SyntaxError
	if errors.As(err, &syntax) {
		rest := string(line)[min(syntax.Offset, len(line)):]
		if rest == "" {
			rest = "the end of the line"
		}
		return fail(CheckForm, "a line in canonical form", Plain(rest, 24), "byte %d: %s", syntax.Offset, syntax.Reason)
	}
	return fail(CheckEvent, "an event of "+record.Version, Plain(string(line), 24), "%s", Plain(err.Error(), 120))
}

// derived says which member of an event is not what the rules and the seed make it.
func derived(e record.Event, d difference) *Failure {
	check, sentence := derivedCheck(e.Body, d.member)
	return member(d.member, fail(check, d.want, d.got, "%s", sentence))
}

func derivedCheck(body record.Body, path string) (Check, string) {
	first, owner, _ := strings.Cut(path, ".")
	whose := "the hand of seat " + owner
	if owner == "t" {
		whose = "the draws of the table"
	}
	switch first {
	case "type":
		return CheckOrder, "another event follows from the rules here"
	case "n":
		return CheckNumber, "events are numbered from 0"
	case "t":
		return CheckTime, "an event that follows of itself has the time of the decision that it follows from"
	}
	switch body.(type) {
	case record.Open:
		if first == "commit" {
			return CheckCommitment, "the seed at the end is not the one that the first event committed to"
		}
	case record.Deal:
		switch first {
		case "deal":
			return CheckDeal, "deals are numbered from 1"
		case "hc":
			return CheckHC, "the commitment to " + whose + " is not that of the seed"
		case "counts":
			return CheckCount, "the rules have another number of draws for " + whose
		}
	case record.Show:
		switch first {
		case "keys":
			return CheckHandKey, "the key of " + whose + " is not that of the seed"
		case "hands":
			return CheckHand, whose + " is not the one that the seed dealt"
		case "facts":
			return CheckFact, "the rules come to another result"
		}
	case record.End:
		switch first {
		case "places":
			return CheckPlaces, "the places are not those of the rules"
		case "payoffs":
			return CheckPayoffs, "the payoffs are not those of the rules"
		case "reason":
			return CheckReason, "the game ended for another reason"
		}
	}
	return CheckEvent, "the event is not the one that follows from the rules and the seed"
}
