package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"sync"

	"dudo.example/core/machine"
)

// File is a checked rule file. It does not change and may be shared.
type File struct {
	Game     string // such as "liars-dice/standard"
	Title    string // one line
	About    string // the rules in a paragraph, for people and agents
	Text     []byte // the exact bytes
	Digest   string // their SHA-256 in hex
	MinSeats int
	MaxSeats int
	Options  []Option
	Presets  []Preset

	src       *source
	records   map[string]*record
	vars      []*variable
	functions []*function
	alive     *function
	phases    []*phase
	start     int
	rank      *expression
	payoff    *expression
	limit     int
	item      int // slot where the quantifiers of expressions outside functions keep the element
	examples  []*example

	mu    sync.Mutex
	games map[string]*machine.Game // by seats and resolved options
	kept  int                      // bytes of their tables
	spent int                      // on the tables of all games that were compiled
}

// Option is a switch of the rules, fixed when a table is made. A bool is 0 or 1.
type Option struct {
	Name    string
	Doc     string
	Bool    bool
	Low     int
	High    int
	Default int
}

// Preset names a set of options.
type Preset struct {
	Name    string
	Doc     string
	Options map[string]int
}

var gameID = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,29}(/[a-z0-9][a-z0-9-]{0,29})?$`)

// Parse reads a rule file and checks it: its shape, every name and type, what each expression may read, what a move can cost,
// and the order of bids. It does not run the worked examples. Its time and memory are bounded whatever the text says. The
// error is of the type [Errors]; name is what it calls the file.
func Parse(name string, text []byte) (*File, error) {
	src, root, errs := readYAML(name, text)
	if len(errs) > 0 {
		return nil, errs.inOrder()
	}
	records := map[string]*record{}
	b := &builder{
		src: src, vars: map[string]int{}, records: records, taken: map[string]string{},
		told: map[string]bool{}, facts: map[string]bool{},
		file: &File{
			Text: append([]byte(nil), text...), Digest: digest(text), src: src, records: records, games: map[string]*machine.Game{},
		},
	}
	if b.read(root); !b.failed() {
		b.checkCosts()
	}
	if b.part(); len(b.errs) > 0 {
		return nil, b.errs.inOrder()
	}
	for _, seats := range []int{b.file.MaxSeats, b.file.MinSeats} {
		options, err := b.file.Resolve(nil)
		if err != nil {
			return nil, err
		}
		var at *Error
		if _, err := b.file.Compile(seats, options); errors.As(err, &at) {
			return nil, Errors{at}
		} else if err != nil {
			return nil, err
		}
	}
	return b.file, nil
}

func (b *builder) read(root *node) {
	f := b.shape(root, "a rule file")
	if b.err != nil {
		return
	}
	b.head(f)
	b.options(f.by["options"])
	b.presets(f.by["presets"])
	b.state(b.need(f, "state", "a rule file"))
	b.part()
	b.functions(f.by["functions"])
	b.alive(f.by["alive"])
	b.part()
	b.conditions()
	phases := b.need(f, "phases", "a rule file")
	b.phaseNames(phases)
	if b.err != nil {
		return
	}
	b.readProcedures(f.by["procedures"])
	b.base = b.top
	b.phases(phases)
	b.part()
	b.result(b.need(f, "result", "a rule file"))
	b.part()
	if start := f.by["start"]; start != nil {
		b.file.start = *b.jump(start)
	}
	b.part()
	b.flow()
	if b.top > machine.MaxLocals {
		at := phases.at
		if n := f.by["procedures"]; n != nil {
			at = n.at
		}
		b.fail(at, "the functions, procedures and lets need %d slots, at most %d: use fewer parameters and lets", b.top, machine.MaxLocals)
	}
	if !b.failed() {
		b.file.examples = b.readExamples(f.by["examples"])
	}
}

// head reads the keys that stand for themselves.
func (b *builder) head(f fields) {
	b.int(b.need(f, "dudo", "a rule file"), "dudo, the version of the language,", 1, 1)
	b.part()
	game := b.need(f, "game", "a rule file")
	if b.file.Game = game.text; !gameID.MatchString(game.text) {
		b.fail(game.at, "game is an id such as liars-dice/standard")
	}
	b.part()
	b.file.Title = b.text(b.need(f, "title", "a rule file"), "title", 120)
	b.part()
	b.file.About = b.text(b.need(f, "about", "a rule file"), "about", 4000)
	b.part()
	b.file.MinSeats, b.file.MaxSeats = b.pair(b.need(f, "seats", "a rule file"), "seats", 1, machine.MaxSeats)
	if b.err != nil { // so that no seat seems too much
		b.file.MinSeats, b.file.MaxSeats = machine.MaxSeats, machine.MaxSeats
	}
	b.part()
	b.file.limit = 1000
	if limits := f.by["limits"]; limits != nil {
		if moves := b.shape(limits, "limits").by["moves"]; moves != nil {
			b.file.limit = b.int(moves, "the most moves of a game", 1, machine.MaxLimit)
		}
	}
	b.part()
}

func (b *builder) result(n *node) {
	f := b.shape(n, "result")
	s := scope{what: "a result", slot: b.root}.with("seat", kindSeat)
	b.reach(s)
	if rank := f.by["rank"]; rank != nil {
		b.file.rank = b.intExpr(rank, s)
	}
	if payoff := f.by["payoff"]; payoff != nil {
		b.file.payoff = b.intExpr(payoff, s)
	}
	switch rank, payoff := f.by["rank"], f.by["payoff"]; {
	case rank != nil && payoff != nil:
		b.fail(n.pairs[1].key.at, "result has either a rank or a payoff, not both")
	case rank == nil && payoff == nil && !f.unknown:
		b.fail(n.at, "result has a rank or a payoff, an expression about each seat")
	}
}

// flow refuses phases that nothing goes to, and a game that cannot end.
func (b *builder) flow() {
	reached := make([]bool, len(b.file.phases))
	ends := false
	called := map[*procedure]bool{}
	var visit func(int)
	var steps func([]statement)
	steps = func(list []statement) {
		for _, s := range list {
			switch {
			case s.jump != nil:
				visit(*s.jump)
			case s.end:
				ends = true
			case s.call != nil && !called[s.call.to]:
				called[s.call.to] = true
				steps(s.call.to.body)
			case s.cond != nil:
				steps(s.cond.then)
				steps(s.cond.other)
			case s.each != nil:
				steps(s.each.do)
			}
		}
	}
	visit = func(i int) {
		if reached[i] {
			return
		}
		reached[i] = true
		ph := b.file.phases[i]
		steps(ph.then)
		steps(ph.timeout)
		for _, a := range ph.actions {
			steps(a.do)
		}
	}
	if b.failed() {
		return
	}
	visit(b.file.start)
	for i, ph := range b.file.phases {
		if !reached[i] {
			b.fail(ph.at, "no step goes to the phase %s; write goto: %s somewhere, or remove it", ph.name, ph.name)
			return
		}
	}
	if !ends {
		b.fail(b.file.phases[b.file.start].at, "the game that begins here never ends; some step must say end: now")
	}
}

// digest is what pins a rule file: the SHA-256 of its bytes in hex.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
