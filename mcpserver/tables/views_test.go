package tables_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// begin starts a game of a rule file with options.
func begin(t testing.TB, f *rules.File, players int, given map[string]int, seed deal.Seed) *play.Table {
	t.Helper()
	options, err := f.Resolve(given)
	if err != nil {
		t.Fatal(err)
	}
	open := record.Open{
		Origin: "dudo.example", GID: "ZCLP-0A1B2C3D", Rules: record.Rules{Game: f.Game, SHA256: f.Digest, Text: string(f.Text)},
		Seats: players, TurnSeconds: 60, Public: true,
	}
	for _, o := range f.Options {
		open.Options = append(open.Options, record.Option{Name: o.Name, Value: options[o.Name], Bool: o.Bool})
	}
	p := play.New(0, open, seed, func(n int) (*machine.Game, error) { return f.Compile(n, options) }).Next
	for i := range players {
		p = must(t)(p.Join(1, fmt.Sprintf("player%d", i), nil))
	}
	return must(t)(p.Start(2, 0))
}

// anyMove makes a random move of any seat that has one, or now and then lets the clock run out.
func anyMove(t testing.TB, p *play.Table, rnd *rand.Rand) *play.Table {
	t.Helper()
	pos := p.Position()
	if deadline, ok := p.Deadline(); ok && rnd.IntN(20) == 0 {
		return must(t)(p.Timeout(deadline+1, ""))
	}
	var set machine.MoveSet
	for _, seat := range rnd.Perm(len(p.Players())) {
		if pos.Legal(seat, &set); set.Len() > 0 {
			k := rnd.IntN(min(set.Len(), 12)) // mostly low bids, so that rounds are long
			if rnd.IntN(3) == 0 {
				k = rnd.IntN(set.Len())
			}
			return must(t)(p.Act(p.LastTime()+5, seat, named(pos.Game(), set.At(k), "")))
		}
	}
	t.Fatal("nobody has a move")
	return nil
}

// TestViewsOfEveryGame plays every game that ships, by its defaults and each preset, and holds what agents read in every position
// against the position.
func TestViewsOfEveryGame(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(f.Game, func(t *testing.T) {
			settings := map[string]map[string]int{"": nil}
			for _, p := range f.Presets {
				settings[p.Name] = p.Options
			}
			r := openGame(t, f, tables.Limits{})
			set, largest := rulebook.Ruleset(f), 0
			for k, name := range slices.Sorted(maps.Keys(settings)) {
				rnd := rand.New(rand.NewPCG(5, uint64(k)))
				p := begin(t, f, f.MinSeats+k%(f.MaxSeats-f.MinSeats+1), settings[name], deal.Seed{byte(k), 7})
				for looked := 0; p.Status() == play.Live; looked++ {
					if looked < 60 {
						largest = max(largest, checkViews(t, r.Lobby, &set, p))
					}
					p = anyMove(t, p, rnd)
				}
				if checkViews(t, r.Lobby, &set, p); t.Failed() {
					t.Fatalf("with preset %q", name)
				}
			}
			t.Logf("the largest state has %d bytes", largest)
			if largest > largestState {
				t.Errorf("a state has %d bytes, want at most %d", largest, largestState)
			}
		})
	}
}

// largestState is what agents can be asked to read a turn, of the games that ship, in bytes.
const largestState = 2000

// checkViews checks what every viewer is shown in a position, and gives the bytes of the largest state.
func checkViews(t *testing.T, l *tables.Lobby, set *tables.Ruleset, p *play.Table) (largest int) {
	t.Helper()
	for viewer := machine.None; viewer < len(p.Players()); viewer++ {
		text := string(l.StateOf(set, p, viewer).Encode())
		largest = max(largest, len(text))
		var s struct {
			Next            string
			Legal           map[string]json.RawMessage
			Places, Payoffs []int
		}
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if name := dotted.FindString(text); name != "" {
			t.Errorf("a member is called %s: %s", name, text)
		}
		if got, want := readLegal(t, p, s.Legal), legalOf(p, viewer); !slices.Equal(got, want) {
			t.Errorf("viewer %d reads the moves %q, want %q, in %s", viewer, got, want, text)
		}
		for _, a := range set.Actions {
			if _, ok := s.Legal[a.Name]; !ok && regexp.MustCompile(`(with|use|or|,) `+a.Name+`\b`).MatchString(s.Next) {
				t.Errorf("viewer %d is told %q, and the moves are %s", viewer, s.Next, s.Legal)
			}
		}
		if s.Next == "" || strings.Contains(s.Next, "  ") || !strings.HasSuffix(s.Next, ".") {
			t.Errorf("viewer %d is told %q", viewer, s.Next)
		}
		if over := p.Status() == play.Over; over != (len(s.Places)+len(s.Payoffs) == len(p.Players())) {
			t.Errorf("at the end %v: places %v and payoffs %v", over, s.Places, s.Payoffs)
		}
	}
	return largest
}

var dotted = regexp.MustCompile(`"[a-z_]+\.[a-z_.]+":`)

// legalOf lists a seat's moves as text, sorted.
func legalOf(p *play.Table, seat int) (list []string) {
	if seat == machine.None || p.Status() != play.Live {
		return nil
	}
	var set machine.MoveSet
	pos := p.Position()
	pos.Legal(seat, &set)
	for m := range set.All() {
		list = append(list, pos.Game().Text(m))
	}
	slices.Sort(list)
	return list
}

// readLegal lists the moves that legal says, as an agent reads it.
func readLegal(t *testing.T, p *play.Table, legal map[string]json.RawMessage) (list []string) {
	t.Helper()
	for name, raw := range legal {
		a, ok := p.Position().FindAction(name)
		if !ok {
			t.Errorf("legal names %s, which is no action", name)
			continue
		}
		for _, args := range readMoves(t, a.Params, raw) {
			text := name
			for _, x := range args {
				text += " " + strconv.Itoa(x)
			}
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return list
}

func readMoves(t *testing.T, params []machine.Param, raw json.RawMessage) (list [][]int) {
	t.Helper()
	read := func(into any) bool { return json.Unmarshal(raw, into) == nil }
	var values struct{ Values []int }
	var interval []int
	var objects []map[string]int
	var nested map[string]json.RawMessage
	last := len(params) - 1
	switch {
	case last < 0:
		return [][]int{nil}
	case last == 0 && read(&interval) && len(interval) == 2:
		for x := interval[0]; x <= interval[1]; x++ {
			list = append(list, []int{x})
		}
	case last == 0 && read(&values):
		for _, x := range values.Values {
			list = append(list, []int{x})
		}
	case last > 1 && read(&objects):
		for _, o := range objects {
			args := make([]int, len(params))
			for i, p := range params {
				args[i] = o[p.Name]
			}
			list = append(list, args)
		}
	case read(&nested):
		for key, rest := range nested {
			if last > 1 {
				key = strings.TrimPrefix(key, params[last].Name+" ")
			}
			value, err := strconv.Atoi(key)
			if err != nil {
				t.Errorf("legal has %q", key)
			}
			for _, args := range readMoves(t, params[:last], rest) {
				list = append(list, append(slices.Clone(args), value))
			}
		}
	default:
		t.Errorf("legal has %s", raw)
	}
	return list
}
