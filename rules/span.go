package rules

// span is the least and the greatest value that an expression can have. Values stay within ±maxConst: arithmetic that could
// leave that range is checked when it runs.
type span struct{ low, high int }

var anything = span{-maxConst, maxConst}

func (s span) fixed() bool { return s.low == s.high }

func (s span) within(o span) bool { return o.low <= s.low && s.high <= o.high }

func (s span) clamp() span {
	return span{min(max(s.low, -maxConst), maxConst), max(min(s.high, maxConst), -maxConst)}
}

func (s span) union(o span) span { return span{min(s.low, o.low), max(s.high, o.high)} }

// setting is what is fixed about a game: the options and the number of seats, or what they range over.
type setting struct {
	file    *File
	options []span
	seats   span
	vars    []span // what each variable, or each element of a list, can hold
	zones   []span // capacity of each list
	args    []span // of the action being compiled
	locals  map[int]span
	frames  []frame        // function calls being looked into
	over    span           // element of the quantifier being looked into
	known   map[*term]span // of the terms outside functions, while one expression is compiled; else nil
}

type frame struct {
	fn   *function
	args []span
}

// newSetting works out what every variable can hold.
func newSetting(f *File, options []span, seats span) *setting {
	s := &setting{
		file: f, options: options, seats: seats, locals: map[int]span{},
		vars: make([]span, len(f.vars)), zones: make([]span, len(f.vars)),
	}
	for i, v := range f.vars {
		switch {
		case v.kind == kindBool:
			s.vars[i] = span{0, 1}
		case v.kind == kindSeat:
			s.vars[i] = span{min(0, v.first), seats.high - 1}
		default:
			s.vars[i] = span{s.of(v.low.term).low, s.of(v.high.term).high}
		}
		if v.zone != nil {
			s.zones[i] = s.of(v.zone.term)
		}
	}
	return s
}

// widest is the setting of all options and all numbers of seats at once.
func (f *File) widest() *setting {
	options := make([]span, len(f.Options))
	for i, o := range f.Options {
		options[i] = span{o.Low, o.High}
	}
	return newSetting(f, options, span{f.MinSeats, f.MaxSeats})
}

// fits reports whether arithmetic needs no check.
func (s *setting) fits(t *term) bool { return s.raw(t).within(anything) }

// of gives the values that a term can have.
func (s *setting) of(t *term) span { return s.raw(t).clamp() }

// raw is of without the limit that run-time checks impose.
func (s *setting) raw(t *term) span {
	if s.known == nil || len(s.frames) > 0 || len(t.kids) == 0 {
		return s.workOut(t)
	}
	known, ok := s.known[t]
	if !ok {
		known = s.workOut(t)
		s.known[t] = known
	}
	return known
}

func (s *setting) workOut(t *term) span {
	switch t.op {
	case opConst:
		return span{t.n, t.n}
	case opOption:
		return s.options[t.n]
	case opSeats:
		return s.seats
	case opMe, opNext, opPrev:
		return span{0, s.seats.high - 1}
	case opLive:
		return span{0, s.seats.high}
	case opArg:
		return s.args[t.n]
	case opLocal:
		if l, ok := s.locals[t.n]; ok {
			return l
		}
		return anything
	case opParam:
		for i := len(s.frames) - 1; i >= 0; i-- {
			if s.frames[i].fn == t.fn {
				return s.frames[i].args[t.n]
			}
		}
		return anything
	case opItem:
		return s.over
	case opVar, opVarAt:
		return s.vars[t.n]
	case opLen:
		return span{0, s.zones[t.n].high}
	case opTally, opCount, opSum:
		return s.total(t)
	case opCond:
		return s.choice(t)
	case opCall:
		return s.call(t)
	}
	if t.kind == kindBool {
		return span{0, 1}
	}
	return s.arithmetic(t)
}

func (s *setting) choice(t *term) span {
	if c := t.kids[0]; c.op == opOption && s.options[c.n].fixed() {
		return s.raw(t.kids[2-s.options[c.n].low])
	}
	return s.of(t.kids[1]).union(s.of(t.kids[2]))
}

func (s *setting) call(t *term) span {
	if t.kind == kindBool {
		return span{0, 1}
	}
	args := make([]span, len(t.kids))
	for i, k := range t.kids {
		args[i] = s.of(k)
	}
	saved, over := s.frames, s.over
	s.frames = append(s.frames[:len(s.frames):len(s.frames)], frame{t.fn, args})
	result := s.of(t.fn.body.term)
	s.frames, s.over = saved, over
	return result
}

// total is the span of a tally, count or sum.
func (s *setting) total(t *term) span {
	least, most := s.seats.low, s.seats.high
	element := span{0, s.seats.high - 1}
	if t.n != allSeats {
		v := s.file.vars[t.n]
		element = s.vars[t.n]
		if !t.overSeats(v) {
			least, most = 1, 1
		}
		if v.zone != nil {
			least, most = 0, most*s.zones[t.n].high
		}
	}
	if t.op != opSum {
		return span{0, most}
	}
	s.over = element
	each := s.of(t.kids[len(t.kids)-1])
	return span{min(each.low*least, each.low*most), max(each.high*least, each.high*most)}
}

func (s *setting) arithmetic(t *term) span {
	a := s.of(t.kids[0])
	switch t.op {
	case opNeg:
		return span{-a.high, -a.low}
	case opAbs:
		if a.low >= 0 {
			return a
		}
		return span{0, max(-a.low, a.high)}
	}
	b := s.of(t.kids[1])
	switch t.op {
	case opAdd:
		return span{a.low + b.low, a.high + b.high}
	case opSub:
		return span{a.low - b.high, a.high - b.low}
	case opMul:
		p, q, u, v := a.low*b.low, a.low*b.high, a.high*b.low, a.high*b.high
		return span{min(p, q, u, v), max(p, q, u, v)}
	case opMin:
		return span{min(a.low, b.low), min(a.high, b.high)}
	case opMax:
		return span{max(a.low, b.low), max(a.high, b.high)}
	case opRem, opMod:
		if a.low >= 0 && b.low > 0 {
			return span{0, min(a.high, b.high-1)}
		}
		most := max(-b.low, b.high)
		return span{-most, most}
	case opDiv, opCeilDiv:
		if b.low > 0 {
			round := floorDiv
			if t.op == opCeilDiv {
				round = ceilDiv
			}
			p, q, u, v := round(a.low, b.low), round(a.low, b.high), round(a.high, b.low), round(a.high, b.high)
			return span{min(p, q, u, v), max(p, q, u, v)}
		}
		most := max(-a.low, a.high)
		return span{-most, most}
	}
	return anything
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func ceilDiv(a, b int) int { return -floorDiv(-a, b) }
