// Package manual writes the rules of a game in words, from what its rule file says. Nothing in it is written for a game.
package manual

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"dudo.example/rules"
)

const width = 100

// writer writes paragraphs, broken between words.
type writer struct {
	out     io.Writer
	heading func(string) string
	err     error
}

// Write writes the manual of a game. heading dresses up the headings, for a terminal; it may be nil.
func Write(out io.Writer, d rules.Description, heading func(string) string) error {
	if heading == nil {
		heading = func(s string) string { return s }
	}
	w := &writer{out: out, heading: heading}
	w.line("%s", heading(d.Title))
	w.line("%s, %s\nsha256 %s", d.Game, seats(d.Seats), d.SHA256)
	w.line("")
	w.paragraph("  ", d.About)
	w.options(d)
	w.state(d.State)
	for _, ph := range d.Phases {
		w.phase(ph, d.Start)
	}
	w.head("How it ends")
	if d.Rank != "" {
		w.paragraph("  ", "The place of each seat is "+d.Rank+".")
	} else {
		w.paragraph("  ", "Each seat wins or loses "+d.Payoff+".")
	}
	w.paragraph("  ", fmt.Sprintf("A game that reaches %d moves ends as it stands.", d.MoveLimit))
	if d.Examples != nil {
		w.head("Worked examples")
		for _, name := range d.Examples {
			w.paragraph("  - ", name)
		}
	}
	return w.err
}

func (w *writer) line(format string, args ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format+"\n", args...)
	}
}

func (w *writer) head(title string) {
	w.line("")
	w.line("%s", w.heading(title))
}

// paragraph writes text after an indentation, whose length further lines keep.
func (w *writer) paragraph(indent, text string) {
	line := indent
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0:
		case len(line)+len(word) >= width:
			w.line("%s", line)
			line = strings.Repeat(" ", len(indent))
		default:
			line += " "
		}
		line += word
	}
	w.line("%s", line)
}

func (w *writer) options(d rules.Description) {
	if len(d.Options) > 0 {
		w.head("Options")
	}
	for _, o := range d.Options {
		values := "yes or no"
		if o.Low != nil {
			values = fmt.Sprintf("%d to %d", *o.Low, *o.High)
		}
		w.paragraph("  ", fmt.Sprintf("%s: %s, %s by default.%s", o.Name, values, said(o.Default), sentence(o.Doc)))
	}
	if len(d.Presets) > 0 {
		w.head("Presets")
	}
	for _, p := range d.Presets {
		var sets []string
		for _, name := range slices.Sorted(maps.Keys(p.Options)) {
			sets = append(sets, name+" "+said(p.Options[name]))
		}
		set := "all defaults"
		if sets != nil {
			set = strings.Join(sets, ", ")
		}
		w.paragraph("  ", fmt.Sprintf("%s: %s.%s", p.Name, set, sentence(p.Doc)))
	}
}

func (w *writer) state(list []rules.VariableDescription) {
	w.head("What there is, and who sees it")
	for _, v := range list {
		name := v.Name
		if v.ShownAs != v.Name {
			name += " (shown as " + v.ShownAs + ")"
		}
		if v.EachSeat {
			name += " of each seat"
		}
		w.paragraph("  ", fmt.Sprintf("%s: %s, seen by %s.%s", name, v.Holds, v.SeenBy, sentence(v.Doc)))
	}
}

func (w *writer) phase(ph rules.PhaseDescription, start string) {
	title := "Phase " + ph.Name
	if ph.Name == start {
		title += ", where the game begins"
	}
	w.head(title)
	if ph.Draws != nil {
		w.paragraph("  ", "Chance draws "+strings.Join(ph.Draws, "; then ")+".")
		return
	}
	clock := "."
	if ph.Clock {
		clock = ", against the clock."
	}
	w.paragraph("  ", "Whose turn it is: "+ph.Turn+clock)
	for _, a := range ph.Actions {
		w.action(a)
	}
}

func (w *writer) action(a rules.ActionDescription) {
	w.line("  %s", w.heading(Usage(a)))
	if a.Doc != "" {
		w.paragraph("    ", a.Doc)
	}
	for _, p := range a.Params {
		w.paragraph("    ", fmt.Sprintf("%s: %s to %s.%s", p.Name, p.Low, p.High, sentence(p.Doc)))
	}
	if a.Who != "" {
		w.paragraph("    ", "Every seat may do it for which "+a.Who+".")
	}
	if a.When != "" {
		w.paragraph("    ", "Legal when "+a.When+".")
	}
	for _, r := range a.Refuse {
		when := "Otherwise"
		if r.If != "" {
			when = "If not, and " + r.If + ","
		}
		w.paragraph("    ", when+" the player reads: "+r.Say)
	}
	if a.Secret {
		w.paragraph("    ", "Whether it is legal depends on what only its player sees, so others are not told.")
	}
}

// Usage says how an action is typed, such as bid QUANTITY FACE.
func Usage(a rules.ActionDescription) string {
	text := a.Name
	for _, p := range a.Params {
		text += " " + strings.ToUpper(p.Name)
	}
	return text
}

func seats(s [2]int) string {
	if s[0] == s[1] {
		return fmt.Sprintf("%d seats", s[0])
	}
	return fmt.Sprintf("%d to %d seats", s[0], s[1])
}

// said is a value of an option as people write it.
func said(value any) string {
	switch value {
	case true:
		return "yes"
	case false:
		return "no"
	}
	return fmt.Sprint(value)
}

// sentence makes a sentence of a doc, to stand after another one.
func sentence(doc string) string {
	if doc == "" {
		return ""
	}
	if !strings.ContainsAny(doc[len(doc)-1:], ".!?") {
		doc += "."
	}
	return " " + strings.ToUpper(doc[:1]) + doc[1:]
}
