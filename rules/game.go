package rules

import (
	"fmt"
	"slices"
	"strings"

	"dudo.example/core/machine"
)

// How many compiled games a file keeps, and how many bytes their tables have together.
const (
	maxGames = 32
	maxKept  = 16 << 20
)

// Resolve completes options with their defaults. The error names what is accepted.
func (f *File) Resolve(given map[string]int) (map[string]int, error) {
	all := make(map[string]int, len(f.Options))
	for _, o := range f.Options {
		all[o.Name] = o.Default
	}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(f.Options, func(o Option) bool { return o.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no option %q; %s has %s", name, f.Game, f.optionList())
		}
		o, value := f.Options[i], given[name]
		switch {
		case value >= o.Low && value <= o.High:
			all[name] = value
		case o.Bool:
			return nil, fmt.Errorf("the option %s is true or false", name)
		default:
			return nil, fmt.Errorf("the option %s is %d to %d, not %d", name, o.Low, o.High, value)
		}
	}
	return all, nil
}

func (f *File) optionList() string {
	if len(f.Options) == 0 {
		return "none"
	}
	list := make([]string, len(f.Options))
	for i, o := range f.Options {
		list[i] = fmt.Sprintf("%s (%d to %d)", o.Name, o.Low, o.High)
		if o.Bool {
			list[i] = o.Name + " (true or false)"
		}
	}
	return strings.Join(list, ", ")
}

// Games counts the compiled games that the file keeps.
func (f *File) Games() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.games)
}

// Compile makes the game for a number of seats and options; options that are not given have their defaults. The order of bids
// is proven for exactly these. The game is shared: compiling the same again gives the same game. It is safe for concurrent use.
func (f *File) Compile(seats int, options map[string]int) (*machine.Game, error) {
	if seats < f.MinSeats || seats > f.MaxSeats {
		return nil, fmt.Errorf("%s is for %d to %d seats, not %d", f.Game, f.MinSeats, f.MaxSeats, seats)
	}
	all, err := f.Resolve(options)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprint(seats)
	values := make([]span, len(f.Options))
	for i, o := range f.Options {
		values[i] = span{all[o.Name], all[o.Name]}
		key += fmt.Sprint(" ", all[o.Name])
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if g := f.games[key]; g != nil {
		return g, nil
	}
	c := f.compiler(seats, values)
	g, err := c.game()
	if err != nil {
		return nil, err
	}
	if f.kept += c.bytes; len(f.games) >= maxGames || f.kept > maxKept {
		clear(f.games)
		f.kept = c.bytes
	}
	f.spent += maxTableWork - max(0, c.budget)
	f.games[key] = g
	return g, nil
}

func (f *File) compiler(seats int, options []span) *compiler {
	return &compiler{
		setting: newSetting(f, options, span{seats, seats}), seats: seats, bodies: map[*function]code{},
		tables: map[*function]*table{}, budget: maxTableWork, steps: map[procedureKey][]machine.Step{},
	}
}

// state lays out the variables.
func (c *compiler) state() ([]machine.Var, error) {
	var vars []machine.Var
	longest := 0
	for i := range c.file.vars {
		v, err := c.variable(i)
		if err != nil {
			return nil, err
		}
		if vars = append(vars, v); v.Stride() > vars[longest].Stride() {
			longest = i
		}
	}
	var size int
	if c.layout, size = machine.Layout(vars, c.seats); size-machine.Registers > machine.MaxCells {
		v := c.file.vars[longest]
		return nil, c.file.src.errorf(v.at, "the state has %d integers, at most %d are allowed; make the longest lists shorter, such as %s",
			size-machine.Registers, machine.MaxCells, v.name)
	}
	return vars, nil
}

func (c *compiler) game() (*machine.Game, error) {
	f := c.file
	d := machine.Definition{Name: f.Game, Title: f.Title, About: f.About, Seats: c.seats, Start: f.start, Limit: f.limit}
	var err error
	if d.Vars, err = c.state(); err != nil {
		return nil, err
	}
	if err := c.functions(); err != nil {
		return nil, err
	}
	if f.alive != nil {
		alive, slot := c.alive, f.alive.base
		d.Alive = func(fr *machine.Frame, seat int) bool {
			fr.Cells[machine.Local+slot] = int32(seat)
			return alive(fr)
		}
	}
	for i, v := range f.vars {
		if v.seeIf != nil {
			d.Vars[i].SeeIf = c.seeIf(v.seeIf)
		}
	}
	for _, ph := range f.phases {
		p, err := c.phase(ph)
		if err != nil {
			return nil, err
		}
		d.Phases = append(d.Phases, p)
	}
	d.Rank, d.Payoff = c.result(f.rank), c.result(f.payoff)
	g, err := machine.NewGame(d)
	if err != nil {
		return nil, f.src.errorf(f.phases[f.start].at, "the game that begins here: %v", err)
	}
	return g, nil
}

func (c *compiler) result(e *expression) machine.SeatInt {
	if e == nil {
		return nil
	}
	return c.about(e, e.scope.slot-1)
}

// spectator is the viewer of a see condition who holds no seat. It is not none: a variable that holds no seat is nobody's to see.
const spectator = -2

func (c *compiler) seeIf(e *expression) func(f *machine.Frame, viewer, owner int) bool {
	viewer, owner := e.scope.slot-2, e.scope.slot-1
	c.locals[viewer], c.locals[owner] = span{spectator, c.seats - 1}, span{0, c.seats - 1}
	see := c.bool(e)
	return func(f *machine.Frame, v, o int) bool {
		if v == machine.None {
			v = spectator
		}
		f.Cells[machine.Local+viewer], f.Cells[machine.Local+owner] = int32(v), int32(o)
		return see(f)
	}
}

var kinds = map[kind]machine.Kind{
	kindInt: machine.KindInt, kindSeat: machine.KindSeat, kindBool: machine.KindBool,
	kindUnknown: machine.KindInt, // of an expression with a mistake, which is never compiled
}

func (c *compiler) variable(i int) (machine.Var, error) {
	v := c.file.vars[i]
	m := machine.Var{
		Name: v.name, As: v.as, Doc: v.doc, Kind: kinds[v.kind], PerSeat: v.perSeat, See: v.see,
		Min: c.vars[i].low, Max: c.vars[i].high,
	}
	if v.seeIf != nil {
		m.SeeIf = func(*machine.Frame, int, int) bool { return false } // replaced once functions are compiled
	}
	if m.Min > m.Max {
		return m, c.file.src.errorf(v.at, "%s holds %d to %d, which is nothing; write the least value first", v.name, m.Min, m.Max)
	}
	if v.zone != nil {
		m.Zone = c.zones[i].low
		m.Deck = v.deck
		if v.all {
			for x := m.Min; x <= m.Max && len(m.Deck) <= m.Zone; x++ {
				m.Deck = append(m.Deck, x)
			}
		}
		if len(m.Deck) > m.Zone {
			return m, c.file.src.errorf(v.at, "%s begins with more than the %d elements that it holds", v.name, m.Zone)
		}
		for _, x := range m.Deck {
			if x < m.Min || x > m.Max {
				return m, c.file.src.errorf(v.at, "%s begins with %d, which is not in %d to %d", v.name, x, m.Min, m.Max)
			}
		}
		return m, nil
	}
	first := c.first(i)
	if first < m.Min || first > m.Max {
		return m, c.file.src.errorf(v.at, "%s begins with %d, which is not in %d to %d", v.name, first, m.Min, m.Max)
	}
	owners := 1
	if v.perSeat {
		owners = c.seats
	}
	for range owners {
		m.Init = append(m.Init, first)
	}
	return m, nil
}

// first is the value that a variable begins with.
func (c *compiler) first(i int) int {
	v := c.file.vars[i]
	if v.init != nil {
		return c.of(v.init.term).low
	}
	return min(max(v.first, c.vars[i].low), c.vars[i].high)
}

func (c *compiler) functions() error {
	compile := func(fn *function) {
		c.item = fn.base + len(fn.params)
		c.bodies[fn] = c.fresh(fn.body.term)
	}
	pending := c.file.alive
	for _, fn := range c.file.functions {
		if fn.alive && pending != nil {
			c.compileAlive(pending, compile)
			pending = nil
		}
		compile(fn)
		if err := c.build(fn); err != nil {
			return err
		}
	}
	if pending != nil {
		c.compileAlive(pending, compile)
	}
	return nil
}

// compileAlive compiles alive before the first function that asks it. It calls none of those that come later.
func (c *compiler) compileAlive(fn *function, compile func(*function)) {
	c.frames = []frame{{fn, []span{{0, c.seats - 1}}}}
	compile(fn)
	c.frames = nil
	c.alive = c.bodies[fn].b
	c.living = c.shape()
}
