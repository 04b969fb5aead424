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
	owning
	v *Var
}

func (l *linker) zone(w Place) zone { return zone{l.owning(w.Var, w.Seat), &l.game.Vars[w.Var]} }

// list gives the zone's cells, its length first; nil if there is no such owner.
func (z *zone) list(p *Position, f *Frame) []int32 {
	first, end := z.named(p, f)
	return p.cells[z.at+first*z.stride : z.at+end*z.stride]
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

func (s *transfer) run(p *Position, f *Frame) int {
	count, value := -1, int32(0)
	if s.count != nil {
		if count = s.count(f); count < 0 {
			f.Fail(fmt.Errorf("move %d elements of %s", count, s.from.v.Name))
		}
	}
	if s.value != nil {
		value = int32(s.value(f))
	}
	from, to := s.from.list(p, f), s.to.list(p, f)
	if f.err != nil {
		return next
	}
	if &from[0] == &to[0] {
		f.Fail(fmt.Errorf("move from %s to itself", s.from.v.Name))
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
			f.Fail(fmt.Errorf("%s is full", s.to.v.Name))
			return next
		case int(x) < s.to.v.Min || int(x) > s.to.v.Max:
			f.Fail(fmt.Errorf("move %d to %s, which holds %d to %d", x, s.to.v.Name, s.to.v.Min, s.to.v.Max))
			return next
		}
		moved++
		to[0]++
		to[to[0]] = x
	}
	if moved < count {
		f.Fail(fmt.Errorf("%s has %d such elements, want %d", s.from.v.Name, moved, count))
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
