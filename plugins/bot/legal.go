package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// MaxLegal bounds the moves that a view lists; more are a view that cannot be
// read.
const MaxLegal = 100_000

// maxParams bounds the parameters of a move; rule files have at most four.
const maxParams = 16

// Moves are the parameters with which one action is legal, as the view writes
// them.
type Moves struct {
	// args has the parameters of the shapes that name them, values those of
	// the others, in the order of the rules.
	args   []map[string]int64
	values [][]int64
	err    error // why they cannot be read
}

// bidParams are the parameters of a bid where nobody has named them.
var bidParams = []string{"quantity", "face"}

// UnmarshalJSON reads the shapes of a legal action: {} for an action without
// parameters; [least, most] or {"values": […]} for a single one; an object from
// the second parameter to one of these for the first; a list of objects; or an
// object from "name value" of the last parameter to what is said of the
// others. What it cannot read is for ParseView to report: its error is always nil.
func (m *Moves) UnmarshalJSON(data []byte) error {
	*m = Moves{}
	data = bytes.TrimSpace(data)
	switch {
	case bytes.HasPrefix(data, []byte("[{")), string(data) == "[]":
		m.err = m.list(data)
	case string(data) == "{}":
		m.values = [][]int64{{}}
	default:
		m.err = m.read(data)
	}
	return nil
}

// read adds the moves of the first parameters; rest are the values of the others.
func (m *Moves) read(data []byte, rest ...int64) error {
	var span []int64
	if json.Unmarshal(data, &span) == nil {
		return m.span(span, rest...)
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("legal moves: %w", err)
	}
	if len(rest) == maxParams {
		return fmt.Errorf("legal moves: more than %d parameters", maxParams)
	}
	if raw, ok := object["values"]; ok && len(object) == 1 {
		return m.each(raw, rest...)
	}
	groups := make(map[int64]json.RawMessage, len(object))
	for key, raw := range object {
		value, err := strconv.ParseInt(key[strings.LastIndexByte(key, ' ')+1:], 10, 64)
		if err != nil {
			return fmt.Errorf("legal moves: %w", err)
		}
		groups[value] = raw
	}
	for _, value := range slices.Sorted(maps.Keys(groups)) {
		if err := m.read(groups[value], append([]int64{value}, rest...)...); err != nil {
			return err
		}
	}
	return nil
}

// each adds a move for each of a list of values.
func (m *Moves) each(raw json.RawMessage, rest ...int64) error {
	var values []int64
	if err := json.Unmarshal(raw, &values); err != nil {
		return fmt.Errorf("legal moves: %w", err)
	}
	if len(m.values)+len(values) > MaxLegal {
		return fmt.Errorf("legal moves: more than %d", MaxLegal)
	}
	for _, v := range values {
		m.values = append(m.values, append([]int64{v}, rest...))
	}
	return nil
}

// list reads a list of objects.
func (m *Moves) list(data []byte) error {
	if err := json.Unmarshal(data, &m.args); err != nil {
		return fmt.Errorf("legal moves: %w", err)
	}
	if len(m.args) > MaxLegal {
		return fmt.Errorf("legal moves: more than %d", MaxLegal)
	}
	return nil
}

// span adds a move for every value of a [least, most], followed by rest.
func (m *Moves) span(r []int64, rest ...int64) error {
	if len(r) != 2 || r[1] < r[0] {
		return fmt.Errorf("legal moves: %v is no range", r)
	}
	if uint64(r[1])-uint64(r[0]) >= uint64(MaxLegal-len(m.values)) {
		return fmt.Errorf("legal moves: more than %d", MaxLegal)
	}
	for v := r[0]; ; v++ {
		m.values = append(m.values, append([]int64{v}, rest...))
		if v == r[1] {
			return nil
		}
	}
}

// Legal lists the legal moves: actions in alphabetical order, the parameters
// of each in ascending order. It is empty if the bot is not to move. A view
// does not always name parameters: the names are those that the seat was
// opened with, else a bid's are quantity and face, and others a, b, ….
func (v View) Legal() []Move {
	var moves []Move
	for _, action := range slices.Sorted(maps.Keys(v.Actions)) {
		names, ok := v.params[action]
		if !ok && action == "bid" {
			names = bidParams
		}
		m := v.Actions[action]
		for _, args := range m.args {
			moves = append(moves, Move{Action: action, Args: maps.Clone(args)})
		}
		for _, values := range m.values {
			moves = append(moves, Move{Action: action, Args: named(names, values)})
		}
	}
	return moves
}

// WithActions is v with the names of its actions' parameters, as SeatInfo has
// them. Serve has done this for the views that a Player gets.
func (v View) WithActions(actions map[string][]string) View {
	v.params = actions
	return v
}

// named gives values their names.
func named(names []string, values []int64) map[string]int64 {
	if len(values) == 0 {
		return nil
	}
	args := make(map[string]int64, len(values))
	for i, v := range values {
		name := string(rune('a' + i))
		if i < len(names) {
			name = names[i]
		}
		args[name] = v
	}
	return args
}
