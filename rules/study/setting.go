package study

import (
	"fmt"
	"maps"
	"slices"

	"dudo.example/rules"
)

// Setting is one way to play a file: a number of seats, and the options that do not have their defaults.
type Setting struct {
	Seats   int
	Preset  string // the preset that the options are of, "" for none
	Options map[string]int
}

// Settings gives ways to play a file that together try every number of seats, every preset, and every option at its least and
// greatest.
func Settings(f *rules.File) []Setting {
	var list []Setting
	for seats := f.MinSeats; seats <= f.MaxSeats; seats++ {
		list = append(list, Setting{Seats: seats})
	}
	seats := 0 // goes round
	add := func(s Setting) {
		s.Seats = f.MinSeats + seats%(f.MaxSeats-f.MinSeats+1)
		seats++
		list = append(list, s)
	}
	for _, p := range f.Presets {
		add(Setting{Preset: p.Name, Options: p.Options})
	}
	for _, o := range f.Options {
		for _, value := range []int{o.Low, o.High} {
			if value != o.Default {
				add(Setting{Options: map[string]int{o.Name: value}})
			}
		}
	}
	return list
}

// words says what the setting is, such as "3 seats, dice 5".
func (s Setting) words(f *rules.File) string {
	text := fmt.Sprintf("%d seats", s.Seats)
	if s.Preset != "" {
		return text + ", preset " + s.Preset
	}
	for _, name := range slices.Sorted(maps.Keys(s.Options)) {
		text += ", " + name + " " + optionText(f, name, s.Options[name])
	}
	return text
}

// optionText is a value as people write it.
func optionText(f *rules.File, name string, value int) string {
	i := slices.IndexFunc(f.Options, func(o rules.Option) bool { return o.Name == name })
	if i >= 0 && f.Options[i].Bool {
		return yesNo(value != 0)
	}
	return fmt.Sprint(value)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
