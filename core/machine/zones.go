package machine

import "fmt"

// Place is a zone of one owner.
type Place struct {
	Var  int
	Seat Int // whose; nil if the variable belongs to no seat
}

// Transfer takes elements out of a zone and adds them to the end of another, in the order in which they lie. It fails if there are
// not so many or no room for them, and where an element is out of the other zone's bounds.
type Transfer struct {
	From, To Place
	Value    Int // which elements; nil for any
	Count    Int // how many, from the front; nil for all of them
}

// zone is a linked [Place].
type zone struct {
	name   string
	at     int
	stride int
	seats  int // how many owners, 0 for a variable of no seat
	seat   Int
	v      *Var
}

func (l *linker) zone(w Place) zone {
	v := &l.game.Vars[w.Var]
	z := zone{name: v.Name, at: l.game.offsets[w.Var], stride: v.Stride(), seat: w.Seat, v: v}
	if v.PerSeat {
		z.seats = l.game.Seats
	}
	return z
}

// cells gives the zone's cells, its length first.
func (z *zone) cells(f *Frame) ([]int32, bool) {
	at := z.at
	if z.seats > 0 {
		seat := z.seat(f)
		if seat < 0 || seat >= z.seats {
			f.Fail(fmt.Errorf("%s of seat %d", z.name, seat))
			return nil, false
		}
		at += seat * z.stride
	}
	return f.Cells[at : at+z.stride], f.err == nil
}

type transfer struct {
	from, to     zone
	value, count Int
}

func (s Transfer) link(l *linker) linked {
	if l.game.Vars[s.From.Var].See != SeeAll && l.game.Vars[s.To.Var].See != SeeAll {
		l.game.parted[s.From.Var] = true
	}
	return &transfer{l.zone(s.From), l.zone(s.To), s.Value, s.Count}
}

func (s *transfer) run(_ *Position, f *Frame) int {
	count, value := -1, int32(0)
	if s.count != nil {
		if count = s.count(f); count < 0 {
			f.Fail(fmt.Errorf("move %d elements of %s", count, s.from.name))
		}
	}
	if s.value != nil {
		value = int32(s.value(f))
	}
	from, ok := s.from.cells(f)
	if !ok {
		return next
	}
	to, ok := s.to.cells(f)
	if !ok {
		return next
	}
	if &from[0] == &to[0] {
		f.Fail(fmt.Errorf("move from %s to itself", s.from.name))
		return next
	}
	kept, moved := int32(0), 0
	for _, x := range from[1 : 1+from[0]] {
		if moved == count || (s.value != nil && x != value) {
			kept++
			from[kept] = x
			continue
		}
		switch {
		case int(to[0])+1 == len(to):
			f.Fail(fmt.Errorf("%s is full", s.to.name))
			return next
		case int(x) < s.to.v.Min || int(x) > s.to.v.Max:
			f.Fail(fmt.Errorf("move %d to %s, which holds %d to %d", x, s.to.name, s.to.v.Min, s.to.v.Max))
			return next
		}
		moved++
		to[0]++
		to[to[0]] = x
	}
	if moved < count {
		f.Fail(fmt.Errorf("%s has %d such elements, want %d", s.from.name, moved, count))
		return next
	}
	clear(from[1+kept:])
	from[0] = kept
	return next
}

// Clear empties a zone, of one owner or of all.
type Clear struct {
	Var  int
	Seat Int // whose; nil for all
}

func (s Clear) link(l *linker) linked {
	if l.game.Vars[s.Var].See != SeeAll {
		l.game.parted[s.Var] = true
	}
	return &wipe{l.owning(s.Var, s.Seat)}
}

type wipe struct{ owning }

func (s *wipe) run(p *Position, f *Frame) int {
	first, end := s.named(p, f)
	clear(p.cells[s.at+first*s.stride : s.at+end*s.stride])
	return next
}
