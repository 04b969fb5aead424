package machine

// Shown is a variable of one owner as a viewer knows it.
type Shown struct {
	Var    int
	Owner  int   // a seat, or None
	Values []int // the elements of a zone, or one integer
}

// View is all that one viewer may know of a position: what it may not know is not in it.
type View struct {
	Turn  Turn
	Phase string
	Shown []Shown // in the order of the definition, per-seat variables by seat
}

// View builds what a viewer may know; viewer is a seat, or None for a spectator.
func (p *Position) View(viewer int) View {
	g := p.game
	v := View{Turn: p.Turn(), Phase: p.Phase(), Shown: make([]Shown, 0, g.owned)}
	if v.Turn.Actor == Chance {
		v.Turn.Seat = None
	}
	values := make([]int, 0, g.size)
	for i := range g.Vars {
		for owner := range g.Vars[i].owners(g.Seats) {
			if !p.sees(viewer, i, owner) {
				continue
			}
			from := len(values)
			values = p.appendValues(values, i, owner)
			s := Shown{Var: i, Owner: None, Values: values[from:len(values):len(values)]}
			if g.Vars[i].PerSeat {
				s.Owner = owner
			}
			v.Shown = append(v.Shown, s)
		}
	}
	return v
}

func (p *Position) sees(viewer, variable, owner int) bool {
	v := &p.game.Vars[variable]
	if at := p.game.flags[variable]; at > 0 && p.cells[at+owner] != 0 {
		return true
	}
	switch v.See {
	case SeeAll:
		return true
	case SeeOwner:
		return viewer == owner
	case SeeNone:
		return false
	case SeeIf:
		f := p.begin(None)
		return v.SeeIf(f, viewer, owner) && f.err == nil
	}
	return false
}

func (p *Position) appendValues(buf []int, variable, owner int) []int {
	v := &p.game.Vars[variable]
	at := p.game.offsets[variable] + owner*v.Stride()
	if v.Zone == 0 {
		return append(buf, int(p.cells[at]))
	}
	for _, x := range p.cells[at+1 : at+1+int(p.cells[at])] {
		buf = append(buf, int(x))
	}
	return buf
}

// Values reads a variable whoever may see it: for the rules' own examples, and for dealing again what is hidden.
func (p *Position) Values(variable, owner int) []int { return p.appendValues(nil, variable, owner) }

// Cells are the integers of the position after the registers, laid out as [Layout] says. They are the position's own: read them, do not write.
func (p *Position) Cells() []int32 { return p.cells }

// Put overwrites a variable of one owner, for worked examples that begin in the middle of a game. It reports whether the
// values fit the variable.
func (p *Position) Put(variable, owner int, values ...int) bool {
	v := &p.game.Vars[variable]
	if owner < 0 || owner >= v.owners(p.game.Seats) || (v.Zone == 0 && len(values) != 1) || (v.Zone > 0 && len(values) > v.Zone) {
		return false
	}
	for _, x := range values {
		if x < v.Min || x > v.Max {
			return false
		}
	}
	at := p.game.offsets[variable] + owner*v.Stride()
	if v.Zone > 0 {
		clear(p.cells[at : at+v.Stride()])
		p.cells[at] = int32(len(values))
		at++
	}
	for i, x := range values {
		p.cells[at+i] = int32(x)
	}
	return true
}

// PutPhase makes the position wait in a decision phase, for worked examples. It reports whether there is one of that name.
func (p *Position) PutPhase(name string) bool {
	for i := range p.game.Phases {
		if p.game.Phases[i].Name == name && !p.game.Phases[i].chance() {
			p.head[cellPhase] = int32(i)
			p.settle()
			p.head[cellItem], p.head[cellSeat], p.head[cellDrawn], p.head[cellCount] = 0, 0, 0, 0
			return true
		}
	}
	return false
}

// Places gives each seat's final place, from 1, where the game ranks its seats; nil otherwise. It is meaningful once the
// game is over.
func (p *Position) Places() []int { return p.perSeat(p.game.Rank) }

// Payoffs gives what each seat won or lost, where the game pays; nil otherwise.
func (p *Position) Payoffs() []int { return p.perSeat(p.game.Payoff) }

func (p *Position) perSeat(value SeatInt) []int {
	if value == nil {
		return nil
	}
	f := p.begin(None)
	list := make([]int, p.game.Seats)
	for seat := range list {
		list[seat] = value(f, seat)
	}
	return list
}
