package tables

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/core/play"
)

// legalMoves lists the moves of a seat by action, as briefly as it can be done without loss:
//
//	no parameter    {}
//	one             [least, most], or {"values": […]} with gaps
//	two             the second parameter's value → [least, most] of the first
//	anything else   a list of objects
func legalMoves(pos *machine.Position, seat int) Object {
	var set machine.MoveSet
	pos.Legal(seat, &set)
	var order []*machine.Action
	tuples := map[*machine.Action][][]int16{}
	for move := range set.All() {
		a, args, _ := pos.Game().Action(move)
		if tuples[a] == nil {
			order = append(order, a)
		}
		tuples[a] = append(tuples[a], args)
	}
	legal := Object{}
	for _, a := range order {
		legal[a.Name] = brief(a, tuples[a])
	}
	return legal
}

func brief(a *machine.Action, tuples [][]int16) any {
	switch len(a.Params) {
	case 0:
		return Object{}
	case 1:
		values := make([]int16, len(tuples))
		for i, args := range tuples {
			values[i] = args[0]
		}
		if r, ok := interval(values); ok {
			return r
		}
		return Object{"values": values}
	case 2:
		if o, ok := intervals(tuples); ok {
			return o
		}
	}
	list := make([]Object, len(tuples))
	for i, args := range tuples {
		list[i] = Object{}
		for k, x := range args {
			list[i][a.Params[k].Name] = x
		}
	}
	return list
}

func intervals(tuples [][]int16) (Object, bool) {
	first := map[int16][]int16{}
	for _, args := range tuples {
		first[args[1]] = append(first[args[1]], args[0])
	}
	o := Object{}
	for second, values := range first {
		r, ok := interval(values)
		if !ok {
			return nil, false
		}
		o[strconv.Itoa(int(second))] = r
	}
	return o, true
}

// interval gives least and most of values in ascending order, if there is no gap between them.
func interval(values []int16) ([2]int16, bool) {
	slices.Sort(values)
	least, most := values[0], values[len(values)-1]
	return [2]int16{least, most}, int(most-least) == len(values)-1
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
		return fmt.Sprintf("Seat %d is to move; wait with get_state, or use %s.", turn, toolNames(s.legal))
	case turn != s.viewer:
		return fmt.Sprintf("Seat %d is to move; call get_state with wait_seconds 20 until it is your turn.", turn)
	}
	_, bid := s.legal["bid"]
	_, challenge := s.legal["challenge"]
	quantity, face, standing := s.standingBid()
	switch {
	case standing && bid && challenge:
		return fmt.Sprintf("Your turn: raise %d × %d with bid, or call it with challenge.", quantity, face)
	case standing && challenge:
		return fmt.Sprintf("Your turn: %d × %d cannot be raised; call it with challenge.", quantity, face)
	case bid:
		return "Your turn: open the round with bid."
	}
	return "Your turn: use " + toolNames(s.legal) + "; legal says with which arguments."
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
	return strings.Join(slices.Sorted(maps.Keys(actions)), " or ")
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
