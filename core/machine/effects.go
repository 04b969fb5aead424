package machine

// Effect is something that a move made public: a variable of one owner revealed, or a fact that the rules emit.
type Effect struct {
	Var    int    // the variable revealed, or -1 for a fact
	Owner  int    // whose it is, None if it belongs to no seat
	Name   string // the fact's name; "record.field" for a field of a record
	Kind   Kind
	Values []int // the elements or the integer revealed; the fact
}

// shown is what a [Reveal] or an [Emit] made public. Its integers are copied, as the position goes on; effects are made of
// them when somebody asks.
type shown struct {
	reveal     *reveal // or
	emit       Emit
	first, end int // the owners revealed
	from       int // where its integers begin in Position.copied
}

// Effects are what the last accepted move, draw or timeout made public. They stay valid until the next one.
func (p *Position) Effects() []Effect {
	p.effects, p.values = p.effects[:0], p.values[:0]
	for i := range p.shown {
		s := &p.shown[i]
		if s.reveal == nil {
			for k, fact := range s.emit {
				p.effect(Effect{Var: -1, Owner: None, Name: fact.Name, Kind: fact.Kind}, p.copied[s.from+k:s.from+k+1])
			}
			continue
		}
		v := &p.game.Vars[s.reveal.variable]
		for owner := s.first; owner < s.end; owner++ {
			e := Effect{Var: s.reveal.variable, Owner: None, Name: v.Name, Kind: v.Kind}
			if v.PerSeat {
				e.Owner = owner
			}
			at := s.from + (owner-s.first)*s.reveal.stride
			cells := p.copied[at : at+s.reveal.stride]
			if v.Zone > 0 {
				if cells = cells[1 : 1+cells[0]]; len(cells) == 0 {
					continue
				}
			}
			p.effect(e, cells)
		}
	}
	return p.effects
}

func (p *Position) effect(e Effect, cells []int32) {
	from := len(p.values)
	for _, x := range cells {
		p.values = append(p.values, int(x))
	}
	e.Values = p.values[from:len(p.values):len(p.values)]
	p.effects = append(p.effects, e)
}
