package tables_test

import (
	"encoding/json"
	"strings"
	"testing"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// withPresets is the standard game under another id, with presets.
func withPresets(t *testing.T) tables.Ruleset {
	t.Helper()
	text := strings.Replace(string(standard(t).Text), "game: liars-dice/standard", "game: liars-dice/presets", 1)
	text = strings.Replace(text, "\nlimits:", "\npresets:\n  short: {options: {dice: 1}, doc: one die each}\n  long:\n    options: {dice: 5}\n    doc: five dice each\n\nlimits:", 1)
	f, err := rules.Parse("presets.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rulebook.Ruleset(f)
}

func openWithPresets(t *testing.T) *room {
	t.Helper()
	r := open(t, tables.Limits{})
	r.stop()
	r.cfg.Rules = append(r.cfg.Rules, withPresets(t))
	r.start()
	return r
}

// Options come first, then those of the preset, then the defaults.
func TestPresets(t *testing.T) {
	r := openWithPresets(t)
	const game = "liars-dice/presets"
	tests := []struct {
		settings tables.Settings
		dice     int64
	}{
		{tables.Settings{Rules: game}, 3},
		{tables.Settings{Rules: game, Preset: "short"}, 1},
		{tables.Settings{Rules: game, Preset: "long"}, 5},
		{tables.Settings{Rules: game, Preset: "long", Options: map[string]int{"dice": 2}}, 2},
	}
	for _, tt := range tests {
		o, err := r.Create(t.Context(), home, tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		var made struct{ Options struct{ Dice int64 } }
		if err := json.Unmarshal([]byte(o.Encode()), &made); err != nil || made.Options.Dice != tt.dice {
			t.Errorf("%+v has %d dice, want %d (%v)", tt.settings, made.Options.Dice, tt.dice, err)
		}
	}
	refusals := []struct {
		settings tables.Settings
		want     string
	}{
		{tables.Settings{Rules: game, Preset: "shorter"}, "The presets of liars-dice/presets are short, long."},
		{tables.Settings{Preset: "short"}, "liars-dice/standard has no presets."},
		{tables.Settings{Options: map[string]int{"cups": 1}}, "The options of liars-dice/standard, with their defaults, are dice 1 to 5 (3)."},
		{tables.Settings{Preset: "", Options: map[string]int{"dice": 6}}, "The options of liars-dice/standard, with their defaults, are dice 1 to 5 (3)."},
	}
	for _, tt := range refusals {
		o, err := r.Create(t.Context(), home, tt.settings)
		r.refused(tables.CodeBadSetting)(o, err)
		if err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.settings, err, tt.want)
		}
	}
}

// A list of one game tells all of its settings, and its tables alone.
func TestListOfAGame(t *testing.T) {
	r := openWithPresets(t)
	for _, game := range []string{"liars-dice/standard", "liars-dice/presets"} {
		r.ok(r.Create(t.Context(), home, tables.Settings{Rules: game}))
	}
	o, err := r.List(t.Context(), "liars-dice/presets")
	if err != nil {
		t.Fatal(err)
	}
	tables, _ := o.Get("tables")
	if list, err := json.Marshal(tables); err != nil || strings.Count(string(list), `"table":`) != 1 || !strings.Contains(string(list), `"rules":"liars-dice/presets"`) {
		t.Errorf("the tables of the game are %s (%v)", list, err)
	}
	told, _ := o.Get("rules")
	text, err := json.Marshal(told)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"options":{"dice":{"default":3,"doc":"how many dice each player begins with","range":[1,5]}}`,
		`"presets":{"long":{"doc":"five dice each","options":{"dice":5}},"short":{"doc":"one die each","options":{"dice":1}}}`,
		`"seats":[2,6]`, `"about":"Every player rolls`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("what is told of the game has no %s:\n%s", want, text)
		}
	}
	r.refused("no_such_rules")(r.List(t.Context(), "liars-dice/nothing"))
}

// Whoever sits down is told what is played.
func TestJoinTellsTheRules(t *testing.T) {
	r := openWithPresets(t)
	table := r.ok(r.Create(t.Context(), home, tables.Settings{Rules: "liars-dice/presets", Preset: "long"})).Table
	o, err := r.Join(t.Context(), home, tables.Join{Name: "ann", Table: table})
	if err != nil {
		t.Fatal(err)
	}
	options, err := json.Marshal(get(o, "options"))
	if text(o, "rules") != "liars-dice/presets" || !strings.HasPrefix(text(o, "about"), "Every player rolls") || string(options) != `{"dice":5}` {
		t.Errorf("the answer to join is %s (%v)", o.Encode(), err)
	}
}

func get(o tables.Object, name string) any {
	v, _ := o.Get(name)
	return v
}

// An argument that the tool has for the sake of another game is refused with those that this one takes.
func TestArgumentsOfAnotherGame(t *testing.T) {
	r := open(t, tables.Limits{})
	_, tokens := r.sit(tables.Settings{Seats: 2}, "ann", "bob")
	tests := []struct {
		move play.Move
		want string
	}{
		{play.Move{Action: "bid", Args: append(bid(1, 1).Args, record.Arg{Name: "stars", Value: 1})}, "At this table bid takes quantity and face."},
		{play.Move{Action: "challenge", Args: bid(1, 1).Args}, "At this table challenge takes no arguments."},
		{play.Move{Action: "bid", Args: bid(1, 1).Args[:1]}, "bid needs face."},
	}
	for _, tt := range tests {
		o, err := r.Act(t.Context(), tokens[0], -1, tt.move)
		r.refused("bad_argument")(o, err)
		if err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v, want %s", tt.move, err, tt.want)
		}
	}
	r.refused("unknown_action")(r.Act(t.Context(), tokens[0], -1, play.Move{Action: "spot_on"}))
}
