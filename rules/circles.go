package rules

// lead is a way from one position to another.
type lead struct {
	from, to int
	by       by
	on       bool // a player's move after which a player moves, a draw after which is drawn
}

type leads []lead

// by says who leads on.
type by uint8

const (
	byPlayer by = iota
	byDraw
	byClock
)

func (w *walk) lead(who by, from, to int, on bool) {
	if to >= 0 {
		w.leads = append(w.leads, lead{from, to, who, on})
	}
}

// circles looks for ways that come back, by players only if asked, and for positions that lead to no end. It gives the number
// of a position and what is wrong with it, or "".
func (w *walk) circles(players bool) (position int, fault string) {
	if i := w.leads.round(len(w.list), byPlayer); players && i >= 0 {
		return i, "players can go round for ever: a position comes back without a draw between"
	}
	if i := w.leads.round(len(w.list), byDraw); i >= 0 {
		return i, "chance can go round for ever: a position comes back without a move between"
	}
	if !w.whole {
		return 0, ""
	}
	for i, ends := range w.leads.reach(len(w.list), w.over) {
		if !ends {
			return i, "a position in the phase " + w.file.phases[w.phases[i]].name + " can be reached from which no move and no draw leads to an end"
		}
	}
	return 0, ""
}

// round gives a position that players' moves alone, or draws alone, lead back to, or -1.
func (l leads) round(positions int, who by) int {
	into, out := make([]int, positions), make([][]int, positions)
	for _, e := range l {
		if e.by == who && e.on {
			into[e.to]++
			out[e.from] = append(out[e.from], e.to)
		}
	}
	var free []int
	for i, n := range into {
		if n == 0 {
			free = append(free, i)
		}
	}
	for len(free) > 0 {
		i := free[len(free)-1]
		free = free[:len(free)-1]
		for _, to := range out[i] {
			if into[to]--; into[to] == 0 {
				free = append(free, to)
			}
		}
	}
	for i, n := range into {
		if n > 0 {
			return i
		}
	}
	return -1
}

// reach says of every position whether some way leads to one of the ends.
func (l leads) reach(positions int, ends []int) []bool {
	before, reached := make([][]int, positions), make([]bool, positions)
	for _, e := range l {
		before[e.to] = append(before[e.to], e.from)
	}
	list := append([]int(nil), ends...)
	for _, i := range ends {
		reached[i] = true
	}
	for len(list) > 0 {
		i := list[len(list)-1]
		list = list[:len(list)-1]
		for _, from := range before[i] {
			if !reached[from] {
				reached[from] = true
				list = append(list, from)
			}
		}
	}
	return reached
}
