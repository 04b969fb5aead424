package tools_test

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

	"dudo.example/mcpserver/tables"
)

// A sample is a move that a text names as an example.
type sample struct {
	tool string
	args map[string]int
	text string // where it is named
}

var (
	forExample = regexp.MustCompile(`For example ([a-z_]+ -?\d+(?:(?:, | and )[a-z_]+ -?\d+)*)\.`)
	argument   = regexp.MustCompile(`([a-z_]+) (-?\d+)`)
	suchAs     = regexp.MustCompile(`such as (-?\d+(?:(?:, | or | and )-?\d+)*)`)
	integers   = regexp.MustCompile(`-?\d+`)
)

// samples finds the examples of a server's texts: whole moves in descriptions, and values in what is said of an argument. A move
// named as words in any text (bid 3 5) counts too.
func samples(t *testing.T, s *site) (list []sample) {
	t.Helper()
	raw, err := s.post(t.Context(), t, "tools/list", map[string]any{})
	if err != nil {
		t.Fatal(err)
	}
	var tools struct {
		Tools []struct {
			Name, Description string
			InputSchema       struct {
				Required   []string
				Properties map[string]struct{ Type, Description string }
			}
		}
	}
	if err := json.Unmarshal(raw, &tools); err != nil {
		t.Fatal(err)
	}
	texts := []string{instructionsOf(t, s)}
	params := map[string][]string{}
	for _, tool := range tools.Tools {
		texts = append(texts, tool.Description)
		for _, name := range tool.InputSchema.Required {
			if tool.InputSchema.Properties[name].Type == "integer" {
				params[tool.Name] = append(params[tool.Name], name)
			}
		}
		for _, m := range forExample.FindAllStringSubmatch(tool.Description, -1) {
			args := map[string]int{}
			for _, a := range argument.FindAllStringSubmatch(m[1], -1) {
				args[a[1]], _ = strconv.Atoi(a[2])
			}
			list = append(list, sample{tool.Name, args, m[0]})
		}
		for name, p := range tool.InputSchema.Properties {
			for _, m := range suchAs.FindAllStringSubmatch(p.Description, -1) {
				for _, n := range integers.FindAllString(m[1], -1) {
					value, _ := strconv.Atoi(n)
					list = append(list, sample{tool.Name, map[string]int{name: value}, p.Description})
				}
			}
		}
	}
	for name, of := range params {
		words := regexp.MustCompile(`\b` + name + strings.Repeat(` (-?\d+)`, len(of)) + `\b`)
		for _, text := range texts {
			for _, m := range words.FindAllStringSubmatch(text, -1) {
				args := map[string]int{}
				for i, p := range of {
					args[p], _ = strconv.Atoi(m[i+1])
				}
				list = append(list, sample{name, args, m[0]})
			}
		}
	}
	return list
}

// TestExamples plays every example that a description names, with the real tools and the real game: games are played until the
// move is open to whoever's turn it is, and then it must be accepted.
func TestExamples(t *testing.T) {
	for _, set := range everything(t) {
		t.Run(set.Game, func(t *testing.T) {
			s := serve(t, realLobby(t, []tables.Ruleset{set}))
			list := samples(t, s)
			for _, a := range set.Actions {
				if len(a.Params) > 0 && !slices.ContainsFunc(list, func(x sample) bool { return x.tool == a.Name }) {
					t.Errorf("no example of %s is named", a.Name)
				}
			}
			t.Logf("%d examples", len(list))
			d := &driver{t: t, s: s, set: set, rnd: rand.New(rand.NewPCG(3, 4)), left: list}
			for range 200 {
				if d.game(); len(d.left) == 0 {
					return
				}
			}
			for _, x := range d.left {
				t.Errorf("%s %v is never accepted, which is named in: %s", x.tool, x.args, x.text)
			}
		})
	}
}

// TestExamplesAreFound holds the reading of examples against texts that have some.
func TestExamplesAreFound(t *testing.T) {
	r := standard()
	r.About = "One may bid 2 6, and then challenge."
	r.Actions[0].Example = []int{3, 5}
	r.Actions[0].Params[1].Doc = "the face, such as 5 or 6"
	var got []string
	for _, x := range samples(t, serve(t, &asked{rules: []tables.Ruleset{r}})) {
		got = append(got, fmt.Sprint(x.tool, " ", x.args))
	}
	slices.Sort(got)
	want := []string{"bid map[face:5 quantity:3]", "bid map[face:5]", "bid map[face:6 quantity:2]", "bid map[face:6]"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// atLeast is how a refusal names the least bid of a face.
var atLeast = regexp.MustCompile(`face (\d) that is at least (\d+)|at least (\d+) of face (\d)`)

// TestRefusalsNameMoves bids one too few of every face, in games of all kinds of liar's dice: where the refusal names the least bid,
// it is the one that legal lists.
func TestRefusalsNameMoves(t *testing.T) {
	named := 0
	for _, set := range library(t) {
		s := serve(t, realLobby(t, []tables.Ruleset{set}))
		d := &driver{t: t, s: s, set: set, rnd: rand.New(rand.NewPCG(5, 6)), left: []sample{{tool: "none"}}}
		d.look = func(token string, v view) {
			var bids map[string][]int
			if json.Unmarshal(v.Legal["bid"], &bids) != nil || len(d.params("bid")) != 2 {
				return
			}
			for face, of := range bids {
				if of[0] < 2 {
					continue
				}
				got := s.call(t, "bid", fmt.Sprintf(`{"token":%q,"quantity":%d,"face":%s}`, token, of[0]-1, face))
				if !got.isError {
					t.Fatalf("%s: %d × %s is not in %v and was accepted", set.Game, of[0]-1, face, of)
				}
				m := atLeast.FindStringSubmatch(got.text)
				if m == nil {
					continue
				}
				if named++; m[1]+m[4] != face || m[2]+m[3] != strconv.Itoa(of[0]) {
					t.Errorf("%s: a bid of %d × %s is refused with %q, and legal says %v", set.Game, of[0]-1, face, got.text, of)
				}
			}
		}
		for range 3 {
			d.game()
		}
	}
	if named == 0 {
		t.Error("no refusal named a bid")
	}
}

// driver plays games of two through the tools and tries the examples that are left whenever it can.
type driver struct {
	t    *testing.T
	s    *site
	set  tables.Ruleset
	rnd  *rand.Rand
	left []sample
	look func(token string, v view) // is told of every turn, if it is there
}

// view is what the driver reads of a state.
type view struct {
	Status   string
	YourTurn bool `json:"your_turn"`
	Legal    map[string]json.RawMessage
}

func (d *driver) view(tool string, args map[string]any) (view, bool) {
	d.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		d.t.Fatal(err)
	}
	got := d.s.call(d.t, tool, string(raw))
	var v view
	if !got.isError {
		if err := json.Unmarshal([]byte(got.text), &v); err != nil {
			d.t.Fatal(err)
		}
	}
	return v, !got.isError
}

// game plays one game, or some of it.
func (d *driver) game() {
	d.t.Helper()
	table := d.s.read(d.t, "create_table", fmt.Sprintf(`{"public":false,"seats":%d}`, max(2, d.set.MinSeats))).Table
	var tokens []string
	for i := range max(2, d.set.MinSeats) {
		tokens = append(tokens, d.s.read(d.t, "join_table", fmt.Sprintf(`{"name":"p%d","table":%q}`, i, table)).Token)
	}
	d.s.read(d.t, "start_game", fmt.Sprintf(`{"token":%q}`, tokens[0]))
	for range 12 {
		for _, token := range tokens {
			v, ok := d.view("get_state", map[string]any{"token": token})
			if !ok || v.Status != "live" || len(d.left) == 0 {
				return
			}
			if v.YourTurn && d.look != nil {
				d.look(token, v)
			}
			if v.YourTurn && !d.example(token, v) {
				d.any(token, v)
			}
		}
	}
}

// example tries the examples that are left.
func (d *driver) example(token string, v view) bool {
	for i, x := range d.left {
		if _, ok := v.Legal[x.tool]; !ok {
			continue
		}
		args := map[string]any{"token": token}
		for _, p := range d.params(x.tool) {
			args[p] = d.pick(v.Legal[x.tool], d.params(x.tool))[p]
		}
		for name, value := range x.args {
			args[name] = value
		}
		if _, ok := d.view(x.tool, args); ok {
			d.left = slices.Delete(d.left, i, i+1)
			return true
		}
	}
	return false
}

// any makes a move that legal lists.
func (d *driver) any(token string, v view) {
	d.t.Helper()
	tools := slices.Sorted(maps.Keys(v.Legal))
	tool := tools[d.rnd.IntN(len(tools))]
	if other := tools[d.rnd.IntN(len(tools))]; tool == "challenge" {
		tool = other // so that rounds are longer
	}
	args := map[string]any{"token": token}
	for name, value := range d.pick(v.Legal[tool], d.params(tool)) {
		args[name] = value
	}
	if _, ok := d.view(tool, args); !ok {
		d.t.Fatalf("%s %v is refused, and legal was %s", tool, args, v.Legal[tool])
	}
}

func (d *driver) params(tool string) (names []string) {
	for _, a := range d.set.Actions {
		if a.Name == tool {
			for _, p := range a.Params {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// pick chooses a move from what legal says of an action.
func (d *driver) pick(raw json.RawMessage, params []string) map[string]any {
	var interval []int
	var values struct{ Values []int }
	var objects []map[string]any
	var nested map[string]json.RawMessage
	last := len(params) - 1
	switch {
	case last < 0:
		return nil
	case last == 0 && json.Unmarshal(raw, &interval) == nil:
		return map[string]any{params[0]: interval[0] + min(d.rnd.IntN(3), interval[1]-interval[0])}
	case last == 0 && json.Unmarshal(raw, &values) == nil:
		return map[string]any{params[0]: values.Values[d.rnd.IntN(len(values.Values))]}
	case json.Unmarshal(raw, &objects) == nil:
		return objects[d.rnd.IntN(len(objects))]
	case json.Unmarshal(raw, &nested) == nil:
		keys := slices.Sorted(maps.Keys(nested))
		key := keys[d.rnd.IntN(len(keys))]
		args := d.pick(nested[key], params[:last])
		args[params[last]], _ = strconv.Atoi(strings.TrimPrefix(key, params[last]+" "))
		return args
	}
	d.t.Fatalf("legal is %s", raw)
	return nil
}
