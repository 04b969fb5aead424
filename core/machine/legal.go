package machine

import "math/bits"

// option is an action with what its moves need looked up.
type option struct {
	*Action
	phase  int
	first  Move
	from   int // its words in a set of moves
	end    int
	tuples int      // of arguments
	all    []uint64 // a bit each
	bounds []bound
	do     []linked
}

// bound is a parameter's bound that depends on the position.
type bound struct {
	param int
	of    Int
	from  int        // the value for which rows[0] stands, as for all below it
	rows  [][]uint64 // the tuples that each value leaves
}

// row gives the tuples that the bound leaves in this position.
func (b *bound) row(f *Frame) []uint64 {
	return b.rows[min(max(b.of(f)-b.from, 0), len(b.rows)-1)]
}

// bound makes the rows of the bounds.
func (o *option) bound(moves []numbered) {
	for k := range o.Params {
		q := &o.Params[k]
		if q.Min == nil && q.Max == nil {
			continue
		}
		below := o.below(k, moves)
		if q.Max != nil {
			o.bounds = append(o.bounds, bound{k, q.Max, q.Low - 1, below})
		}
		if q.Min != nil {
			least := make([][]uint64, len(below))
			for i, row := range below {
				least[i] = make([]uint64, len(row))
				for w := range row {
					least[i][w] = o.all[w] &^ row[w]
				}
			}
			o.bounds = append(o.bounds, bound{k, q.Min, q.Low, least})
		}
	}
}

// below gives the tuples whose argument k is less than its least value, than one more, and so on to one more than its greatest.
func (o *option) below(k int, moves []numbered) [][]uint64 {
	q := &o.Params[k]
	below := make([][]uint64, q.High-q.Low+2)
	for i := range below {
		below[i] = make([]uint64, len(o.all))
	}
	for tuple := range o.tuples {
		below[int(moves[tuple].args[k])-q.Low+1][tuple/64] |= 1 << (tuple % 64)
	}
	for i := 1; i < len(below); i++ {
		for w := range o.all {
			below[i][w] |= below[i-1][w]
		}
	}
	return below
}

func has(row []uint64, tuple uint) bool { return row[tuple/64]&(1<<(tuple%64)) != 0 }

// mayAct asks whether the seat may make moves of the action; turn is the seat whose turn it is.
func (o *option) mayAct(f *Frame, seat, turn int) bool {
	if o.Who == nil {
		return seat == turn
	}
	return o.Who(f, seat) && f.err == nil
}

// Legal fills the set with the moves that the seat may make now: none if it is not its turn and no action is open to it
// out of turn.
func (p *Position) Legal(seat int, set *MoveSet) {
	g := p.game
	if len(set.words) != len(g.moves)/64 {
		set.words = make([]uint64, len(g.moves)/64)
	}
	clear(set.words)
	if p.head[cellOver] != 0 || seat < 0 || seat >= g.Seats {
		return
	}
	f := p.begin(seat)
	turn := p.stage.turn.get(f)
	if f.err != nil {
		return
	}
	for _, o := range p.stage.options {
		if o.mayAct(f, seat, turn) {
			o.list(f, set, g)
		}
		f.clear()
	}
}

// list sets the bits of the action's legal moves. An expression that fails means no.
func (o *option) list(f *Frame, set *MoveSet, g *Game) {
	if len(o.Params) == 0 {
		if o.When == nil || (o.When(f) && f.err == nil) {
			set.words[o.from] = 1
		}
		return
	}
	guard := o.all
	if o.Row != nil {
		guard = o.Row(f)
	}
	row := set.words[o.from:o.end]
	for i := range o.bounds {
		bound := o.bounds[i].row(f)
		for w := range row {
			row[w] = guard[w] & bound[w]
		}
		guard = row
	}
	if len(o.bounds) == 0 {
		copy(row, guard)
	}
	if f.err != nil {
		clear(row)
	} else if o.Row == nil && o.When != nil {
		o.ask(f, row, g.moves[o.first:])
	}
}

// ask takes out the moves that the guard does not let pass.
func (o *option) ask(f *Frame, row []uint64, moves []numbered) {
	for w, word := range row {
		for ; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			copy(f.Cells[Arg:], moves[w*64+b].args[:])
			if !o.When(f) || f.err != nil {
				row[w] &^= 1 << b
				f.clear()
			}
		}
	}
}

// Check says whether the seat may make the move now. The error is a [*Refusal].
func (p *Position) Check(seat int, m Move) error {
	_, err := p.check(seat, m)
	return err
}

// check gives the move's action, by the same rows that list it.
func (p *Position) check(seat int, m Move) (*option, error) {
	if p.head[cellOver] != 0 {
		return nil, refuse(CodeGameOver, "The game is over; join or create another table.")
	}
	n := p.game.named(m)
	if n == nil {
		return nil, refuse(CodeUnknownAction, "This game has no such move; use one listed under legal.")
	}
	f := p.begin(seat)
	o := n.option
	if p.stage.chance() || seat < 0 || seat >= p.game.Seats || !o.mayAct(f, seat, p.stage.turn.get(f)) || f.err != nil {
		return nil, refuse(CodeNotYourTurn, "It is not your turn; wait with get_state.")
	}
	if o.phase != int(p.head[cellPhase]) {
		return nil, refuse(CodeIllegalMove, "That action is not open now; use one listed under legal.")
	}
	*(*[MaxParams]int32)(p.head[Arg:]) = n.args
	tuple := uint(m - o.first)
	for i := range o.bounds {
		if b := &o.bounds[i]; !has(b.row(f), tuple) {
			return nil, p.outOfRange(o.Action, b.param)
		}
	}
	if (o.Row != nil && !has(o.Row(f), tuple)) || (o.Row == nil && o.When != nil && !o.When(f)) || f.err != nil {
		sentence := "That move is not legal now; use one listed under legal."
		if o.Refuse != nil {
			sentence = o.Refuse(f)
		}
		return nil, refuse(CodeIllegalMove, sentence)
	}
	return o, nil
}
