package rules

import (
	"fmt"
	"strings"

	"dudo.example/core/machine"
)

// Description is what a rule file says, for people and programs that do not read the file. Conditions and bounds stand in it as
// the file writes them.
type Description struct {
	Game      string                `json:"game"`
	Title     string                `json:"title"`
	About     string                `json:"about"`
	SHA256    string                `json:"sha256"`
	Seats     [2]int                `json:"seats"` // least and greatest
	Options   []OptionDescription   `json:"options,omitempty"`
	Presets   []PresetDescription   `json:"presets,omitempty"`
	State     []VariableDescription `json:"state"`
	Phases    []PhaseDescription    `json:"phases"`
	Start     string                `json:"start"` // the first phase
	MoveLimit int                   `json:"move_limit"`
	Rank      string                `json:"rank,omitempty"`
	Payoff    string                `json:"payoff,omitempty"`
	Examples  []string              `json:"examples,omitempty"`
}

// OptionDescription is an option; its default is a number, or true or false.
type OptionDescription struct {
	Name    string `json:"name"`
	Doc     string `json:"doc,omitempty"`
	Low     *int   `json:"low,omitempty"` // nil for a switch, as High
	High    *int   `json:"high,omitempty"`
	Default any    `json:"default"`
}

// PresetDescription is a preset with the options that it sets.
type PresetDescription struct {
	Name    string         `json:"name"`
	Doc     string         `json:"doc,omitempty"`
	Options map[string]any `json:"options"`
}

// VariableDescription is a variable: what it holds and who sees it.
type VariableDescription struct {
	Name     string `json:"name"`
	ShownAs  string `json:"shown_as"`
	Doc      string `json:"doc,omitempty"`
	Holds    string `json:"holds"`
	EachSeat bool   `json:"each_seat"`
	SeenBy   string `json:"seen_by"`
}

// PhaseDescription is a phase of chance, with draws, or of players, with a turn and actions.
type PhaseDescription struct {
	Name    string              `json:"name"`
	Draws   []string            `json:"draws,omitempty"`
	Turn    string              `json:"turn,omitempty"`
	Clock   bool                `json:"clock,omitempty"`
	Actions []ActionDescription `json:"actions,omitempty"`
}

// ActionDescription is what a player can do in a phase.
type ActionDescription struct {
	Name   string             `json:"name"`
	Doc    string             `json:"doc,omitempty"`
	Params []ParamDescription `json:"params,omitempty"`
	Who    string             `json:"who,omitempty"`    // which seats may act; the one whose turn it is if empty
	When   string             `json:"when,omitempty"`   // when it is legal
	Refuse []RefusalSentence  `json:"refuse,omitempty"` // what a player reads who tries it when it is not: the first that holds
	Secret bool               `json:"secret,omitempty"` // whether it is legal depends on what only its player sees
}

// RefusalSentence is a sentence that a refused player reads, with expressions in braces, and when; always if If is empty.
type RefusalSentence struct {
	If  string `json:"if,omitempty"`
	Say string `json:"say"`
}

// ParamDescription is a number that the player gives.
type ParamDescription struct {
	Name string `json:"name"`
	Doc  string `json:"doc,omitempty"`
	Low  string `json:"low"`
	High string `json:"high"`
}

// Describe says what the file says.
func (f *File) Describe() Description {
	d := Description{
		Game: f.Game, Title: f.Title, About: f.About, SHA256: f.Digest, Seats: [2]int{f.MinSeats, f.MaxSeats},
		State: f.describeState(), Start: f.phases[f.start].name, MoveLimit: f.limit, Rank: words(f.rank), Payoff: words(f.payoff),
	}
	for _, o := range f.Options {
		option := OptionDescription{Name: o.Name, Doc: o.Doc, Default: o.plain(o.Default)}
		if !o.Bool {
			option.Low, option.High = &o.Low, &o.High
		}
		d.Options = append(d.Options, option)
	}
	for _, p := range f.Presets {
		preset := PresetDescription{Name: p.Name, Doc: p.Doc, Options: map[string]any{}}
		for _, o := range f.Options {
			if value, ok := p.Options[o.Name]; ok {
				preset.Options[o.Name] = o.plain(value)
			}
		}
		d.Presets = append(d.Presets, preset)
	}
	for _, ph := range f.phases {
		d.Phases = append(d.Phases, f.describePhase(ph))
	}
	for _, e := range f.examples {
		d.Examples = append(d.Examples, e.name)
	}
	return d
}

// plain is a value of the option as people write it: a number, or true or false.
func (o *Option) plain(value int) any {
	if o.Bool {
		return value != 0
	}
	return value
}

// words are those of the file, in one line; "" for nothing.
func words(e *expression) string {
	if e == nil {
		return ""
	}
	return strings.Join(strings.Fields(e.text), " ")
}

// describeState takes the fields of a record together.
func (f *File) describeState() (list []VariableDescription) {
	for _, v := range f.vars {
		name, field, isField := strings.Cut(v.name, ".")
		holds := v.holds()
		if isField {
			holds = field + ", " + holds
			if n := len(list); n > 0 && list[n-1].Name == name {
				list[n-1].Holds += "; " + holds
				continue
			}
		}
		d := VariableDescription{Name: name, ShownAs: name, Doc: v.doc, Holds: holds, EachSeat: v.perSeat}
		if v.as != "" {
			d.ShownAs = v.as
		}
		switch v.see {
		case machine.SeeAll:
			d.SeenBy = "everybody"
		case machine.SeeOwner:
			d.SeenBy = "the seat that it belongs to"
		case machine.SeeNone:
			d.SeenBy = "nobody"
		case machine.SeeIf:
			d.SeenBy = "whoever " + words(v.seeIf)
		}
		list = append(list, d)
	}
	return list
}

func (v *variable) holds() string {
	switch {
	case v.zone != nil:
		return fmt.Sprintf("a list of up to %s numbers, each %s to %s", words(v.zone), words(v.low), words(v.high))
	case v.kind == kindBool:
		return "yes or no"
	case v.kind == kindSeat:
		return "a seat or none"
	}
	return fmt.Sprintf("a number, %s to %s", words(v.low), words(v.high))
}

func (f *File) describePhase(ph *phase) PhaseDescription {
	d := PhaseDescription{Name: ph.name, Turn: words(ph.turn), Clock: ph.clock}
	for _, w := range ph.draws {
		text := f.vars[w.into].name
		if w.each {
			text += " of each seat"
		}
		if w.count != nil {
			text += ", " + words(w.count) + " of them"
		}
		if w.from >= 0 {
			text += ", from " + f.vars[w.from].name + " without putting back"
		} else {
			text += fmt.Sprintf(", each %s to %s", words(w.low), words(w.high))
		}
		if w.when != nil {
			text += ", if " + words(w.when)
		}
		d.Draws = append(d.Draws, text)
	}
	for _, a := range ph.actions {
		action := ActionDescription{Name: a.name, Doc: a.doc, Who: words(a.who), When: words(a.when)}
		for _, p := range a.params {
			action.Params = append(action.Params, ParamDescription{Name: p.name, Doc: p.doc, Low: words(p.low), High: words(p.high)})
		}
		for _, r := range a.refuse {
			action.Refuse = append(action.Refuse, RefusalSentence{If: words(r.when), Say: r.say.String()})
		}
		action.Secret = a.when != nil && a.when.private
		d.Actions = append(d.Actions, action)
	}
	return d
}

// String is the sentence with its expressions in braces, in one line.
func (s *sentence) String() string {
	var b strings.Builder
	for i, text := range s.texts {
		b.WriteString(text)
		if i < len(s.parts) {
			b.WriteString("{" + words(s.parts[i]) + "}")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
