package play

import (
	"errors"
	"fmt"
	"slices"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/record"
)

// maxDeals is how many deals can follow one decision: rules whose deals lead to deals for ever are a stranger's idea of a joke.
const maxDeals = 16

// maxFact bounds the numbers that a log states.
const maxFact = 1 << 31

var errRange = errors.New("the rules come to a number beyond 2^31")

func inRange(values []int) bool {
	for _, v := range values {
		if v > maxFact || v < -maxFact {
			return false
		}
	}
	return true
}

var errLong = errors.New("the rules come to an event of more than 64 KiB")

var errWide = errors.New("the rules show more than 256 values of one owner")

var errEndlessDeals = errors.New("the rules deal again and again without anybody to act")

// follow adds the events that follow a decision of themselves: what it showed, the deals it led to, and the end.
func (b *batch) follow() (*Batch, error) {
	t := b.next
	if err := b.showEffects(nil); err != nil {
		return nil, err
	}
	for deals := 0; t.pos.Turn().Actor == machine.Chance; deals++ {
		if deals == maxDeals {
			return nil, errEndlessDeals
		}
		if err := b.deal(); err != nil {
			return nil, err
		}
	}
	if t.pos.Turn().Actor == machine.Over {
		e := record.End{Reason: record.ReasonFinished, Places: t.pos.Places(), Payoffs: t.pos.Payoffs()}
		if t.pos.Ending() == machine.Limit {
			e.Reason = record.ReasonLimit
		}
		if !inRange(e.Places) || !inRange(e.Payoffs) {
			return nil, errRange
		}
		b.end(e)
	}
	for _, line := range b.lines {
		if len(line) > record.MaxLine {
			return nil, errLong
		}
	}
	return b.done(), nil
}

// hand is what one owner draws in a deal.
type hand struct {
	owner     int
	key       deal.Key
	stream    deal.Stream
	count     int
	variables []int
	hidden    bool // something of it is not for everybody
}

// deal plays one chance phase to its end.
func (b *batch) deal() error {
	t, pos := b.next, b.next.pos
	number, again := pos.Deals(), pos.RollsAgain()
	hands := make([]hand, 0, pos.Game().Seats+1)
	for pos.Deals() == number && pos.Turn().Actor == machine.Chance {
		owner := pos.Turn().Seat
		i := slices.IndexFunc(hands, func(h hand) bool { return h.owner == owner })
		if i < 0 {
			key := t.dealer.Key(number, owner)
			i, hands = len(hands), append(hands, hand{owner: owner, key: key, stream: *key.Stream()})
		}
		if err := hands[i].draw(pos); err != nil {
			return fmt.Errorf("deal %d: %w", number, err)
		}
	}
	d := record.Deal{
		Deal: number, HC: make([]record.Owned[string], 0, len(hands)), Counts: make([]record.Owned[int], 0, len(hands)),
	}
	var open []*hand
	t.dealt, t.dealtAt, t.drawn = number, int64(t.rev), t.undrawn(hands)
	for i := range hands {
		h := &hands[i]
		d.HC = append(d.HC, record.Owned[string]{Owner: h.owner, Value: h.key.Commit(t.open.GID, number, h.owner)})
		d.Counts = append(d.Counts, record.Owned[int]{Owner: h.owner, Value: h.count})
		t.drawn = append(t.drawn, drawn{h.owner, h.key, h.variables})
		if !h.hidden {
			open = append(open, h)
		}
	}
	b.add(d)
	if !again {
		t.round++
		t.acts = nil
	}
	return b.showEffects(open)
}

// undrawn gives what earlier deals drew and none of these hands replaces, with room for these.
func (t *Table) undrawn(hands []hand) []drawn {
	kept := make([]drawn, 0, len(t.drawn)+len(hands))
	for _, d := range t.drawn {
		if !slices.ContainsFunc(hands, func(h hand) bool {
			return h.owner == d.owner && slices.ContainsFunc(h.variables, func(v int) bool { return slices.Contains(d.variables, v) })
		}) {
			kept = append(kept, d)
		}
	}
	return kept
}

func (h *hand) draw(pos *machine.Position) error {
	variable, n, err := pos.Outcomes()
	if err != nil {
		return err
	}
	v := h.stream.Draw(n)
	h.count++
	if !slices.Contains(h.variables, variable) {
		h.variables = append(h.variables, variable)
	}
	h.hidden = h.hidden || pos.Game().Vars[variable].See != machine.SeeAll
	return pos.Draw(v)
}

// showEffects adds a show event for what the last step of the position made public, and for draws that everybody sees. An
// owner's key is opened once everything that was drawn with it is public.
func (b *batch) showEffects(open []*hand) error {
	t := b.next
	effects := t.pos.Effects()
	if len(effects) == 0 && len(open) == 0 {
		return nil
	}
	var s record.Show
	for _, h := range open {
		s.Keys = append(s.Keys, record.Owned[string]{Owner: h.owner, Value: h.key.Hex()})
		var values []int
		for _, v := range h.variables {
			values = append(values, t.pos.Values(v, max(h.owner, 0))...)
		}
		s.Hands = append(s.Hands, record.Owned[[]int]{Owner: h.owner, Value: values})
	}
	s.Hands = slices.Grow(s.Hands, len(t.drawn))
	s.Keys = slices.Grow(s.Keys, len(t.drawn))
	for _, e := range effects {
		if !inRange(e.Values) {
			return errRange
		}
		if e.Var < 0 {
			s.Facts = s.Facts.AddFact(e.Name, factValue(e))
			continue
		}
		i := slices.IndexFunc(s.Hands, func(h record.Owned[[]int]) bool { return h.Owner == e.Owner })
		if i < 0 {
			i, s.Hands = len(s.Hands), append(s.Hands, record.Owned[[]int]{Owner: e.Owner})
		}
		s.Hands[i].Value = append(s.Hands[i].Value, e.Values...)
	}
	for _, d := range slices.Backward(t.drawn) { // an owner's newest first: a show has one key of each
		opened := slices.ContainsFunc(s.Keys, func(k record.Owned[string]) bool { return k.Owner == d.owner })
		if !opened && t.revealed(d, effects) {
			s.Keys = append(s.Keys, record.Owned[string]{Owner: d.owner, Value: d.key.Hex()})
		}
	}
	for _, h := range s.Hands {
		if len(h.Value) > record.MaxHand {
			return errWide
		}
	}
	t.show = &Shown{int64(t.rev), s}
	b.add(s)
	return nil
}

// revealed reports whether the effects show all that was drawn and is not for everybody anyway, and that there was such. What was
// drawn into a zone that elements may have left unseen is never known to be shown.
func (t *Table) revealed(d drawn, effects []machine.Effect) bool {
	some := false
	for _, v := range d.variables {
		if t.pos.Game().Vars[v].See == machine.SeeAll {
			continue
		}
		some = true
		if t.pos.Game().Parted(v) {
			return false
		}
		if !slices.ContainsFunc(effects, func(e machine.Effect) bool { return e.Var == v && e.Owner == d.owner }) {
			return false
		}
	}
	return some
}

func factValue(e machine.Effect) record.Value {
	switch v := e.Values[0]; {
	case e.Kind == machine.KindBool:
		return v != 0
	case e.Kind == machine.KindSeat && v == machine.None:
		return nil
	default:
		return int64(v)
	}
}
