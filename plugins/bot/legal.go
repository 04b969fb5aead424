package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// MaxLegal bounds the moves that a view lists; more are a view that cannot be
// read.
const MaxLegal = 100_000

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

// UnmarshalJSON reads the four shapes of a legal action: {} for an action without
// parameters; an object from the second parameter to the range of the first;
// [least, most] or {"values": […]} for a single one; a list of objects. What it
// cannot read is for ParseView to report: its error is always nil.
func (m *Moves) UnmarshalJSON(data []byte) error {
	*m = Moves{}
	m.err = m.read(data)
	return nil
}

func (m *Moves) read(data []byte) error {
	data = bytes.TrimSpace(data)
	if len(data) > 0 && data[0] == '[' {
		return m.list(data)
	}
	var object map[string][]int64
	if err := json.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("legal moves: %w", err)
	}
	if len(object) == 0 {
		m.values = [][]int64{{}}
		return nil
	}
	if values, ok := object["values"]; ok && len(object) == 1 {
		for _, v := range values {
			m.values = append(m.values, []int64{v})
		}
		return nil
	}
	seconds := make(map[int64][]int64, len(object))
	for k, r := range object {
		second, err := strconv.ParseInt(k, 10, 64)
		if err != nil {
			return fmt.Errorf("legal moves: %w", err)
		}
		seconds[second] = r
	}
	for _, second := range slices.Sorted(maps.Keys(seconds)) {
		if err := m.span(seconds[second], second); err != nil {
			return err
		}
	}
	return nil
}

// list reads a [least, most] or a list of objects.
func (m *Moves) list(data []byte) error {
	var span []int64
	if json.Unmarshal(data, &span) == nil && len(span) == 2 {
		return m.span(span)
	}
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
