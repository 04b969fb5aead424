package tables

import (
	"fmt"
	"slices"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// Ruleset is a rule file as the server offers it. The rules package loads it; the program hands it in.
type Ruleset struct {
	Game, Title, About string
	Text               string // the exact bytes of the file
	SHA256             string // of them, hex
	MinSeats, MaxSeats int
	Options            []Option
	Presets            []Preset
	Actions            []Action
	// Resolve gives all options: those given, then those of the preset, if it is not empty, then the defaults.
	Resolve func(preset string, given map[string]int) (map[string]int, error)
	// Compile gives the game for a number of players.
	Compile func(players int, options map[string]int) (*machine.Game, error)
}

// Option is a switch of a rule file, fixed when a table is made.
type Option struct {
	Name, Doc          string
	Bool               bool // the value is 0 or 1 and shown as false or true
	Low, High, Default int
}

// Preset is a named set of options.
type Preset struct {
	Name, Doc string
	Options   map[string]int
}

// Action is what a seat can do under a rule file; the bounds are the widest of all options and numbers of players.
type Action struct {
	Name, Doc string
	Params    []Param
	Example   []int // arguments of a move that the rules allow in some position; nil for none
}

// Param is an integer parameter of an action.
type Param struct {
	Name, Doc string
	Low, High int
}

// resolve completes a table's options, or refuses them with a sentence that says which there are.
func (r *Ruleset) resolve(preset string, given map[string]int) (map[string]int, error) {
	if preset != "" && !slices.ContainsFunc(r.Presets, func(p Preset) bool { return p.Name == preset }) {
		return nil, refuse(CodeBadSetting, r.PresetsSentence())
	}
	options, err := r.Resolve(preset, given)
	if err != nil {
		return nil, refuse(CodeBadSetting, r.OptionsSentence())
	}
	return options, nil
}

// OptionsSentence says which options there are.
func (r *Ruleset) OptionsSentence() string {
	if len(r.Options) == 0 {
		return r.Game + " has no options."
	}
	list := make([]string, len(r.Options))
	for i, o := range r.Options {
		list[i] = fmt.Sprintf("%s %d to %d (%d)", o.Name, o.Low, o.High, o.Default)
		if o.Bool {
			list[i] = fmt.Sprintf("%s true or false (%t)", o.Name, o.Default != 0)
		}
	}
	return "The options of " + r.Game + ", with their defaults, are " + strings.Join(list, ", ") + "."
}

// PresetsSentence says which presets there are.
func (r *Ruleset) PresetsSentence() string {
	if len(r.Presets) == 0 {
		return r.Game + " has no presets."
	}
	list := make([]string, len(r.Presets))
	for i, p := range r.Presets {
		list[i] = p.Name
	}
	return "The presets of " + r.Game + " are " + strings.Join(list, ", ") + "."
}

// takes refuses arguments that an action has in other games and not in this one.
func (r *Ruleset) takes(move play.Move) error {
	i := slices.IndexFunc(r.Actions, func(a Action) bool { return a.Name == move.Action })
	if i < 0 {
		return nil // which is refused as such
	}
	names := make([]string, len(r.Actions[i].Params))
	for k, p := range r.Actions[i].Params {
		names[k] = p.Name
	}
	if !slices.ContainsFunc(move.Args, func(a record.Arg) bool { return !slices.Contains(names, a.Name) }) {
		return nil
	}
	if len(names) == 0 {
		names = []string{"no arguments"}
	}
	return refuse(machine.CodeBadArgument, fmt.Sprintf("At this table %s takes %s.", move.Action, strings.Join(names, " and ")))
}

// compile binds the options of a table; its refusal says how many players the rules take.
func (r *Ruleset) compile(options []record.Option) play.Compile {
	values := optionMap(options)
	return func(players int) (*machine.Game, error) {
		if players < r.MinSeats || players > r.MaxSeats {
			return nil, refuse(CodeNeedPlayers, fmt.Sprintf("This game is for %d to %d players; wait for others to join, or add house bots.", r.MinSeats, r.MaxSeats))
		}
		return r.Compile(players, values)
	}
}

func optionMap(options []record.Option) map[string]int {
	m := make(map[string]int, len(options))
	for _, o := range options {
		m[o.Name] = o.Value
	}
	return m
}

// details is all that one needs to choose the settings of a table.
func (r *Ruleset) details() Object {
	o := Object{
		{Name: "rules", Value: r.Game},
		{Name: "title", Value: r.Title},
		{Name: "about", Value: squeeze(r.About)},
		{Name: "seats", Value: []int{r.MinSeats, r.MaxSeats}},
	}
	options := make(Object, len(r.Options))
	for i, x := range r.Options {
		d := Object{{Name: "doc", Value: squeeze(x.Doc)}, {Name: "default", Value: x.value(x.Default)}}
		if !x.Bool {
			d = d.With("range", []int{x.Low, x.High})
		}
		options[i] = record.Member{Name: x.Name, Value: d}
	}
	o = o.With("options", options)
	if len(r.Presets) == 0 {
		return o
	}
	presets := make(Object, len(r.Presets))
	for i, p := range r.Presets {
		var set Object
		for _, x := range r.Options {
			if v, ok := p.Options[x.Name]; ok {
				set = set.With(x.Name, x.value(v))
			}
		}
		presets[i] = record.Member{Name: p.Name, Value: Object{{Name: "doc", Value: squeeze(p.Doc)}, {Name: "options", Value: set}}}
	}
	return o.With("presets", presets)
}

// value is a value of the option as it is shown.
func (o *Option) value(v int) record.Value {
	if o.Bool {
		return v != 0
	}
	return v
}

// squeeze brings a text on one line.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }
