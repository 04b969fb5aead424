package machine

import (
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
			if count < 0 || count > max(1, v.Zone) {
				return false, fmt.Errorf("%d draws into %s, which holds %d", count, v.Name, max(1, v.Zone))
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

// Outcomes describes the next draw: the variable it goes into and how many values it can take, 0 … n−1, all as likely. n is 0
// if chance has nothing to draw.
func (p *Position) Outcomes() (variable, n int, err error) {
	if p.Turn().Actor != Chance {
		return 0, 0, nil
	}
	d := &p.game.Phases[p.cells[cellPhase]].Draws[p.cells[cellItem]]
	f := p.begin(None)
	if d.From >= 0 {
		n = int(p.cells[p.game.offsets[d.From]])
	} else {
		n = d.Max(f) - d.Min(f) + 1
	}
	if f.err != nil {
		return 0, 0, f.err
	}
	if n < 1 || n > MaxOutcome {
		return 0, 0, fmt.Errorf("a draw into %s with %d outcomes, want 1 to %d", p.game.Vars[d.Into].Name, n, MaxOutcome)
	}
	return d.Into, n, nil
}

// Outcome is the value that outcome k of the next draw puts into its variable.
func (p *Position) Outcome(k int) (value int, err error) {
	_, n, err := p.Outcomes()
	if err != nil {
		return 0, err
	}
	if k < 0 || k >= n {
		return 0, fmt.Errorf("outcome %d of a draw that has %d", k, n)
	}
	d := &p.game.Phases[p.cells[cellPhase]].Draws[p.cells[cellItem]]
	if d.From >= 0 {
		return int(p.cells[p.game.offsets[d.From]+1+k]), nil
	}
	return d.Min(p.begin(None)) + k, nil
}

// Draw gives chance's next value, 0-based and below what [Position.Outcomes] says. After the last draw of a phase its steps
// run.
func (p *Position) Draw(value int) error {
	_, n, err := p.Outcomes()
	if err != nil {
		return err
	}
	if value < 0 || value >= n {
		return fmt.Errorf("draw %d of %d outcomes", value, n)
	}
	ph := &p.game.Phases[p.cells[cellPhase]]
	d := &ph.Draws[p.cells[cellItem]]
	if p.cells[cellDrawn]+1 == p.cells[cellCount] {
		// Only the last draw of an owner can run steps, which may fail.
		copy(p.spare, p.cells)
	}
	p.effects, p.values = p.effects[:0], p.values[:0]
	f := p.begin(None)
	if err := p.put(f, d, value); err != nil {
		return err
	}
	if p.cells[cellDrawn]++; p.cells[cellDrawn] < p.cells[cellCount] {
		return nil
	}
	err = p.drawn(f, ph, d)
	if err != nil {
		copy(p.cells, p.spare)
		p.effects = p.effects[:0]
	}
	return err
}

// put places the value drawn.
func (p *Position) put(f *Frame, d *Draw, value int) error {
	g, v := p.game, &p.game.Vars[d.Into]
	at := g.offsets[d.Into] + int(p.cells[cellSeat])*v.Stride()
	x := 0
	if d.From >= 0 {
		from := g.offsets[d.From]
		left := p.cells[from+1 : from+1+int(p.cells[from])]
		x = int(left[value])
		copy(left[value:], left[value+1:])
		left[len(left)-1] = 0
		p.cells[from]--
	} else {
		x = d.Min(f) + value
	}
	if x < v.Min || x > v.Max {
		return fmt.Errorf("a draw of %d into %s, which holds %d to %d", x, v.Name, v.Min, v.Max)
	}
	if v.Zone == 0 {
		p.cells[at] = int32(x)
		return nil
	}
	p.cells[at]++
	p.cells[at+int(p.cells[at])] = int32(x)
	return nil
}

// drawn ends an owner's draws of one item.
func (p *Position) drawn(f *Frame, ph *Phase, d *Draw) error {
	if v := &p.game.Vars[d.Into]; v.Zone > 0 {
		at := p.game.offsets[d.Into] + int(p.cells[cellSeat])*v.Stride()
		n := int(p.cells[at])
		clear(p.cells[at+1+n : at+1+v.Zone])
		if d.Sort {
			sortFew(p.cells[at+1 : at+1+n])
		}
	}
	more, err := p.seek(ph)
	if more || err != nil {
		return err
	}
	to := runSteps(p, f, p.game.then[p.cells[cellPhase]])
	switch {
	case f.err != nil:
		return f.err
	case to < 0:
		return p.closed()
	}
	return p.enter(to)
}
