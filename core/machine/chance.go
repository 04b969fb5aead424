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
func (p *Position) open(ph *Phase) (more bool, err error) {
	g := p.game
	p.cells[cellDeals]++
	for i := range ph.Draws {
		n := ph.Draws[i].Into
		v := &g.Vars[n]
		for owner := range v.owners(g.Seats) {
			if v.Zone > 0 {
				p.cells[g.offsets[n]+owner*v.Stride()] = 0
			}
			if g.flags[n] > 0 {
				p.cells[g.flags[n]+owner] = 0
			}
		}
	}
	p.cells[cellItem], p.cells[cellSeat] = 0, -1
	return p.seek(ph)
}

// seek moves on to the next draw, after the one for cellSeat of cellItem.
func (p *Position) seek(ph *Phase) (more bool, err error) {
	f := p.begin(None)
	item, seat := int(p.cells[cellItem]), int(p.cells[cellSeat])+1
	for ; item < len(ph.Draws); item, seat = item+1, 0 {
		d := &ph.Draws[item]
		v := &p.game.Vars[d.Into]
		for ; seat < v.owners(p.game.Seats); seat++ {
			count := 1
			if d.Count != nil {
				count = d.Count(f, seat)
			}
			if f.err != nil {
				return false, f.err
			}
			room := 1
			if v.Zone > 0 { // an earlier item of the phase may have drawn into it
				room = v.Zone - int(p.cells[p.game.offsets[d.Into]+seat*v.Stride()])
			}
			if count < 0 || count > room {
				return false, fmt.Errorf("%d draws into %s, which has room for %d", count, v.Name, room)
			}
			if count == 0 {
				continue
			}
			p.cells[cellItem], p.cells[cellSeat] = int32(item), int32(seat)
			p.cells[cellDrawn], p.cells[cellCount] = 0, int32(count)
			return true, nil
		}
	}
	p.cells[cellItem], p.cells[cellSeat], p.cells[cellDrawn], p.cells[cellCount] = 0, 0, 0, 0
	return false, nil
}

// nextDraw gives the draw in progress, nil if chance has nothing to draw.
func (p *Position) nextDraw() *Draw {
	ph := &p.game.Phases[p.cells[cellPhase]]
	if p.cells[cellOver] != 0 || ph.Turn != nil {
		return nil
	}
	return &ph.Draws[p.cells[cellItem]]
}

// outcomes gives how many values a draw can have, and the first of a uniform one.
func (p *Position) outcomes(d *Draw) (low, n int, err error) {
	switch {
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

func (p *Position) outcome(d *Draw, k int) (value int, err error) {
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
	x, err := p.outcome(d, value)
	if err != nil {
		return err
	}
	last := p.cells[cellDrawn]+1 == p.cells[cellCount]
	if last {
		// Only the last draw of an owner can run steps, which may fail.
		copy(p.spare, p.cells)
	}
	p.effects, p.values = p.effects[:0], p.values[:0]
	if err := p.put(d, value, x); err != nil {
		return err
	}
	p.cells[cellDrawn]++
	if !last {
		return nil
	}
	if err := p.drawn(d); err != nil {
		copy(p.cells, p.spare)
		p.effects = p.effects[:0]
		return err
	}
	return nil
}

// put places the value of an outcome.
func (p *Position) put(d *Draw, outcome, x int) error {
	g, v := p.game, &p.game.Vars[d.Into]
	if x < v.Min || x > v.Max {
		return fmt.Errorf("a draw of %d into %s, which holds %d to %d", x, v.Name, v.Min, v.Max)
	}
	if d.From >= 0 {
		from := g.offsets[d.From]
		left := p.cells[from+1 : from+1+int(p.cells[from])]
		copy(left[outcome:], left[outcome+1:])
		left[len(left)-1] = 0
		p.cells[from]--
	}
	at := g.offsets[d.Into] + int(p.cells[cellSeat])*v.Stride()
	if v.Zone == 0 {
		p.cells[at] = int32(x)
		return nil
	}
	p.cells[at]++
	p.cells[at+int(p.cells[at])] = int32(x)
	return nil
}

// drawn ends an owner's draws of one item.
func (p *Position) drawn(d *Draw) error {
	if v := &p.game.Vars[d.Into]; v.Zone > 0 {
		at := p.game.offsets[d.Into] + int(p.cells[cellSeat])*v.Stride()
		n := int(p.cells[at])
		clear(p.cells[at+1+n : at+1+v.Zone])
		if d.Sort {
			sortFew(p.cells[at+1 : at+1+n])
		}
	}
	more, err := p.seek(&p.game.Phases[p.cells[cellPhase]])
	if more || err != nil {
		return err
	}
	f := p.begin(None)
	to := runSteps(p, f, p.game.then[p.cells[cellPhase]])
	switch {
	case f.err != nil:
		return f.err
	case to < 0:
		return p.closed()
	}
	return p.enter(to)
}
