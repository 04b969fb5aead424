package tables_test

import (
	"crypto/ed25519"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// Secrecy is a law: in every position of random games the hands that a viewer cannot see are dealt again, and everything that
// the viewer is shown, every refusal it can get and every line that its moves write stay the same to the byte.
func TestHiddenHandsChangeNothing(t *testing.T) {
	tests := []struct {
		game             string
		games, positions int
	}{
		{"liars-dice/standard", 26, 1000},
		{"liars-dice/perudo", 4, 100},
		{"liars-dice/bluff", 6, 100},
	}
	for _, tt := range tests {
		positions, leaks := secrecy(t, shipped(t, tt.game), tt.games)
		if positions < tt.positions {
			t.Errorf("only %d positions of %s were looked at, want %d", positions, tt.game, tt.positions)
		}
		for _, leak := range leaks {
			t.Error(leak)
		}
		t.Logf("%d positions of %s", positions, tt.game)
	}
}

// The law must be able to fail: rules that show a hand to others are caught.
func TestPlantedLeaksAreCaught(t *testing.T) {
	text := string(standard(t).Text)
	for name, planted := range map[string]string{
		"the next seat sees hands":     strings.Replace(text, "see: owner", "see: 'viewer == owner || viewer == owner - 1'", 1),
		"all see the last seat's hand": strings.Replace(text, "see: owner", "see: 'viewer == owner || owner == seats - 1'", 1),
	} {
		if planted == text {
			t.Fatalf("%s: nothing was planted", name)
		}
		f, err := rules.Parse(name, []byte(planted))
		if err != nil {
			t.Fatal(err)
		}
		if _, leaks := secrecy(t, f, 1); len(leaks) == 0 {
			t.Errorf("%s: no leak was found", name)
		}
	}
}

func standard(t testing.TB) *rules.File { return shipped(t, "liars-dice/standard") }

// library is read once: it takes a moment.
var library = sync.OnceValues(rules.Library)

// shipped is a rule file that the project ships.
func shipped(t testing.TB, game string) *rules.File {
	t.Helper()
	files, err := library()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f *rules.File) bool { return f.Game == game })
	if i < 0 {
		t.Fatalf("%s does not ship", game)
	}
	return files[i]
}

// secrecy plays games and gives the positions looked at and the first leaks.
func secrecy(t *testing.T, f *rules.File, games int) (positions int, leaks []string) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 11))
	set := rulebook.Ruleset(f)
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := tables.New(t.Context(), tables.Config{Store: record.NewMemory(time.Now), Rules: []tables.Ruleset{set}, Key: key, Origin: "dudo.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close(t.Context()) }()
	for game := range games {
		p := newGame(t, f, 2+game%5, 1+game%5, deal.Seed{byte(game), 1})
		for p.Status() == play.Live {
			positions++
			leaks = append(leaks, compare(t, l, &set, p, rnd)...)
			if len(leaks) > 5 {
				return positions, leaks
			}
			p = step(t, p, rnd)
		}
	}
	return positions, leaks
}

// newGame is a game that has just begun; dice counts where the rules have such an option.
func newGame(t testing.TB, f *rules.File, players, dice int, seed deal.Seed) *play.Table {
	t.Helper()
	given := map[string]int{}
	if slices.ContainsFunc(f.Options, func(o rules.Option) bool { return o.Name == "dice" }) {
		given["dice"] = dice
	}
	return begin(t, f, players, given, seed)
}

func must(t testing.TB) func(*play.Batch, error) *play.Table {
	return func(b *play.Batch, err error) *play.Table {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b.Next
	}
}

// step makes a random move, or now and then lets the clock run out.
func step(t testing.TB, p *play.Table, rnd *rand.Rand) *play.Table {
	t.Helper()
	if rnd.IntN(20) == 0 {
		deadline, _ := p.Deadline()
		return must(t)(p.Timeout(deadline+1, ""))
	}
	seat, _ := p.Turn()
	pos := p.Position()
	var set machine.MoveSet
	pos.Legal(seat, &set)
	k := rnd.IntN(min(set.Len(), 12)) // mostly low bids, so that rounds are long
	if rnd.IntN(4) == 0 {
		k = set.Len() - 1
	}
	return must(t)(p.Act(p.LastTime()+5, seat, named(pos.Game(), set.At(k), "well well")))
}

func named(g *machine.Game, m machine.Move, say string) play.Move {
	a, args, _ := g.Action(m)
	move := play.Move{Action: a.Name, Say: say}
	for i, x := range args {
		move.Args = append(move.Args, record.Arg{Name: a.Params[i].Name, Value: int(x)})
	}
	return move
}

// compare shows a position to every viewer, with the hidden hands as they are and dealt again.
func compare(t *testing.T, l *tables.Lobby, set *tables.Ruleset, p *play.Table, rnd *rand.Rand) (leaks []string) {
	t.Helper()
	for viewer := machine.None; viewer < len(p.Players()); viewer++ {
		other := p.Supposing(dealAgain(t, p.Position(), viewer, rnd))
		a, b := told(t, l, set, p, viewer), told(t, l, set, other, viewer)
		for i := range a {
			if a[i] != b[i] {
				leaks = append(leaks, fmt.Sprintf("viewer %d is told\n%s\nand with other hands\n%s", viewer, a[i], b[i]))
				break
			}
		}
	}
	return leaks
}

// dealAgain draws every hand that the viewer does not hold again.
func dealAgain(t *testing.T, pos *machine.Position, viewer int, rnd *rand.Rand) *machine.Position {
	t.Helper()
	hand, ok := pos.Game().Var("hand")
	if !ok {
		t.Fatal("the game has no hand")
	}
	for seat := range pos.Game().Seats {
		if seat == viewer {
			continue
		}
		dice := pos.Values(hand, seat)
		for i := range dice {
			dice[i] = 1 + rnd.IntN(6)
		}
		slices.Sort(dice)
		if !pos.Put(hand, seat, dice...) {
			t.Fatalf("the hand %v cannot be put", dice)
		}
	}
	return pos
}

// told is everything that a viewer can be told in a position: what it is shown, the refusal or the log line of every move it
// can try but the challenge, which opens the hands.
func told(t *testing.T, l *tables.Lobby, set *tables.Ruleset, p *play.Table, viewer int) []string {
	t.Helper()
	out, err := l.Shown(set, p, viewer)
	if err != nil {
		t.Fatal(err)
	}
	if viewer == machine.None {
		return out
	}
	for _, quantity := range []int{0, 1, 4, 9, 31} {
		for _, face := range []int{0, 1, 4, 7} {
			b, err := p.Act(p.LastTime(), viewer, play.Move{Action: "bid", Args: []record.Arg{{Name: "quantity", Value: quantity}, {Name: "face", Value: face}}})
			if err != nil {
				out = append(out, err.Error())
				continue
			}
			out = append(out, string(b.Lines[0]))
		}
	}
	for _, bad := range []play.Move{{Action: "spot_on"}, {Action: "bid"}, {Action: "bid", Say: strings.Repeat("x", 200)}} {
		_, err := p.Act(p.LastTime(), viewer, bad)
		out = append(out, fmt.Sprint(err))
	}
	if turn, _ := p.Turn(); turn != viewer {
		_, err := p.Act(p.LastTime(), viewer, play.Move{Action: "challenge"})
		out = append(out, fmt.Sprint(err))
	}
	return out
}
