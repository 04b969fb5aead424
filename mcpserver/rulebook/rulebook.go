// Package rulebook hands rule files to the tables, and reads them again when they change: it is the only part of the server that
// knows both.
package rulebook

import (
	"dudo.example/core/machine"
	"dudo.example/mcpserver/tables"
	"dudo.example/rules"
)

// Ruleset is a rule file as the tables take it.
func Ruleset(f *rules.File) tables.Ruleset {
	r := tables.Ruleset{
		Game: f.Game, Title: f.Title, About: f.About, Text: string(f.Text), SHA256: f.Digest,
		MinSeats: f.MinSeats, MaxSeats: f.MaxSeats,
		Resolve: func(preset string, given map[string]int) (map[string]int, error) {
			options, err := f.WithPreset(preset, given)
			if err != nil {
				return nil, err
			}
			return f.Resolve(options)
		},
		Compile: func(players int, options map[string]int) (*machine.Game, error) { return f.Compile(players, options) },
	}
	for _, o := range f.Options {
		r.Options = append(r.Options, tables.Option{Name: o.Name, Doc: o.Doc, Bool: o.Bool, Low: o.Low, High: o.High, Default: o.Default})
	}
	for _, p := range f.Presets {
		r.Presets = append(r.Presets, tables.Preset{Name: p.Name, Doc: p.Doc, Options: p.Options})
	}
	for _, a := range f.Actions() {
		action := tables.Action{Name: a.Name, Doc: a.Doc, Example: a.Example}
		for _, p := range a.Params {
			action.Params = append(action.Params, tables.Param{Name: p.Name, Doc: p.Doc, Low: p.Low, High: p.High})
		}
		r.Actions = append(r.Actions, action)
	}
	return r
}

// Load reads the rules that a table in the store was made with.
func Load(text string) (tables.Ruleset, error) {
	f, err := rules.Parse("rules", []byte(text))
	if err != nil {
		return tables.Ruleset{}, err
	}
	return Ruleset(f), nil
}

// Rulesets are rule files as the tables take them.
func Rulesets(files []*rules.File) []tables.Ruleset {
	sets := make([]tables.Ruleset, len(files))
	for i, f := range files {
		sets[i] = Ruleset(f)
	}
	return sets
}
