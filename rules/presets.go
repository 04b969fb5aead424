package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// WithPreset gives the options of a preset with those given in their place, for [File.Resolve]. An empty name is no preset. The
// error names the presets that there are.
func (f *File) WithPreset(name string, given map[string]int) (map[string]int, error) {
	options := map[string]int{}
	if name != "" {
		i := slices.IndexFunc(f.Presets, func(p Preset) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no preset %q; %s has %s", name, f.Game, f.presetList())
		}
		maps.Copy(options, f.Presets[i].Options)
	}
	maps.Copy(options, given)
	return options, nil
}

func (f *File) presetList() string {
	if len(f.Presets) == 0 {
		return "none"
	}
	names := make([]string, len(f.Presets))
	for i, p := range f.Presets {
		names[i] = p.Name
	}
	return strings.Join(names, ", ")
}
