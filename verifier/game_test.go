package verifier_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/rules"
	"dudo.example/verifier"
)

const origin = "dudo.example"

// serverKey is the key of the server that keeps the games of these tests.
var serverKey = ed25519.NewKeyFromSeed(sum("server key"))

func public() ed25519.PublicKey { return serverKey.Public().(ed25519.PublicKey) }

func sum(s string) []byte {
	h := sha256.Sum256([]byte(s))
	return h[:]
}

// setting is a game to be played by chance, the same way every time.
type setting struct {
	seed    string
	text    string // of the rules; the standard ones if empty
	options map[string]int
	seats   int
	players int      // 0 means all seats
	nonces  []string // by seat, empty for none
	timeout bool     // a clock runs out on the third turn
	resume  bool     // the server is away for a while on the fifth turn
	talk    bool
	bot     bool // the last seat is a bot's
	close   int  // the game is closed after that many moves, if more than 0
	wait    int  // or before the start, if more than 0
	forge   bool // the fourth move is another than the player's
	custom  bool // by rules that are changed
}

func standardText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../rules/standard.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// playGame plays a game as a server would and gives its log.
func playGame(t testing.TB, s setting) []record.Line {
	t.Helper()
	if s.text == "" {
		s.text = standardText(t)
	}
	if s.custom {
		s.text = strings.Replace(s.text, "ones not wild", "by the house's own rules", 1)
	}
	g, err := newGame(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.play(); err != nil {
		t.Fatal(err)
	}
	return g.lines
}

type game struct {
	setting
	table *play.Table
	lines []record.Line
	now   int64
	dice  *rand.Rand // of the players' whims; the table's come from its seed
}

func newGame(s setting) (*game, error) {
	f, err := rules.Parse("test", []byte(s.text))
	if err != nil {
		return nil, err
	}
	options, err := f.Resolve(s.options)
	if err != nil {
		return nil, err
	}
	open := record.Open{
		Origin: origin, GID: "ZCLP-0A1B2C3D", Key: record.KeyText(public()), Seats: s.seats, TurnSeconds: 60, Public: true,
		Rules: record.Rules{Game: f.Game, SHA256: f.Digest, Text: s.text},
	}
	for _, o := range f.Options {
		open.Options = append(open.Options, record.Option{Name: o.Name, Value: options[o.Name], Bool: o.Bool})
	}
	h := sum(s.seed)
	g := &game{setting: s, now: 1764500000000}
	g.dice = rand.New(rand.NewPCG(binary.LittleEndian.Uint64(h), 1))
	compile := func(players int) (*machine.Game, error) { return f.Compile(players, options) }
	g.add(play.New(g.now, open, deal.Seed(h), compile), nil)
	return g, nil
}

func (g *game) add(b *play.Batch, err error) error {
	if err != nil {
		return err
	}
	g.table, g.lines = b.Next, append(g.lines, b.Lines...)
	g.now += 1000
	return nil
}

var names = []string{"ann", "bob", "cleo", "dan", "eve", "finn"}

func (g *game) play() error {
	players := g.players
	if players == 0 {
		players = g.seats
	}
	for seat := range players {
		var bot *record.Bot
		name := names[seat]
		if g.bot && seat == players-1 {
			name, bot = "croupier", &record.Bot{Name: "croupier", Version: "1.0", SHA256: strings.Repeat("ab", 32)}
		}
		if err := g.add(g.table.Join(g.now, name, bot)); err != nil {
			return err
		}
		if seat < len(g.nonces) && g.nonces[seat] != "" {
			if err := g.add(g.table.Nonce(g.now, seat, g.nonces[seat])); err != nil {
				return err
			}
		}
	}
	if g.wait > 0 {
		return g.add(g.table.Close(g.now, record.ReasonExpired))
	}
	if err := g.add(g.table.Start(g.now, 0)); err != nil {
		return err
	}
	for move := 1; g.table.Status() == play.Live; move++ {
		if err := g.step(move); err != nil {
			return err
		}
	}
	return nil
}

func (g *game) step(move int) error {
	switch {
	case move == g.close:
		return g.add(g.table.Close(g.now, record.ReasonAbandoned))
	case move == 3 && g.timeout:
		g.now += 61_000
		return g.add(g.table.Timeout(g.now, "hung"))
	case move == 5 && g.resume:
		g.now += 500_000
		return g.add(g.table.Resume(g.now))
	}
	seat, _ := g.table.Turn()
	m := g.choose(seat)
	for first := m; move == 4 && g.forge && sameMove(m, first); {
		m = g.choose(seat)
	}
	if g.talk && move%2 == 0 {
		m.Say = "so many? ¡dudo!"
	}
	return g.add(g.table.Act(g.now, seat, m))
}

func sameMove(a, b play.Move) bool { return a.Action == b.Action && slices.Equal(a.Args, b.Args) }

// choose takes a legal move by chance: a challenge one time in three, else one of the next few bids.
func (g *game) choose(seat int) play.Move {
	pos := g.table.Position()
	var legal machine.MoveSet
	pos.Clone().Legal(seat, &legal)
	n := legal.Len()
	k := n - 1
	if last, _, _ := pos.Game().Action(legal.At(k)); last.Name != "challenge" || g.dice.IntN(3) > 0 {
		k = g.dice.IntN(min(n, 8))
	}
	a, args, _ := pos.Game().Action(legal.At(k))
	m := play.Move{Action: a.Name}
	for i, x := range args {
		m.Args = append(m.Args, record.Arg{Name: a.Params[i].Name, Value: int(x)})
	}
	return m
}

// sign makes the record of a log: its lines and a receipt for the last.
func sign(lines []record.Line) []byte { return signAs(serverKey, origin, "ZCLP-0A1B2C3D", lines) }

func signAs(key ed25519.PrivateKey, origin, gid string, lines []record.Line) []byte {
	f := record.File{Lines: lines}
	if len(lines) > 0 {
		f.Receipt = receipt(key, origin, gid, lines, len(lines)-1).String()
	}
	return file(f)
}

func receipt(key ed25519.PrivateKey, origin, gid string, lines []record.Line, n int) record.Receipt {
	return record.Sign(key, origin, gid, int64(n), record.HeadOf(lines[:n+1]))
}

func file(f record.File) []byte {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}

// bases are the games that the tests change.
var bases = map[string]setting{
	"finished": {
		seed: "finished", seats: 4, players: 3, options: map[string]int{"dice": 2}, nonces: []string{"purple otter 41", "kettle"},
		timeout: true, resume: true, talk: true, bot: true,
	},
	"abandoned": {seed: "abandoned", seats: 2, nonces: []string{"", "tin drum"}, close: 6},
	"expired":   {seed: "expired", seats: 2, nonces: []string{"left"}, wait: 1},
}

func newVerifier(t testing.TB, o verifier.Options) *verifier.Verifier {
	t.Helper()
	v, err := verifier.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func verify(t testing.TB, v *verifier.Verifier, text []byte) *verifier.Report {
	t.Helper()
	r, err := v.Verify(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return r
}
