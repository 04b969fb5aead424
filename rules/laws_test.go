package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// lawsOf are the laws for one game in a setting.
func lawsOf(t *testing.T, s setting) []law {
	t.Helper()
	ref := referenceOf(t, s.file, s.seats, s.options)
	laws := []law{&listed{}, &hidden{}, &repeated{}, &ended{ref.limit()}, ranked{}, &agreed{ref: ref}}
	if s.file.Game == rules.Standard {
		laws = append(laws, conserved{})
	}
	return laws
}

// TestLaws plays seeded random games of every file in many settings, and wants every law to hold in every position.
func TestLaws(t *testing.T) {
	var total counts
	var mu sync.Mutex
	t.Run("files", func(t *testing.T) {
		for _, f := range allFiles(t) {
			t.Run(f.Game, func(t *testing.T) {
				t.Parallel()
				count := lawsHold(t, f)
				mu.Lock()
				defer mu.Unlock()
				total.add(count)
			})
		}
	})
	t.Logf("%+v", total)
	if want := 30_000; !raceEnabled && total.probes < want {
		t.Errorf("hidden values were drawn again %d times, want at least %d", total.probes, want)
	}
}

// lawsHold plays at least 25 games of a file.
func lawsHold(t *testing.T, f *rules.File) counts {
	t.Helper()
	count, done := counts{}, map[string]int{}
	list := settings(t, f)
	games := (24 + len(list)) / len(list)
	for i, s := range list {
		for seed := range uint64(games) {
			if raceEnabled && (i+int(seed))%8 > 0 {
				continue // enough for races
			}
			r := generator(seed<<32 + uint64(len(s.name)))
			c := course{Position: start(t, s.compile(t)), r: &r, done: done, count: &count}
			if err := c.play(lawsOf(t, s), 2000); err != nil {
				t.Fatalf("%s, %d seats, options %v, game %d: %v", s.name, s.seats, s.options, seed, err)
			}
		}
	}
	t.Logf("%d settings, %+v, %v", len(list), count, done)
	if raceEnabled {
		return count
	}
	for _, a := range f.Actions() {
		if done[a.Name] == 0 {
			t.Errorf("nobody ever took the action %s", a.Name)
		}
	}
	if want := 25; count.whole < want {
		t.Errorf("%d games came to their end, want at least %d", count.whole, want)
	}
	return count
}

func (c *counts) add(d counts) {
	*c = counts{c.games + d.games, c.whole + d.whole, c.moves + d.moves, c.probes + d.probes, c.refused + d.refused, c.evals + d.evals}
}

// listed is the law that a seat whose turn it is has a move, that every listed move is accepted and every other refused, and that a
// refused move changes nothing.
type listed struct{ q *machine.Position }

func (l *listed) broken(c *course) error {
	if c.Moves() > 3 && len(c.log)%29 > 0 {
		return nil // it is much work
	}
	if l.q == nil {
		l.q = c.Clone()
	}
	q, set := l.q, machine.MoveSet{}
	for seat := -1; seat <= c.Game().Seats; seat++ {
		c.Legal(seat, &set)
		if turn := c.Turn(); turn == (machine.Turn{Actor: machine.Seat, Seat: seat}) && set.Len() == 0 {
			return fmt.Errorf("seat %d must act and has no move", seat)
		}
		step := machine.Move(1)
		if set.Len() == 0 {
			step = 7 // all are refused for the same reason
		}
		for m := machine.Move(-1); int(m) <= c.Game().Moves(); m += step {
			q.CopyFrom(c.Position)
			err := q.Act(seat, m)
			var refusal *machine.Refusal
			switch {
			case set.Has(m) && err != nil:
				return fmt.Errorf("%s of seat %d is listed and refused: %w", c.Game().Text(m), seat, err)
			case !set.Has(m) && err == nil:
				return fmt.Errorf("%s of seat %d is not listed and accepted", c.Game().Text(m), seat)
			case !set.Has(m) && !errors.As(err, &refusal):
				return fmt.Errorf("%s of seat %d is not listed, and no refusal: %w", c.Game().Text(m), seat, err)
			case err != nil && !q.Equal(c.Position):
				return fmt.Errorf("%s of seat %d is refused and changes the position", c.Game().Text(m), seat)
			case err != nil:
				c.count.refused++
			}
		}
	}
	return nil
}

// repeated is the law that the same draws and moves give the same game, to the last effect.
type repeated struct {
	again *machine.Position
	done  int
}

func (l *repeated) broken(c *course) error {
	if l.again == nil {
		again, err := c.Game().NewPosition()
		if err != nil {
			return err
		}
		l.again = again
	}
	for ; l.done < len(c.log); l.done++ {
		if err := c.log[l.done].apply(l.again); err != nil {
			return err
		}
	}
	if !l.again.Equal(c.Position) || fmt.Sprint(l.again.Effects()) != fmt.Sprint(c.Effects()) {
		return errors.New("the same game played again differs")
	}
	return nil
}

// ended is the law that a game ends at its limit of moves at the latest, and that chance does not go on for ever between moves.
type ended struct{ limit int }

func (l *ended) broken(c *course) error {
	draws := 0
	for _, in := range slices.Backward(c.log) {
		if in.actor != machine.Chance {
			break
		}
		draws++
	}
	switch over := c.Turn().Actor == machine.Over; {
	case draws > 200:
		return fmt.Errorf("%d draws without a move between", draws)
	case c.Moves() > l.limit, c.Moves() == l.limit && !over:
		return fmt.Errorf("the game goes on beyond its limit of %d", l.limit)
	case c.Ending() == machine.Limit && c.Moves() != l.limit:
		return fmt.Errorf("the game ended at its limit of %d", l.limit)
	}
	return nil
}

// ranked is the law that a game that is over gives every seat a place or a payoff. Somebody is first. Seats that share a place have
// the first or the last of the places that they would take one by one. Payoffs do not come from nowhere.
type ranked struct{}

func (ranked) broken(c *course) error {
	if c.Turn().Actor != machine.Over {
		return nil
	}
	places, pay := c.Places(), c.Payoffs()
	if (len(places) == c.Game().Seats) == (len(pay) == c.Game().Seats) {
		return fmt.Errorf("places %v and payoffs %v", places, pay)
	}
	for seat, place := range places {
		before, beside := 0, 0
		for _, other := range places {
			before += b2i(other < place)
			beside += b2i(other == place)
		}
		if place != before+1 && (before == 0 || place != before+beside) {
			return fmt.Errorf("seat %d has place %d, with %d before it: %v", seat, place, before, places)
		}
	}
	sum := 0
	for _, x := range pay {
		sum += x
	}
	if sum > 0 {
		return fmt.Errorf("payoffs %v, together above 0", pay)
	}
	return nil
}

// conserved is the law of the standard game that a hand has as many dice as its seat has left, sorted, and no bid says more than there
// are.
type conserved struct{}

func (conserved) broken(c *course) error {
	if c.Turn().Actor != machine.Seat {
		return nil
	}
	hand, _ := c.Game().Var("hand")
	left, _ := c.Game().Var("dice_left")
	quantity, _ := c.Game().Var("standing.quantity")
	total := 0
	for seat := range c.Game().Seats {
		dice := c.Values(hand, seat)
		if len(dice) != c.Values(left, seat)[0] || !slices.IsSorted(dice) {
			return fmt.Errorf("seat %d holds %v and has %d dice left", seat, dice, c.Values(left, seat)[0])
		}
		total += len(dice)
	}
	if bid := c.Values(quantity, 0)[0]; bid > total {
		return fmt.Errorf("a bid of %d with %d dice in play", bid, total)
	}
	return nil
}

// TestSharedGame plays the same games of one compiled game at the same time and wants the same results.
func TestSharedGame(t *testing.T) {
	g := compile(t, "liars-dice/standard", 4, nil)
	results := make([][]int, 4)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			for seed := range uint64(20) {
				p, err := played(g, seed)
				if err != nil {
					t.Error(err)
					return
				}
				results[i] = append(results[i], p.Places()...)
			}
		})
	}
	all.Wait()
	for _, r := range results[1:] {
		if !slices.Equal(r, results[0]) {
			t.Fatal("the same games end differently when they are played at the same time")
		}
	}
}

func sameMoves(a, b *machine.MoveSet) bool { return slices.Equal(a.Append(nil), b.Append(nil)) }
