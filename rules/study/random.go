package study

import (
	"fmt"
	"math/rand/v2"

	"dudo.example/core/machine"
)

// Choose takes one of the legal moves of the seats by chance: of all moves alike, of the actions alike, or the first one of an
// action, so that neither rare actions nor long rounds are left out. ok is false if nobody has a move.
func Choose(p *machine.Position, random *rand.Rand, seats ...int) (seat int, move machine.Move, ok bool) {
	var all []choice
	var set machine.MoveSet
	for _, s := range seats {
		p.Legal(s, &set)
		for m := range set.All() {
			all = append(all, choice{s, m})
		}
	}
	if len(all) == 0 {
		return 0, 0, false
	}
	c := pick(p.Game(), all, random)
	return c.seat, c.move, true
}

type choice struct {
	seat int
	move machine.Move
}

func pick(g *machine.Game, all []choice, random *rand.Rand) choice {
	way := random.IntN(3)
	if way == 0 {
		return all[random.IntN(len(all))]
	}
	var first []int // of each action of each seat
	for i, c := range all {
		if i == 0 || c.seat != all[i-1].seat || actionOf(g, c.move) != actionOf(g, all[i-1].move) {
			first = append(first, i)
		}
	}
	k := random.IntN(len(first))
	from, to := first[k], len(all)
	if k+1 < len(first) {
		to = first[k+1]
	}
	if way == 1 {
		return all[from]
	}
	return all[from+random.IntN(to-from)]
}

func actionOf(g *machine.Game, m machine.Move) string {
	a, _, _ := g.Action(m)
	return a.Name
}

// clock is one that runs out once in so many moves.
type clock int

// lateness gives most games a clock that seldom runs out, and some one that often does, twice in a row too.
func lateness(game int) clock {
	if game%5 == 4 {
		return 3
	}
	return 50
}

func (c clock) now(random *rand.Rand) bool { return random.IntN(int(c)) == 0 }

// allSeats are the seats of a game, from 0.
func allSeats(g *machine.Game) []int {
	seats := make([]int, g.Seats)
	for i := range seats {
		seats[i] = i
	}
	return seats
}

// Draw lets chance draw once.
func Draw(p *machine.Position, random *rand.Rand) error {
	_, n, err := p.Outcomes()
	if err != nil {
		return fmt.Errorf("the phase %s: %w", p.Phase(), err)
	}
	if err := p.Draw(random.IntN(n)); err != nil {
		return fmt.Errorf("a draw of the phase %s: %w", p.Phase(), err)
	}
	return nil
}
