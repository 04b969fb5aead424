package rules_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dudo.example/core/machine"
)

// oracle says how a game of OpenSpiel maps to a rule file.
type oracle struct {
	rules   string // the game that the rule file is of
	options func(p map[string]string) map[string]int
	edit    func(p map[string]string, text string) string
	move    func(seat int, name string, args []int32) (id int, word string) // OpenSpiel's number and word for a move
	draw    func(value int) (id int, word string)                           // and for a value drawn
	shows   string                                                          // which line says what a player sees
	show    func(r *replayed, v seen) string                                // and what it says
	settles bool                                                            // OpenSpiel settles up when the game is over, and shows that
	winner  func(seats int) int                                             // what the winner gets from us, who gets 1 from OpenSpiel
}

var oracles = map[string]oracle{
	"liars_dice": {
		rules: "liars-dice/openspiel", draw: rolled,
		move: func(_ int, name string, args []int32) (int, string) {
			if name == "liar" {
				return 12, "Liar"
			}
			return int(args[0]-1)*6 + int(args[1]-1), fmt.Sprintf("%d-%d", args[0], args[1])
		},
		shows: "InformationStateString",
		show: func(r *replayed, v seen) string {
			hand, prefix := "-1", ""
			if dice := v.values["hand"][v.viewer]; len(dice) > 0 {
				hand = strconv.Itoa(dice[0])
			}
			if r.parameters["rollout_length"] != "" {
				prefix = fmt.Sprintf("P%d ", v.viewer)
			}
			return prefix + strings.Join(append([]string{hand}, r.moves...), " ")
		},
	},
	"kuhn_poker": {
		rules: "cards/kuhn-poker",
		draw:  func(value int) (int, string) { return value, fmt.Sprintf("Deal:%d", value) },
		move: func(_ int, name string, _ []int32) (int, string) {
			if name == "pass" {
				return 0, "Pass"
			}
			return 1, "Bet"
		},
		shows: "ObservationString",
		show: func(_ *replayed, v seen) string {
			if v.values["card"][v.viewer][0] < 0 {
				return ""
			}
			return joined("", v.values["card"][v.viewer]) + joined("", v.each("paid"))
		},
	},
	"leduc_poker": {
		rules: "cards/leduc-poker", settles: true,
		draw: func(value int) (int, string) { return value, fmt.Sprintf("Chance outcome:%d", value) },
		move: func(_ int, name string, _ []int32) (int, string) {
			return map[string]int{"fold": 0, "call": 1, "raise": 2}[name], strings.ToUpper(name[:1]) + name[1:]
		},
		shows: "ObservationString",
		show: func(r *replayed, v seen) string {
			card, paid := v.values["card"][v.viewer][0], v.each("paid")
			if card < 0 {
				card = -10_000
			}
			return fmt.Sprintf("[Observer: %d][Private: %d][Round %s][Player: %d][Pot: %d][Money: %d %d][Ante: %s]", v.viewer, card,
				v.all("round"), r.player(), paid[0]+paid[1], 100-paid[0], 100-paid[1], joined(" ", paid))
		},
	},
	"tic_tac_toe": {
		rules: "board/tic-tac-toe",
		move: func(seat int, _ string, args []int32) (int, string) {
			return int(args[0]), fmt.Sprintf("%c(%d,%d)", "xo"[seat], args[0]/3, args[0]%3)
		},
		shows: "ObservationString",
		show: func(_ *replayed, v seen) string {
			board := []byte(".........")
			for cell := range board {
				for seat, marks := range v.each("marks") {
					if marks>>cell&1 == 1 {
						board[cell] = "xo"[seat]
					}
				}
			}
			return fmt.Sprintf(`%s\n%s\n%s`, board[:3], board[3:6], board[6:])
		},
	},
	"nim": {
		rules: "board/nim",
		move: func(_ int, _ string, args []int32) (int, string) {
			return int(args[1]-1)*4 + int(args[0]-1), fmt.Sprintf("pile:%d, take:%d;", args[0], args[1])
		},
		shows: "ObservationString",
		show: func(_ *replayed, v seen) string {
			return fmt.Sprintf("(%s): %s %s %s %s", v.all("turn"), v.all("first"), v.all("second"), v.all("third"), v.all("fourth"))
		},
	},
	"pig": {
		rules: "dice/pig", settles: true, draw: rolled,
		options: func(p map[string]string) map[string]int {
			goal, _ := strconv.Atoi(p["winscore"])
			return map[string]int{"goal": goal, "stop_unrolled": 1}
		},
		edit: func(p map[string]string, text string) string {
			return strings.Replace(text, "limits: {moves: 20000}", "limits: {moves: "+p["horizon"]+"}", 1)
		},
		move: func(_ int, name string, _ []int32) (int, string) {
			return map[string]int{"roll": 0, "stop": 1}[name], name
		},
		winner: func(seats int) int { return seats - 1 },
		shows:  "ObservationString",
		show: func(r *replayed, v seen) string {
			rolling := ""
			if r.Turn().Actor == machine.Chance {
				rolling = " (rolling)"
			}
			return fmt.Sprintf(`Scores: %s, Turn total: %s\nCurrent player: %s%s\n`, joined(" ", v.each("score")), v.all("points"), v.all("turn"), rolling)
		},
	},
}

func rolled(value int) (int, string) { return value - 1, fmt.Sprintf("Roll %d", value) }

func joined(separator string, list []int) string {
	words := make([]string, len(list))
	for i, x := range list {
		words[i] = strconv.Itoa(x)
	}
	return strings.Join(words, separator)
}

// seen is what a viewer sees: the values of each variable by owner.
type seen struct {
	viewer int
	values map[string]map[int][]int
}

func (v seen) all(name string) string { return joined("", v.values[name][machine.None]) }

func (v seen) each(name string) (list []int) {
	for seat := range len(v.values[name]) {
		list = append(list, v.values[name][seat][0])
	}
	return list
}

// replayed is a game of OpenSpiel's that our machine plays again.
type replayed struct {
	oracle
	*machine.Position
	parameters map[string]string
	history    []int    // OpenSpiel's numbers of all actions
	moves      []string // and its words for those of players
}

// choice is an action that is open: its number and word, and how we do it.
type choice struct {
	id   int
	word string
	do   func() error
}

// choices are what can happen next, by OpenSpiel's numbers.
func (r *replayed) choices(t *testing.T) (list []choice) {
	t.Helper()
	switch turn := r.Turn(); turn.Actor {
	case machine.Over:
	case machine.Chance:
		_, n, err := r.Outcomes()
		if err != nil {
			t.Fatal(err)
		}
		for k := range n {
			value, err := r.Outcome(k)
			if err != nil {
				t.Fatal(err)
			}
			id, word := r.draw(value)
			list = append(list, choice{id, word, func() error { return r.Draw(k) }})
		}
	case machine.Seat:
		var set machine.MoveSet
		r.Legal(turn.Seat, &set)
		for m := range set.All() {
			a, args, _ := r.Game().Action(m)
			id, word := r.move(turn.Seat, a.Name, args)
			list = append(list, choice{id, word, func() error {
				r.moves = append(r.moves, word)
				return r.Act(turn.Seat, m)
			}})
		}
	}
	slices.SortFunc(list, func(a, b choice) int { return a.id - b.id })
	return list
}

func (r *replayed) act(t *testing.T, id int) {
	t.Helper()
	list := r.choices(t)
	i := slices.IndexFunc(list, func(c choice) bool { return c.id == id })
	if i < 0 {
		t.Fatalf("the action %d is not open", id)
	}
	if err := list[i].do(); err != nil {
		t.Fatal(err)
	}
	r.history = append(r.history, id)
}

// player is OpenSpiel's number for who acts.
func (r *replayed) player() int {
	switch turn := r.Turn(); turn.Actor {
	case machine.Over:
		return -4
	case machine.Chance:
		return -1
	default:
		return turn.Seat
	}
}

// facts describes the position in OpenSpiel's words.
func (r *replayed) facts(t *testing.T) map[string]string {
	t.Helper()
	list := func(words []string) string { return "[" + strings.Join(words, ", ") + "]" }
	yes := func(b bool) string { return map[bool]string{true: "True", false: "False"}[b] }
	var ids, words, outcomes []string
	open := r.choices(t)
	for _, c := range open {
		ids = append(ids, strconv.Itoa(c.id))
		words = append(words, strconv.Quote(c.word))
		outcomes = append(outcomes, fmt.Sprintf("(%d,%.6g)", c.id, 1/float64(len(open))))
	}
	var returns []string
	for _, x := range r.Payoffs() {
		most := 1
		if r.winner != nil {
			most = r.winner(r.Game().Seats)
		}
		if r.Turn().Actor != machine.Over {
			x = 0
		}
		returns = append(returns, fmt.Sprintf("%.6g", float64(x)/float64(most)))
	}
	facts := map[string]string{
		"IsTerminal()": yes(r.Turn().Actor == machine.Over), "IsChanceNode()": yes(r.Turn().Actor == machine.Chance),
		"IsSimultaneousNode()": "False", "CurrentPlayer()": strconv.Itoa(r.player()), "History()": "[" + joined(", ", r.history) + "]",
		"LegalActions()": list(ids), "StringLegalActions()": list(words), "ChanceOutcomes()": list(outcomes),
		"Returns()": list(returns), "Rewards()": list(returns),
	}
	for viewer := range r.Game().Seats {
		if r.settles && r.Turn().Actor == machine.Over {
			break
		}
		v := seen{viewer, map[string]map[int][]int{}}
		for _, s := range r.View(viewer).Shown {
			name := r.Game().Vars[s.Var].Name
			if v.values[name] == nil {
				v.values[name] = map[int][]int{}
			}
			v.values[name][s.Owner] = s.Values
		}
		facts[fmt.Sprintf("%s(%d)", r.shows, viewer)] = `"` + r.show(r, v) + `"`
	}
	return facts
}
