package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
)

// example is a worked position, of a rule file or of another text.
type example struct {
	src     *source
	name    string
	at      place
	seats   int
	options map[string]int
	phase   string // "" for where the game begins
	given   []held
	draws   []int
	legal   []play
	illegal []play
	count   int // of legal moves, or -1
	play    []play
	expect  []held
	ending  []expectation
}

// held is what a variable of one owner holds.
type held struct {
	at       place
	name     string
	variable int
	owner    int
	values   []int
}

// play is a move of a seat, or of the seat whose turn it is if seat is -1; or a draw or a timeout.
type play struct {
	at   place
	text string
	seat int
	name string
	args []int
}

// expectation is about the position as a whole: its phase, over, rank or payoff.
type expectation struct {
	at   place
	key  string
	text string
	list []int
}

func (b *builder) readExamples(n *node) (list []*example) {
	items := b.sequence(n, "examples")
	if len(items) > maxExamples {
		b.fail(n.at, "more than %d examples", maxExamples)
		return nil
	}
	for _, item := range items {
		b.part()
		f := b.shape(item, "an example")
		e := &example{src: b.src, name: b.text(b.need(f, "name", "an example"), "name", 200), at: item.at, seats: b.file.MinSeats, count: -1}
		if seats := f.by["seats"]; seats != nil {
			e.seats = b.int(seats, "seats of an example", b.file.MinSeats, b.file.MaxSeats)
		}
		e.options = b.given(f.by["options"])
		if phase := f.by["phase"]; phase != nil {
			if e.phase = phase.text; b.err == nil && b.file.phases[*b.jump(phase)].turn == nil {
				b.fail(phase.at, "an example begins in a phase of players; leave out the phase and give draws")
			}
		}
		for _, p := range b.mapping(f.by["given"], "given") {
			e.given = append(e.given, b.holds(p, e)...)
		}
		for _, d := range b.sequence(f.by["draws"], "draws") {
			e.draws = append(e.draws, b.int(d, "a draw", -maxConst, maxConst))
		}
		e.legal, e.illegal = b.moves(f.by["legal"], "legal", e), b.moves(f.by["illegal"], "illegal", e)
		if count := f.by["legal_count"]; count != nil {
			e.count = b.int(count, "legal_count", 0, machine.MaxMoves)
		}
		e.play = b.moves(f.by["play"], "play", e)
		b.expected(e, f.by["expect"])
		list = append(list, e)
	}
	return list
}

// expected reads what an example expects in the end.
func (b *builder) expected(e *example, n *node) {
	for _, p := range b.mapping(n, "expect") {
		x := expectation{at: p.key.at, key: p.key.text, text: p.value.text}
		switch p.key.text {
		case "phase":
			b.jump(p.value)
		case "over":
			x.text = yesNo(b.bool(p.value, "over"))
		case "rank", "payoff":
			for _, item := range b.sequence(p.value, p.key.text) {
				x.list = append(x.list, b.int(item, p.key.text, -maxConst, maxConst))
			}
		default:
			e.expect = append(e.expect, b.holds(p, e)...)
			continue
		}
		e.ending = append(e.ending, x)
	}
}

// holds reads what a variable or a record is given or expected to hold.
func (b *builder) holds(p pair, e *example) []held {
	if r, ok := b.records[p.key.text]; ok {
		if !r.perSeat {
			return b.holdsRecord(r, p.value, 0)
		}
		var list []held
		for owner, item := range b.oneEach(p.value, r.name, e) {
			list = append(list, b.holdsRecord(r, item, owner)...)
		}
		return list
	}
	i, ok := b.vars[p.key.text]
	if !ok {
		b.unknownVariable(p.key.at, p.key.text)
		return nil
	}
	v := b.file.vars[i]
	if !v.perSeat {
		return []held{{p.key.at, v.name, i, 0, b.plainValues(p.value, i)}}
	}
	var list []held
	for owner, item := range b.oneEach(p.value, v.name, e) {
		list = append(list, held{p.key.at, v.name, i, owner, b.plainValues(item, i)})
	}
	return list
}

// oneEach reads one value for each seat of an example.
func (b *builder) oneEach(n *node, name string, e *example) []*node {
	items := b.sequence(n, name+", one value a seat,")
	if len(items) != e.seats && b.err == nil {
		b.fail(n.at, "%s has %d values for %d seats", name, len(items), e.seats)
		return nil
	}
	return items
}

func (b *builder) holdsRecord(r *record, n *node, owner int) []held {
	var list []held
	if n.kind == scalar && n.text == "none" {
		for k := range r.names {
			list = append(list, held{n.at, r.name, r.first + k, owner, nil})
		}
		return list
	}
	f := b.fields(n, "the record "+r.name, r.names...)
	for k, name := range r.names {
		if field := b.need(f, name, "the record "+r.name); b.err == nil {
			list = append(list, held{n.at, r.name, r.first + k, owner, []int{b.plainValue(field, r.first+k)}})
		}
	}
	return list
}

func (b *builder) plainValues(n *node, variable int) []int {
	if b.file.vars[variable].zone == nil {
		return []int{b.plainValue(n, variable)}
	}
	list := []int{}
	for _, item := range b.sequence(n, b.file.vars[variable].name) {
		list = append(list, b.plainValue(item, variable))
	}
	return list
}

func (b *builder) plainValue(n *node, variable int) int {
	v := b.file.vars[variable]
	switch {
	case v.kind == kindBool:
		if b.bool(n, v.name) {
			return 1
		}
		return 0
	case v.kind == kindSeat && n.text == "none":
		return machine.None
	}
	return b.int(n, "a value of "+v.name, -maxConst, maxConst)
}

// moves reads plays such as bid 3 5, or 2:challenge for a seat that is not the one whose turn it is.
func (b *builder) moves(n *node, what string, e *example) []play {
	var list []play
	for _, item := range b.sequence(n, what) {
		m := play{at: item.at, text: item.text, seat: machine.None}
		text := item.text
		if seat, rest, ok := strings.Cut(text, ":"); ok {
			x, err := strconv.Atoi(seat)
			if err != nil || x < 0 || x >= e.seats {
				b.fail(item.at, "a move of another seat is written 'seat:move', the seat from 0 to %d", e.seats-1)
			}
			m.seat, text = x, rest
		}
		words := strings.Fields(text)
		if item.kind != scalar || len(words) == 0 {
			b.fail(item.at, "a move is an action and its numbers, such as bid 3 5")
			return nil
		}
		m.name = words[0]
		if known := b.actions(); !slices.Contains(known, m.name) && !b.follows(m.name) {
			b.told[m.name] = true
			b.fail(item.at, "there is no action %s%s", m.name, instead(m.name, known))
		}
		for _, w := range words[1:] {
			x, err := strconv.Atoi(w)
			if err != nil {
				b.fail(item.at, "%s is not a number; a move is an action and its numbers, such as bid 3 5", w)
			}
			m.args = append(m.args, x)
		}
		list = append(list, m)
	}
	return list
}

// actions lists what an example can play.
func (b *builder) actions() []string {
	var names []string
	for _, ph := range b.file.phases {
		for _, a := range ph.actions {
			if !slices.Contains(names, a.name) {
				names = append(names, a.name)
			}
		}
	}
	return append(names, "draw", "timeout")
}

// runner plays one example.
type runner struct {
	file    *File
	example *example
	game    *machine.Game
	p       *machine.Position
	drawn   int
}

func (r *runner) errorf(at place, format string, args ...any) error {
	return r.example.src.errorf(at, "example %q: %s", r.example.name, fmt.Sprintf(format, args...))
}

func (r *runner) run() error {
	e := r.example
	var err error
	if r.game, err = r.file.Compile(e.seats, e.options); err != nil {
		return r.errorf(e.at, "%v", err)
	}
	if r.p, err = r.game.NewPosition(); err != nil {
		return r.errorf(e.at, "%v", err)
	}
	if e.phase != "" {
		r.p.PutPhase(e.phase)
	}
	for _, h := range e.given {
		values := h.values
		if values == nil {
			values = []int{r.game.Vars[h.variable].Init[0]}
		}
		if !r.p.Put(h.variable, h.owner, values...) {
			v := r.game.Vars[h.variable]
			if v.Zone > 0 && len(values) > v.Zone {
				return r.errorf(h.at, "%s holds at most %s, not %d", v.Name, plural(v.Zone, "element"), len(values))
			}
			return r.errorf(h.at, "%s holds %d to %d, not %s", v.Name, v.Min, v.Max, r.shown(h, values))
		}
	}
	if err := r.lists(); err != nil {
		return err
	}
	for _, m := range e.play {
		if err := r.play(m); err != nil {
			return err
		}
	}
	return r.expect()
}

// lists compares the legal moves.
func (r *runner) lists() error {
	for _, m := range r.example.legal {
		if err := r.allowed(m); err != nil {
			return r.errorf(m.at, "%s should be legal: %v", m.text, err)
		}
	}
	for _, m := range r.example.illegal {
		if r.allowed(m) == nil {
			return r.errorf(m.at, "%s should not be legal, and is", m.text)
		}
	}
	if want := r.example.count; want >= 0 {
		var set machine.MoveSet
		r.p.Legal(r.p.Turn().Seat, &set)
		if set.Len() != want {
			var moves []string
			for m := range set.All() {
				moves = append(moves, r.game.Text(m))
			}
			return r.errorf(r.example.at, "%s legal, want %d: %s", plural(set.Len(), "move"), want, listed(moves))
		}
	}
	return nil
}

func (r *runner) seat(m play) int {
	if m.seat != machine.None {
		return m.seat
	}
	return r.p.Turn().Seat
}

// allowed gives nil for a legal move.
func (r *runner) allowed(m play) error {
	if m.name == "timeout" || m.name == "draw" {
		return fmt.Errorf("%s is not a player's move", m.name)
	}
	move, err := r.p.Move(m.name, m.args...)
	if err != nil {
		return err
	}
	return r.p.Check(r.seat(m), move)
}

func (r *runner) play(m play) error {
	var err error
	switch m.name {
	case "timeout":
		err = r.p.Timeout()
	case "draw":
		err = r.draw()
	default:
		var move machine.Move
		if move, err = r.p.Move(m.name, m.args...); err == nil {
			err = r.p.Act(r.seat(m), move)
		}
	}
	if err != nil {
		return r.errorf(m.at, "%s: %v", m.text, err)
	}
	return nil
}

// draw gives chance the next of the example's draws.
func (r *runner) draw() error {
	if r.drawn >= len(r.example.draws) {
		return fmt.Errorf("the example has %s", plural(len(r.example.draws), "draw"))
	}
	want := r.example.draws[r.drawn]
	r.drawn++
	_, n, err := r.p.Outcomes()
	if err != nil {
		return err
	}
	for k := range n {
		if value, err := r.p.Outcome(k); err == nil && value == want {
			return r.p.Draw(k)
		}
	}
	least, _ := r.p.Outcome(0)
	most, _ := r.p.Outcome(n - 1)
	return fmt.Errorf("%d cannot be drawn here, only %d to %d", want, least, most)
}

// shown writes what a variable holds as a rule file does.
func (r *runner) shown(h held, values []int) string {
	words := make([]string, len(values))
	for i, x := range values {
		words[i] = strconv.Itoa(x)
		switch kind := r.file.vars[h.variable].kind; {
		case kind == kindSeat && x == machine.None:
			words[i] = "none"
		case kind == kindBool:
			words[i] = yesNo(x != 0)
		}
	}
	if r.game.Vars[h.variable].Zone == 0 && len(words) == 1 {
		return words[0]
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// inBrackets writes numbers as a rule file does.
func inBrackets(values []int) string { return strings.ReplaceAll(fmt.Sprint(values), " ", ", ") }

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func (r *runner) expect() error {
	for _, h := range r.example.expect {
		want := h.values
		if want == nil {
			want = []int{r.game.Vars[h.variable].Init[0]}
		}
		if got := r.p.Values(h.variable, h.owner); !slices.Equal(got, want) {
			name := r.game.Vars[h.variable].Name
			if r.game.Vars[h.variable].PerSeat {
				name += fmt.Sprintf(" of seat %d", h.owner)
			}
			return r.errorf(h.at, "%s is %s, want %s", name, r.shown(h, got), r.shown(h, want))
		}
	}
	for _, x := range r.example.ending {
		switch x.key {
		case "phase":
			if r.p.Phase() != x.text {
				return r.errorf(x.at, "the phase is %s, want %s", r.p.Phase(), x.text)
			}
		case "over":
			if over := yesNo(r.p.Ending() != machine.Playing); over != x.text {
				return r.errorf(x.at, "over is %s, want %s", over, x.text)
			}
		case "rank":
			if got := r.p.Places(); !slices.Equal(got, x.list) {
				return r.errorf(x.at, "rank is %s, want %s", inBrackets(got), inBrackets(x.list))
			}
		case "payoff":
			if got := r.p.Payoffs(); !slices.Equal(got, x.list) {
				return r.errorf(x.at, "payoff is %s, want %s", inBrackets(got), inBrackets(x.list))
			}
		}
	}
	return nil
}
