package rules_test

import (
	"fmt"
	"math"
	"testing"

	"dudo.example/core/machine"
)

// TestPig works out optimal play of Pig by value iteration, over transitions that are read out of the machine in every position, and
// compares how often who begins wins with Neller and Presser, "Optimal Play of the Dice Game Pig", The UMAP Journal 25, 2004: all
// values of Piglet, a game to 2 with a coin, and 0.530593 for the game to 100. A die of two sides that loses on a one and adds two
// otherwise is Piglet's coin, if the scores are doubled.
func TestPig(t *testing.T) {
	tests := []struct {
		goal, sides int
		values      map[[3]int]float64 // by score, other score and points of the turn
		tolerance   float64
	}{
		{4, 2, map[[3]int]float64{
			{0, 0, 0}: 4. / 7, {0, 0, 2}: 5. / 7, {0, 2, 0}: 2. / 5, {0, 2, 2}: 3. / 5, {2, 0, 0}: 4. / 5, {2, 2, 0}: 2. / 3,
		}, 1e-12},
		{100, 6, map[[3]int]float64{{0, 0, 0}: 0.530593}, 5e-7},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.goal), func(t *testing.T) {
			if raceEnabled && tt.goal > 50 {
				t.Skip("too long with the race detector, which has nothing to find in one goroutine")
			}
			m := readPig(t, tt.goal, tt.sides)
			m.solve(t)
			for at, want := range tt.values {
				if got := m.value[m.index(at[0], at[1], at[2])]; math.Abs(got-want) > tt.tolerance {
					t.Errorf("with %d against %d and %d points of the turn, who is on wins with %.9f, want %.9f", at[0], at[1], at[2], got, want)
				}
			}
		})
	}
}

// pig is a game of Pig for two: what each position leads to, as who is on sees it.
type pig struct {
	goal, sides int
	next        []pigNext
	value       []float64 // the chance to win
}

// pigNext says what stopping and the numbers of the die lead to: a position of the same player, or one of the other's as −1 less.
type pigNext struct {
	wins bool // stopping wins
	stop int  // 0 if stopping is not legal
	roll []int
}

// index numbers the position with these scores, of who is on and of the other, and points of the turn.
func (m *pig) index(score, other, points int) int {
	return (score*m.goal+other)*(m.goal+m.sides) + points
}

func readPig(t *testing.T, goal, sides int) *pig {
	t.Helper()
	m := &pig{goal: goal, sides: sides}
	m.next = make([]pigNext, m.index(goal, 0, 0))
	m.value = make([]float64, len(m.next))
	r := pigReader{pig: m, t: t, p: start(t, compile(t, "dice/pig", 2, map[string]int{"goal": goal, "sides": sides}))}
	r.q = r.p.Clone()
	for i, name := range []string{"score", "points", "turn"} {
		var ok bool
		if r.vars[i], ok = r.p.Game().Var(name); !ok {
			t.Fatalf("no variable %s", name)
		}
	}
	for score := range goal {
		for other := range goal {
			for points := range goal - score + sides {
				i := m.index(score, other, points)
				m.next[i] = r.read(0, score, other, points)
				if i%11 == 0 {
					r.same(m.next[i], r.read(1, score, other, points))
				}
			}
		}
	}
	return m
}

// pigReader reads positions of Pig.
type pigReader struct {
	*pig
	t    *testing.T
	p, q *machine.Position
	vars [3]int
}

// read finds out what the position of a seat leads to.
func (r *pigReader) read(seat, score, other, points int) pigNext {
	p := r.p
	for i, put := range []bool{
		p.Put(r.vars[0], seat, score), p.Put(r.vars[0], 1-seat, other), p.Put(r.vars[1], 0, points), p.Put(r.vars[2], 0, seat),
	} {
		if !put {
			r.t.Fatalf("value %d of the position %d, %d, %d does not fit", i, score, other, points)
		}
	}
	var n pigNext
	if stop, err := p.Move("stop"); err == nil && p.Check(seat, stop) == nil {
		r.q.CopyFrom(p)
		if err := r.q.Act(seat, stop); err != nil {
			r.t.Fatal(err)
		}
		if r.q.Turn().Actor == machine.Over {
			if pay := r.q.Payoffs(); pay[seat] != 1 || pay[1-seat] != -1 {
				r.t.Fatalf("stopping ends the game with payoffs %v", pay)
			}
			n.wins = true
			return n // no roll can be better
		}
		n.stop = r.reached(seat)
	}
	roll, err := p.Move("roll")
	if err != nil {
		r.t.Fatal(err)
	}
	for k := range r.sides {
		r.q.CopyFrom(p)
		if err := r.q.Act(seat, roll); err != nil {
			r.t.Fatal(err)
		}
		if _, sides, err := r.q.Outcomes(); err != nil || sides != r.sides {
			r.t.Fatalf("%d outcomes of a roll, %v", sides, err)
		}
		if err := r.q.Draw(k); err != nil {
			r.t.Fatal(err)
		}
		n.roll = append(n.roll, r.reached(seat))
	}
	return n
}

// reached is the position that was reached, as the seat sees it that has moved.
func (r *pigReader) reached(seat int) int {
	on := r.q.Turn().Seat
	value := func(v, owner int) int { return r.q.Values(r.vars[v], owner)[0] }
	i := r.index(value(0, on), value(0, 1-on), value(1, 0))
	if on != seat {
		return -1 - i
	}
	return i
}

// same wants both seats to be in the same position.
func (r *pigReader) same(a, b pigNext) {
	r.t.Helper()
	if fmt.Sprint(a) != fmt.Sprint(b) {
		r.t.Fatalf("the same position leads the first seat to %v and the second to %v", a, b)
	}
}

// solve improves the values until they stand still. The scores only grow, so it goes from the greatest down, and looks at two
// positions together where the players can pass the turn to and fro.
func (m *pig) solve(t *testing.T) {
	t.Helper()
	for sum := 2 * (m.goal - 1); sum >= 0; sum-- {
		for score := max(0, sum-m.goal+1); score <= sum/2; score++ {
			for rounds, change := 0, 1.0; change > 1e-15; rounds++ {
				if change = m.improve(score, sum-score); score != sum-score {
					change = max(change, m.improve(sum-score, score))
				}
				if rounds > 1000 {
					t.Fatalf("the values with the scores %d and %d do not stand still", score, sum-score)
				}
			}
		}
	}
}

// improve computes the values with these scores again and says how much they changed.
func (m *pig) improve(score, other int) (change float64) {
	for points := m.goal - score + m.sides - 1; points >= 0; points-- {
		i := m.index(score, other, points)
		n := &m.next[i]
		best := 0.0
		for _, to := range n.roll {
			best += m.chance(to) / float64(len(n.roll))
		}
		if n.stop != 0 {
			best = max(best, m.chance(n.stop))
		}
		if n.wins {
			best = 1
		}
		change = max(change, math.Abs(best-m.value[i]))
		m.value[i] = best
	}
	return change
}

// chance is the chance to win of who has moved.
func (m *pig) chance(to int) float64 {
	if to < 0 {
		return 1 - m.value[-1-to]
	}
	return m.value[to]
}
