package study

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"dudo.example/core/machine"
	"dudo.example/rules"
)

// Side is one of two games to compare: a file, and the options that are not to be as in the other game.
type Side struct {
	Name    string // as sentences call it
	File    *rules.File
	Options map[string]int
}

// Comparison says where two games differ when both are played by the same draws and moves.
type Comparison struct {
	Declared    []string     `json:"declared,omitempty"` // what differs in what the files declare, a sentence each
	Games       int          `json:"games"`              // that were played, fewer than asked for if they are very long
	Seed        uint64       `json:"seed"`
	Positions   int          `json:"positions"` // in which the legal moves were compared
	Moves       int          `json:"moves"`     // and draws, of which the outcomes were compared
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is a rule in which the games differ, with the first positions in which they did.
type Difference struct {
	What      string    `json:"what"` // such as: what challenge does in the phase bidding
	N         int       `json:"n"`    // how often it was met
	In        []Count   `json:"in"`   // the variables or actions that differ, and how often
	Positions []Parting `json:"positions"`
}

// Parting is a position in which the games differ.
type Parting struct {
	Setting string   `json:"setting"` // how the games were played
	Moves   []string `json:"moves"`   // the last ones before
	State   []string `json:"state"`   // before them, all that there is, a line a variable
	A       string   `json:"a"`       // what the first game says
	B       string   `json:"b"`
}

// Same reports whether no difference was found.
func (c *Comparison) Same() bool { return len(c.Declared) == 0 && len(c.Differences) == 0 }

// Compare plays games of random moves in both at once, by the same draws and moves, and tells where they differ. Where the
// games go apart, the one takes over what the other has of variables that both know. Options that both files have are the same
// on both sides, unless a side says otherwise.
func Compare(a, b Side, games int, seed uint64) (Comparison, error) {
	c := &comparing{
		Comparison: Comparison{Declared: declared(a, b), Games: games, Seed: seed},
		sides:      [2]Side{a, b}, random: rand.New(rand.NewPCG(seed, 2)), shown: map[string]bool{},
	}
	settings := c.settings()
	if len(settings) == 0 {
		return Comparison{}, fmt.Errorf("%s and %s have no number of seats in common, so they cannot be played side by side", a.Name, b.Name)
	}
	for i := range games {
		if c.Positions+c.Moves > games*meanMoves {
			c.Games = i
			break
		}
		c.late = lateness(i)
		if err := c.game(settings[i%len(settings)], i%2); err != nil {
			return Comparison{}, err
		}
	}
	return c.Comparison, nil
}

// comparing is a comparison in the making, and the game in progress.
type comparing struct {
	Comparison
	sides  [2]Side
	random *rand.Rand
	shown  map[string]bool // what differed, and in what, of the positions that are told

	setting string
	trail   []string
	p       [2]*machine.Position
	before  *machine.Position // of the first side, before the last move
	common  [][2]int          // variables of both games with one name and shape
	late    clock
	lead    int // the side that the other follows where they have gone apart
}

// settings are those of the first file that mean something in both.
func (c *comparing) settings() (list []Setting) {
	a, b := c.sides[0].File, c.sides[1].File
	for _, s := range Settings(a) {
		if s.Seats >= b.MinSeats && s.Seats <= b.MaxSeats && c.both(s.Options) {
			list = append(list, s)
		}
	}
	return list
}

// both reports whether both files have these options, with these values, and no side insists on others.
func (c *comparing) both(options map[string]int) bool {
	if _, err := c.sides[1].File.Resolve(options); err != nil {
		return false
	}
	for name := range options {
		for _, side := range c.sides {
			if _, ok := side.Options[name]; ok {
				return false
			}
		}
	}
	return true
}

// options are those of a side: what the setting and the first file say of options that both have, and what it insists on.
func (c *comparing) options(side int, s Setting) map[string]int {
	all := map[string]int{}
	for _, o := range c.sides[0].File.Options {
		if c.both(map[string]int{o.Name: o.Default}) {
			all[o.Name] = o.Default
		}
	}
	maps.Copy(all, s.Options)
	maps.Copy(all, c.sides[side].Options)
	return all
}

// game plays one game on both sides.
func (c *comparing) game(s Setting, lead int) error {
	for side := range c.p {
		g, err := c.sides[side].File.Compile(s.Seats, c.options(side, s))
		if err != nil {
			return err
		}
		if c.p[side], err = g.NewPosition(); err != nil {
			return err
		}
	}
	c.setting, c.trail, c.lead = s.words(c.sides[0].File), c.trail[:0], lead
	c.common, c.before = commonVariables(c.p[0].Game(), c.p[1].Game()), c.p[0].Clone()
	same := c.outcome("the beginning")
	for c.p[0].Turn().Actor != machine.Over || c.p[1].Turn().Actor != machine.Over {
		if !same && !c.align() {
			return nil
		}
		var ok bool
		if same, ok = c.step(); !ok {
			return nil
		}
	}
	return nil
}

// step draws or moves on both sides, which wait for the same. same is false if they do not any more. ok is false if a step fails,
// which can be because an alignment made a position that the rules never reach: the game is then given up.
func (c *comparing) step() (same, ok bool) {
	c.before.CopyFrom(c.p[0])
	if c.p[0].Turn().Actor == machine.Chance {
		return c.draw()
	}
	moves := c.legal()
	if len(moves) == 0 {
		return false, false
	}
	if c.p[0].Clocked() && c.p[1].Clocked() && c.late.now(c.random) {
		c.trail = append(c.trail, fmt.Sprintf("seat %d: timeout", c.p[0].Turn().Seat))
		for _, p := range c.p {
			if p.Timeout() != nil {
				return false, false
			}
		}
		return c.outcome("a timeout"), true
	}
	m := pick(c.p[0].Game(), moves, c.random)
	name := actionOf(c.p[0].Game(), m.move)
	c.trail = append(c.trail, fmt.Sprintf("seat %d: %s", m.seat, c.p[0].Game().Text(m.move)))
	other, _ := translate(c.p[0].Game(), m.move, c.p[1])
	for side, move := range [2]machine.Move{m.move, other} {
		if c.p[side].Act(m.seat, move) != nil {
			return false, false
		}
	}
	return c.outcome(name), true
}

// translate gives a game's move in a position of the other game; ok is false if that has no such move.
func translate(g *machine.Game, m machine.Move, p *machine.Position) (move machine.Move, ok bool) {
	a, args, _ := g.Action(m)
	list := make([]int, len(args))
	for i, x := range args {
		list[i] = int(x)
	}
	move, err := p.Move(a.Name, list...)
	return move, err == nil
}

// draw lets chance draw the same on both sides.
func (c *comparing) draw() (same, ok bool) {
	c.Moves++
	var values [2][]int
	var into [2]string
	for side, p := range c.p {
		variable, n, err := p.Outcomes()
		if err != nil {
			return false, false
		}
		into[side] = fmt.Sprintf("%s of %v", p.Game().Vars[variable].Name, p.Turn().Seat)
		for k := range n {
			x, err := p.Outcome(k)
			if err != nil {
				return false, false
			}
			values[side] = append(values[side], x)
		}
	}
	what := "the draws of the phase " + c.p[0].Phase()
	if into[0] != into[1] || !slices.Equal(values[0], values[1]) {
		c.differ(what, []string{"values"}, fmt.Sprintf("%s, one of %v", into[0], values[0]), fmt.Sprintf("%s, one of %v", into[1], values[1]))
	}
	if into[0] != into[1] {
		return false, true
	}
	x := values[c.lead][c.random.IntN(len(values[c.lead]))]
	for side, p := range c.p {
		k := slices.Index(values[side], x)
		if k < 0 {
			return false, true
		}
		if p.Draw(k) != nil {
			return false, false
		}
	}
	return c.outcome(what), true
}

// maxPositions is how many positions a difference tells.
const maxPositions = 10

// differ keeps a difference, and the position if it is the first that differs in just these things.
func (c *comparing) differ(what string, in []string, a, b string) {
	i := slices.IndexFunc(c.Differences, func(d Difference) bool { return d.What == what })
	if i < 0 {
		i = len(c.Differences)
		c.Differences = append(c.Differences, Difference{What: what})
	}
	d := &c.Differences[i]
	d.N++
	for _, name := range in {
		k := slices.IndexFunc(d.In, func(x Count) bool { return x.What == name })
		if k < 0 {
			k = len(d.In)
			d.In = append(d.In, Count{What: name})
		}
		d.In[k].N++
	}
	if key := fmt.Sprint(what, in); !c.shown[key] && len(d.Positions) < maxPositions {
		c.shown[key] = true
		moves := slices.Clone(c.trail[max(0, len(c.trail)-lastMoves):])
		d.Positions = append(d.Positions, Parting{c.setting, moves, Whole(c.before), a, b})
	}
}
