package machine

import (
	"fmt"
	"iter"
	"math/bits"
)

// Move numbers an action with its arguments. Numbers are fixed for a game: actions in the order of the definition, the
// first parameter most significant. Each action begins at a multiple of 64, so that a row of legal moves is whole words;
// numbers in between name nothing.
type Move int

// paramMask holds, for every value that a parameter's dynamic bound can take, the moves that it leaves.
type paramMask struct {
	low   int
	upTo  [][]uint64 // upTo[k]: arguments at most low+k
	since [][]uint64 // since[k]: arguments at least low+k
}

func (g *Game) number() error {
	next := 0
	for pi := range g.Phases {
		p := &g.Phases[pi]
		var own []int
		for ai := range p.Actions {
			a := &p.Actions[ai]
			if len(a.Params) > MaxParams {
				return fmt.Errorf("action %s: %d parameters, at most %d", a.Name, len(a.Params), MaxParams)
			}
			count := 1
			for _, q := range a.Params {
				if q.Low > q.High || q.Low < -maxArgument || q.High > maxArgument {
					return fmt.Errorf("action %s: %s from %d to %d", a.Name, q.Name, q.Low, q.High)
				}
				if count *= q.High - q.Low + 1; count > MaxMoves || q.High-q.Low >= MaxMoves {
					return fmt.Errorf("action %s has more than %d moves", a.Name, MaxMoves)
				}
			}
			own = append(own, len(g.actions))
			g.actions = append(g.actions, a)
			g.first = append(g.first, Move(next))
			g.phaseOf = append(g.phaseOf, pi)
			words := (count + 63) / 64
			if next += words * 64; next > MaxMoves {
				return fmt.Errorf("more than %d moves", MaxMoves)
			}
			g.enumerate(a, count, words)
		}
		g.byPhase = append(g.byPhase, own)
	}
	g.words = next / 64
	return nil
}

func (g *Game) enumerate(a *Action, count, words int) {
	backing := make([]int16, count*len(a.Params))
	for id := range words * 64 {
		if id >= count {
			g.args = append(g.args, nil)
			continue
		}
		args := backing[id*len(a.Params) : (id+1)*len(a.Params) : (id+1)*len(a.Params)]
		rest := id
		for i := len(a.Params) - 1; i >= 0; i-- {
			span := a.Params[i].High - a.Params[i].Low + 1
			args[i] = int16(a.Params[i].Low + rest%span)
			rest /= span
		}
		g.args = append(g.args, args)
	}
	moves := g.args[len(g.args)-words*64:]
	masks := make([]paramMask, len(a.Params))
	for i, q := range a.Params {
		span := q.High - q.Low + 1
		m := paramMask{low: q.Low, upTo: make([][]uint64, span), since: make([][]uint64, span)}
		for k := range span {
			m.upTo[k] = make([]uint64, words)
			m.since[k] = make([]uint64, words)
		}
		// First the moves with just that argument, then those up to it and since it.
		for id := range count {
			k := int(moves[id][i]) - q.Low
			m.upTo[k][id/64] |= 1 << (id % 64)
			m.since[k][id/64] |= 1 << (id % 64)
		}
		for k := 1; k < span; k++ {
			for w := range words {
				m.upTo[k][w] |= m.upTo[k-1][w]
				m.since[span-1-k][w] |= m.since[span-k][w]
			}
		}
		masks[i] = m
	}
	g.masks = append(g.masks, masks)
}

// Moves is one more than the greatest move number of the game.
func (g *Game) Moves() int { return len(g.args) }

// Action says what a move does and with which arguments; ok is false for a number that names no move.
func (g *Game) Action(m Move) (a *Action, args []int16, ok bool) {
	i := g.actionOf(m)
	if i < 0 {
		return nil, nil, false
	}
	return g.actions[i], g.args[m], true
}

func (g *Game) actionOf(m Move) int {
	if m < 0 || int(m) >= len(g.args) || g.args[m] == nil {
		return -1
	}
	i := len(g.first) - 1
	for g.first[i] > m {
		i--
	}
	return i
}

// FindAction finds an action of the phase the position is in, else of any phase.
func (p *Position) FindAction(name string) (*Action, bool) {
	i := p.game.find(name, int(p.cells[cellPhase]))
	if i < 0 {
		return nil, false
	}
	return p.game.actions[i], true
}

// find gives the number of the action of that name in the phase, else in any other phase, else -1.
func (g *Game) find(name string, phase int) int {
	other := -1
	for i, a := range g.actions {
		if a.Name != name {
			continue
		}
		if g.phaseOf[i] == phase {
			return i
		}
		if other < 0 {
			other = i
		}
	}
	return other
}

// Move numbers an action of the position's phase with arguments in the order of its parameters. The error is a
// [*Refusal] that says what would be accepted.
func (p *Position) Move(name string, args ...int) (Move, error) {
	i := p.game.find(name, int(p.cells[cellPhase]))
	if i < 0 {
		return 0, refuse(CodeUnknownAction, "This game has no such action; use one listed under legal.")
	}
	a := p.game.actions[i]
	if len(args) != len(a.Params) {
		return 0, refuse(CodeBadArgument, fmt.Sprintf("%s takes %d arguments.", a.Name, len(a.Params)))
	}
	id := 0
	for k, q := range a.Params {
		if args[k] < q.Low || args[k] > q.High {
			return 0, p.outOfRange(a, k)
		}
		id = id*(q.High-q.Low+1) + args[k] - q.Low
	}
	return p.game.first[i] + Move(id), nil
}

// Text writes a move as its action and arguments, such as "bid 3 5".
func (g *Game) Text(m Move) string {
	a, args, ok := g.Action(m)
	if !ok {
		return fmt.Sprintf("move(%d)", int(m))
	}
	s := a.Name
	for _, x := range args {
		s += fmt.Sprintf(" %d", x)
	}
	return s
}

// MoveSet is a set of moves, a bit each. The zero value is empty and grows when a position fills it.
type MoveSet struct{ words []uint64 }

// Has reports whether the move is in the set.
func (s *MoveSet) Has(m Move) bool {
	return m >= 0 && int(m)/64 < len(s.words) && s.words[m/64]&(1<<(m%64)) != 0
}

// Len counts the moves.
func (s *MoveSet) Len() int {
	n := 0
	for _, w := range s.words {
		n += bits.OnesCount64(w)
	}
	return n
}

// At gives the k-th move in order, 0 ≤ k < Len.
func (s *MoveSet) At(k int) Move {
	for i, w := range s.words {
		n := bits.OnesCount64(w)
		if k >= n {
			k -= n
			continue
		}
		return Move(i*64 + nth(w, k))
	}
	panic("machine: MoveSet.At out of range")
}

// nth is the position of the k-th bit that is set, from 0; the word has more than k of them.
func nth(w uint64, k int) int {
	at := 0
	for half := 32; half > 0; half /= 2 {
		n := bits.OnesCount64(w >> at & (1<<half - 1))
		if k >= n {
			k -= n
			at += half
		}
	}
	return at
}

// All goes through the moves in order.
func (s *MoveSet) All() iter.Seq[Move] {
	return func(yield func(Move) bool) {
		for i, w := range s.words {
			for ; w != 0; w &= w - 1 {
				if !yield(Move(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Append appends the moves to buf in order.
func (s *MoveSet) Append(buf []Move) []Move {
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			buf = append(buf, Move(i*64+bits.TrailingZeros64(w)))
		}
	}
	return buf
}

// Legal fills the set with the moves that the seat may make now: none if it is not its turn and no action is open to it
// out of turn.
func (p *Position) Legal(seat int, set *MoveSet) {
	g := p.game
	if len(set.words) != g.words {
		set.words = make([]uint64, g.words)
	}
	clear(set.words)
	if p.cells[cellOver] != 0 || seat < 0 || seat >= g.Seats {
		return
	}
	phase := int(p.cells[cellPhase])
	f := p.begin(seat)
	turn := g.Phases[phase].Turn.get(f)
	if f.err != nil {
		return
	}
	for _, i := range g.byPhase[phase] {
		if a := g.actions[i]; p.mayAct(f, a, seat, turn) && f.err == nil {
			p.fill(f, i, set)
		}
		f.err = nil
	}
}

func (p *Position) mayAct(f *Frame, a *Action, seat, turn int) bool {
	if a.Who == nil {
		return seat == turn
	}
	return a.Who(f, seat)
}

// fill sets the bits of action i's legal moves. An expression that fails means no.
func (p *Position) fill(f *Frame, i int, set *MoveSet) {
	g, a := p.game, p.game.actions[i]
	end := g.words
	if i+1 < len(g.first) {
		end = int(g.first[i+1]) / 64
	}
	row := set.words[int(g.first[i])/64 : end]
	if len(a.Params) == 0 {
		if a.When == nil || (a.When(f) && f.err == nil) {
			row[0] = 1
		}
		return
	}
	if a.Row != nil {
		copy(row, a.Row(f))
		p.narrow(f, i, row)
		return
	}
	for w := range row {
		row[w] = ^uint64(0)
	}
	p.narrow(f, i, row)
	if a.When == nil {
		return
	}
	base := int(g.first[i])
	for w, word := range row {
		for ; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			for k, x := range g.args[base+w*64+b] {
				f.Cells[Arg+k] = int32(x)
			}
			if !a.When(f) || f.err != nil {
				row[w] &^= 1 << b
				f.err = nil
			}
		}
	}
}

// narrow takes out the moves beyond the parameters' bounds in this position, and the bits that name no move.
func (p *Position) narrow(f *Frame, i int, row []uint64) {
	params, masks := p.game.actions[i].Params, p.game.masks[i]
	whole := true
	for k := range params {
		q, m := &params[k], &masks[k]
		if q.Min == nil && q.Max == nil && (k+1 < len(params) || !whole) {
			continue
		}
		whole = false
		lo, hi := 0, len(m.upTo)-1
		if q.Max != nil {
			hi = min(hi, q.Max(f)-m.low)
		}
		if q.Min != nil {
			lo = max(0, q.Min(f)-m.low)
		}
		if hi < 0 || lo >= len(m.since) {
			clear(row)
			return
		}
		up := m.upTo[hi]
		for w := range row {
			row[w] &= up[w]
		}
		if lo > 0 {
			since := m.since[lo]
			for w := range row {
				row[w] &= since[w]
			}
		}
	}
	if f.err != nil {
		clear(row)
	}
}
