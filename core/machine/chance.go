package machine

import (
	"errors"
	"fmt"
	"slices"
)

// sortFew sorts a zone. Most are so small that inserting is fastest.
func sortFew(list []int32) {
	if len(list) > 12 {
		slices.Sort(list)
		return
	}
	for i := 1; i < len(list); i++ {
		x, k := list[i], i
		for ; k > 0 && list[k-1] > x; k-- {
			list[k] = list[k-1]
		}
		list[k] = x
	}
}

// open begins a chance phase: it clears the zones that will be drawn into, hides what was revealed of its variables and
// finds the first draw. more is false if there is nothing to draw.
func (p *Position) open() (more bool, err error) {
	p.head[cellDeals]++
	for i := range p.stage.draws {
		d := &p.stage.draws[i]
		if d.When != nil {
			p.clearSome(d)
			continue
		}
		if d.stride > 1 {
			clear(p.cells[d.at : d.at+d.owners*d.stride])
		}
		if flag := p.game.flags[d.Into]; flag > 0 {
			clear(p.cells[flag : flag+d.owners])
		}
	}
	p.head[cellItem], p.head[cellSeat] = 0, -1
	return p.seek()
}

// seek moves on to the next draw, after the one for cellSeat of cellItem.
func (p *Position) seek() (more bool, err error) {
	f := p.begin(None)
	draws := p.stage.draws
	item, seat := int(p.head[cellItem]), int(p.head[cellSeat])+1
	for ; item < len(draws); item, seat = item+1, 0 {
		d := &draws[item]
		for ; seat < d.owners; seat++ {
			count := 1
			switch {
			case d.When != nil && !d.When(f, d.owner(seat)):
				count = 0
			case d.Counts > 0:
				count = int(p.cells[d.Counts+seat])
			case d.Count != nil:
				count = d.Count(f, seat)
			}
			if f.err != nil {
				return false, f.err
			}
			room := 1
			if d.stride > 1 { // an earlier item of the phase may have drawn into it
				room = d.stride - 1 - int(p.cells[d.at+seat*d.stride])
			}
			if uint(count) > uint(room) {
				return false, fmt.Errorf("%d draws into %s, which has room for %d", count, d.into.Name, room)
			}
			if count == 0 {
				continue
			}
			if d.From >= 0 && count > int(p.cells[p.game.offsets[d.From]]) {
				return false, fmt.Errorf("%d draws from %s, which holds %d", count, p.game.Vars[d.From].Name, p.cells[p.game.offsets[d.From]])
			}
			p.head[cellItem], p.head[cellSeat] = int32(item), int32(seat)
			p.head[cellDrawn], p.head[cellCount] = 0, int32(count)
			return true, nil
		}
	}
	p.head[cellItem], p.head[cellSeat], p.head[cellDrawn], p.head[cellCount] = 0, 0, 0, 0
	return false, nil
}

// drawing is a draw with what it needs of the game looked up.
type drawing struct {
	*Draw
	into   *Var
	at     int // first cell of the variable
	stride int
	owners int
	low    int
	plain  int // how many values a uniform draw has in every position, all of which the variable holds; else 0
}

func (g *Game) drawings(ph *Phase) []drawing {
	list := make([]drawing, len(ph.Draws))
	for i := range ph.Draws {
		d := &ph.Draws[i]
		v := &g.Vars[d.Into]
		list[i] = drawing{Draw: d, into: v, at: g.offsets[d.Into], stride: v.Stride(), owners: v.owners(g.Seats), low: d.Low}
		if n := d.High - d.Low + 1; d.From < 0 && d.Min == nil && n <= MaxOutcome && d.Low >= v.Min && d.High <= v.Max {
			list[i].plain = n
		}
	}
	return list
}

// clearSome clears what the owners hold who will draw.
func (p *Position) clearSome(d *drawing) {
	for owner := range d.owners {
		if !d.When(p.begin(None), d.owner(owner)) {
			continue
		}
		if d.stride > 1 {
			clear(p.cells[d.at+owner*d.stride : d.at+(owner+1)*d.stride])
		}
		if flag := p.game.flags[d.Into]; flag > 0 {
			p.cells[flag+owner] = 0
		}
	}
}

// RollsAgain reports whether the chance phase that the position is in draws for some owners only, while the others keep what they
// have: it is no new deal.
func (p *Position) RollsAgain() bool {
	return len(p.stage.draws) > 0 && !slices.ContainsFunc(p.stage.draws, func(d drawing) bool { return d.When == nil })
}

// owner is the owner of a draw as the rules name it.
func (d *Draw) owner(k int) int {
	if d.Each {
		return k
	}
	return None
}

// nextDraw gives the draw in progress, nil if chance has nothing to draw.
func (p *Position) nextDraw() *drawing {
	if p.head[cellOver] != 0 || len(p.stage.draws) == 0 {
		return nil
	}
	return &p.stage.draws[p.head[cellItem]]
}

// outcomes gives how many values a draw can have, and the first of a uniform one.
func (p *Position) outcomes(d *drawing) (low, n int, err error) {
	switch {
	case d.plain > 0:
		return d.Low, d.plain, nil
	case d.From >= 0:
		n = int(p.cells[p.game.offsets[d.From]])
	case d.Min == nil:
		low, n = d.Low, d.High-d.Low+1
	default:
		f := p.begin(None)
		low = d.Min(f)
		n = d.Max(f) - low + 1
		if f.err != nil {
			return 0, 0, f.err
		}
	}
	if n < 1 || n > MaxOutcome {
		return 0, 0, fmt.Errorf("a draw into %s with %d outcomes, want 1 to %d", p.game.Vars[d.Into].Name, n, MaxOutcome)
	}
	return low, n, nil
}

// Outcomes describes the next draw: the variable it goes into and how many values it can take, 0 … n−1, all as likely. n is 0
// if chance has nothing to draw.
func (p *Position) Outcomes() (variable, n int, err error) {
	d := p.nextDraw()
	if d == nil {
		return 0, 0, nil
	}
	_, n, err = p.outcomes(d)
	return d.Into, n, err
}

// Outcome is the value that outcome k of the next draw puts into its variable.
func (p *Position) Outcome(k int) (value int, err error) {
	d := p.nextDraw()
	if d == nil {
		return 0, errNoDraw
	}
	return p.outcome(d, k)
}

var errNoDraw = errors.New("there is nothing to draw")

func (p *Position) outcome(d *drawing, k int) (value int, err error) {
	low, n, err := p.outcomes(d)
	switch {
	case err != nil:
		return 0, err
	case k < 0 || k >= n:
		return 0, fmt.Errorf("outcome %d of a draw that has %d", k, n)
	case d.From >= 0:
		return int(p.cells[p.game.offsets[d.From]+1+k]), nil
	}
	return low + k, nil
}

// Draw gives chance's next value, 0-based and below what [Position.Outcomes] says. After the last draw of a phase its steps
// run.
func (p *Position) Draw(value int) error {
	d := p.nextDraw()
	if d == nil {
		return errNoDraw
	}
	x := d.low + value
	if uint(value) >= uint(d.plain) {
		var err error
		if x, err = p.fitting(d, value); err != nil {
			return err
		}
	}
	p.shown = p.shown[:0]
	p.copied = p.copied[:0]
	drawn := p.head[cellDrawn] + 1
	last := drawn >= p.head[cellCount]
	if last {
		copy(p.spare, p.state()) // only the last draw of an owner can run steps, which may fail
	}
	p.head[cellDrawn] = drawn
	if d.From >= 0 {
		p.take(d.From, value)
	}
	at := d.at + int(p.head[cellSeat])*d.stride
	if d.stride > 1 {
		n := p.cells[at] + 1
		p.cells[at] = n
		at += int(n)
	}
	p.cells[at] = int32(x)
	if !last {
		return nil
	}
	if err := p.drawn(d); err != nil {
		p.restore()
		return err
	}
	return nil
}

// fitting gives the value of an outcome if the variable can hold it.
func (p *Position) fitting(d *drawing, outcome int) (value int, err error) {
	x, err := p.outcome(d, outcome)
	if err == nil && (x < d.into.Min || x > d.into.Max) {
		err = fmt.Errorf("a draw of %d into %s, which holds %d to %d", x, d.into.Name, d.into.Min, d.into.Max)
	}
	return x, err
}

// take takes the element of that number out of a zone.
func (p *Position) take(zone, k int) {
	from := p.game.offsets[zone]
	left := p.cells[from+1 : from+1+int(p.cells[from])]
	copy(left[k:], left[k+1:])
	left[len(left)-1] = 0
	p.cells[from]--
}

// drawn ends an owner's draws of one item.
func (p *Position) drawn(d *drawing) error {
	if d.Sort && d.stride > 1 {
		at := d.at + int(p.head[cellSeat])*d.stride
		sortFew(p.cells[at+1 : at+1+int(p.cells[at])])
	}
	more, err := p.seek()
	if more || err != nil {
		return err
	}
	f := p.begin(None)
	to := runSteps(p, f, p.stage.then)
	switch {
	case f.err != nil:
		return f.err
	case to < 0:
		return p.closed()
	}
	return p.enter(to)
}
