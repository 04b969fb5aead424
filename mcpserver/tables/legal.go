package tables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// legalMoves lists the moves of a seat by action, as briefly as it can be done without loss:
//
//	no parameter    {}
//	one             [least, most], or {"values": […]} with gaps
//	two             the second parameter's value → what is said of the first
//	more            a list of objects; a long one as "NAME VALUE" of the last parameter → what is said of the others
func legalMoves(pos *machine.Position, seat int) Object {
	var set machine.MoveSet
	pos.Legal(seat, &set)
	var legal Object
	var action *machine.Action
	var tuples [][]int32
	flush := func() {
		if action != nil {
			legal = legal.With(action.Name, brief(action.Params, tuples))
		}
	}
	for move := range set.All() { // which go by action
		a, args, _ := pos.Game().Action(move)
		if a != action {
			flush()
			action, tuples = a, tuples[:0]
		}
		tuples = append(tuples, args)
	}
	flush()
	return legal
}

// longList is how many moves of three or more parameters are worth a list.
const longList = 24

func brief(params []machine.Param, tuples [][]int32) record.Value {
	if len(params) == 0 {
		return Object{}
	}
	if len(params) < 3 || len(tuples) > longList {
		return grouped(params, tuples)
	}
	list := make([]record.Value, len(tuples))
	for i, args := range tuples {
		o := make(Object, len(args))
		for k, x := range args {
			o[k] = record.Member{Name: params[k].Name, Value: int(x)}
		}
		list[i] = o
	}
	return list
}

// grouped maps each value of the last parameter to what is said of the others, down to the values of the first.
func grouped(params []machine.Param, tuples [][]int32) record.Value {
	last := len(params) - 1
	if last == 0 {
		return valuesOf(tuples)
	}
	byLast := map[int32][][]int32{}
	for _, args := range tuples {
		byLast[args[last]] = append(byLast[args[last]], args[:last])
	}
	o := make(Object, 0, len(byLast))
	for value, rest := range byLast {
		name := strconv.Itoa(int(value))
		if last > 1 {
			name = params[last].Name + " " + name
		}
		o = o.With(name, grouped(params[:last], rest))
	}
	return o
}

// valuesOf gives the values of the only parameter: least and most if there is no gap between them.
func valuesOf(tuples [][]int32) record.Value {
	values := make([]int, len(tuples))
	for i, args := range tuples {
		values[i] = int(args[0])
	}
	slices.Sort(values)
	least, most := values[0], values[len(values)-1]
	if most-least == len(values)-1 {
		return []int{least, most}
	}
	return Object{{Name: "values", Value: values}}
}

// nextSentence says what the viewer can do now. It holds numbers and the names of tools, and no player's words.
func (t *table) nextSentence(s *sight) string {
	switch s.Status() {
	case play.Open:
		return t.nextOpen(s)
	case play.Over:
		return "The game is over. Its record can be downloaded and verified; join_table finds another game."
	case play.Live:
	}
	turn, ok := s.Turn()
	switch {
	case !ok:
		return "Nobody can move; call get_state."
	case s.viewer == machine.None:
		return fmt.Sprintf("Seat %d is to move; call get_state with wait_seconds and since to follow the game.", turn)
	case turn != s.viewer && !s.alive:
		return "You are out. Call get_state with wait_seconds to see how the game ends."
	case turn != s.viewer && len(s.legal) > 0:
		return fmt.Sprintf("Seat %d is to move. You may use %s out of turn, or wait with get_state.", turn, toolNames(s.legal))
	case turn != s.viewer:
		return fmt.Sprintf("Seat %d is to move; call get_state with wait_seconds 20 until it is your turn.", turn)
	}
	return "Your turn: " + s.ways() + "."
}

// ways says what the moves of the seat to move are for: to raise, to challenge, and by name those that only some games have.
func (s *sight) ways() string {
	quantity, face, standing := s.standingBid()
	_, bid := s.legal.Get("bid")
	_, challenge := s.legal.Get("challenge")
	if !bid && (!challenge || !standing) {
		return "use " + toolNames(s.legal) + withArguments(s.legal)
	}
	var ways []string
	switch {
	case bid && standing:
		ways = append(ways, fmt.Sprintf("raise %d × %d with bid", quantity, face))
	case bid:
		ways = append(ways, "open the round with bid")
	}
	if challenge {
		ways = append(ways, "call it with challenge")
	}
	others := slices.DeleteFunc(slices.Clone(s.legal), func(m record.Member) bool { return m.Name == "bid" || m.Name == "challenge" })
	if len(others) > 0 {
		ways = append(ways, "use "+toolNames(others))
	}
	text := either(ways)
	if !bid {
		return fmt.Sprintf("%d × %d cannot be raised; %s", quantity, face, text)
	}
	return text
}

func (t *table) nextOpen(s *sight) string {
	switch {
	case s.viewer == machine.None:
		return "Take a seat with join_table."
	case len(s.Players()) < t.rules.MinSeats:
		return "Start with start_game, which adds a house bot, or wait for other players with get_state and wait_seconds."
	default:
		return "Start with start_game, or wait for other players with get_state and wait_seconds."
	}
}

func toolNames(actions Object) string {
	names := make([]string, len(actions))
	for i, a := range actions {
		names[i] = a.Name
	}
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return strings.Join(names, "")
}

// withArguments says where the arguments are, if any of the moves has some.
func withArguments(legal Object) string {
	for _, a := range legal {
		if moves, ok := a.Value.(Object); !ok || len(moves) > 0 {
			return "; legal says with which arguments"
		}
	}
	return ""
}

// either joins what can be done, each of it several words.
func either(ways []string) string {
	if last := len(ways) - 1; last > 0 {
		return strings.Join(ways[:last], ", ") + ", or " + ways[last]
	}
	return strings.Join(ways, "")
}

// standingBid reads the bid to beat, in games that have one.
func (s *sight) standingBid() (quantity, face int, ok bool) {
	for _, x := range s.view.Shown {
		switch s.game.Vars[x.Var].Label() {
		case "standing.quantity":
			quantity = x.Values[0]
		case "standing.face":
			face = x.Values[0]
		}
	}
	return quantity, face, quantity > 0 && s.recordSet("standing")
}
