// Package study finds out about rule files by playing them: what happens in games of random moves, and where two files differ.
// It says what it found in words, for people who do not read the files.
package study

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// Summary says what happened in many games of random moves.
type Summary struct {
	Games    int      `json:"games"` // that were played, fewer than asked for if they are very long
	Seed     uint64   `json:"seed"`
	Settings []string `json:"settings"` // the ways to play that were tried
	Untried  int      `json:"untried"`  // ways to play for which there were too few games
	Moves    Spread   `json:"moves"`    // of a game
	Ends     []Count  `json:"ends"`     // how games ended, the most frequent first
	Actions  []Count  `json:"actions"`  // how often each action was taken, in the order of the file
	Timeouts int      `json:"timeouts"`
	Faults   []Fault  `json:"faults,omitempty"`
}

// Spread is the least, the middle and the greatest of many numbers.
type Spread struct {
	Least    int `json:"least"`
	Median   int `json:"median"`
	Greatest int `json:"greatest"`
}

// Count is how often something happened.
type Count struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

// Fault is something that goes wrong in a game, with the first game in which it did.
type Fault struct {
	What    string   `json:"what"`
	Setting string   `json:"setting"`
	Moves   []string `json:"moves"` // the last ones before
	N       int      `json:"n"`     // games in which it happened
}

// Unused are the actions that nobody took.
func (s *Summary) Unused() (names []string) {
	for _, a := range s.Actions {
		if a.N == 0 {
			names = append(names, a.What)
		}
	}
	return names
}

// LimitEnd is the end of games that made the most moves of a game.
const LimitEnd = "at the limit of moves"

const (
	lastMoves = 8 // that a fault tells
	maxFaults = 10
	meanMoves = 2000 // and draws of a game: when all games together have more, no other begins
)

// Play plays games of random moves, in all of [Settings] in turn.
func Play(f *rules.File, games int, seed uint64) Summary {
	s := &summing{Summary: Summary{Games: games, Seed: seed}, random: rand.New(rand.NewPCG(seed, 1)), ends: map[string]int{}}
	for _, a := range f.Actions() {
		s.Actions = append(s.Actions, Count{What: a.Name})
	}
	settings := Settings(f)
	for _, setting := range settings[:min(games, len(settings))] {
		s.Settings = append(s.Settings, setting.words(f))
	}
	s.Untried = len(settings) - len(s.Settings)
	for i := range games {
		if s.moves > games*meanMoves {
			s.Games = i
			break
		}
		setting := settings[i%len(settings)]
		s.trail, s.late = s.trail[:0], lateness(i)
		if what := s.game(f, setting); what != "" {
			s.fault(what, setting.words(f))
		}
	}
	slices.Sort(s.lengths)
	if n := len(s.lengths); n > 0 {
		s.Moves = Spread{s.lengths[0], s.lengths[n/2], s.lengths[n-1]}
	}
	for what, n := range s.ends {
		s.Ends = append(s.Ends, Count{what, n})
	}
	slices.SortFunc(s.Ends, func(a, b Count) int { return cmp.Or(b.N-a.N, strings.Compare(a.What, b.What)) })
	return s.Summary
}

// summing is a summary in the making.
type summing struct {
	Summary
	random  *rand.Rand
	trail   []string // the moves of the game
	last    string   // what was done last
	moves   int
	lengths []int
	ends    map[string]int
	late    clock
}

// game plays a game and says what went wrong in it.
func (s *summing) game(f *rules.File, setting Setting) string {
	g, err := f.Compile(setting.Seats, setting.Options)
	if err != nil {
		return err.Error()
	}
	p, err := g.NewPosition()
	if err != nil {
		return err.Error()
	}
	for ; p.Turn().Actor != machine.Over; s.moves++ {
		if err := s.step(p); err != nil {
			return err.Error()
		}
	}
	if s.lengths = append(s.lengths, p.Moves()); p.Ending() == machine.Limit {
		s.ends[LimitEnd]++
	} else {
		s.ends["after "+s.last]++
	}
	return badPlace(p)
}

// badPlace says which place at the end is none.
func badPlace(p *machine.Position) string {
	for seat, place := range p.Places() {
		if place < 1 || place > p.Game().Seats {
			return fmt.Sprintf("the result puts seat %d in place %d; a place is 1 to the number of seats, %d", seat, place, p.Game().Seats)
		}
	}
	return ""
}

// step lets chance, the clock or a seat act.
func (s *summing) step(p *machine.Position) error {
	if p.Turn().Actor == machine.Chance {
		s.last = "a draw"
		return Draw(p, s.random)
	}
	if p.Clocked() && s.late.now(s.random) {
		s.last = "a timeout"
		s.trail = append(s.trail, fmt.Sprintf("seat %d: timeout", p.Turn().Seat))
		s.Timeouts++
		return failing("a timeout", p.Timeout())
	}
	seat, move, ok := Choose(p, s.random, allSeats(p.Game())...)
	if !ok {
		return fmt.Errorf("nobody has a legal move in the phase %s", p.Phase())
	}
	s.last = actionOf(p.Game(), move)
	i := slices.IndexFunc(s.Actions, func(c Count) bool { return c.What == s.last })
	s.Actions[i].N++
	s.trail = append(s.trail, fmt.Sprintf("seat %d: %s", seat, p.Game().Text(move)))
	return failing(s.last, p.Act(seat, move))
}

// failing says which move it was that failed.
func failing(what string, err error) error {
	if err != nil {
		return fmt.Errorf("%s is legal, but its steps fail: %w", what, err)
	}
	return nil
}

// fault keeps what went wrong, once for each sentence.
func (s *summing) fault(what, setting string) {
	for i := range s.Faults {
		if s.Faults[i].What == what {
			s.Faults[i].N++
			return
		}
	}
	if len(s.Faults) < maxFaults {
		moves := slices.Clone(s.trail[max(0, len(s.trail)-lastMoves):])
		s.Faults = append(s.Faults, Fault{what, setting, moves, 1})
	}
}
