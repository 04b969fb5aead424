package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fatih/color"

	"dudo.example/rules"
	"dudo.example/rules/study"
)

// write tells people what came of a check: faults and notes on errs, the rest on out.
func (r *checked) write(out, errs io.Writer, f *rules.File) error {
	for _, fault := range r.Faults {
		fmt.Fprintln(errs, fault.text)
	}
	if f == nil {
		return nil
	}
	fmt.Fprintf(out, "%s: %s\n  %s\n  %d to %d seats, %s, %s, sha256 %s\n", r.File, f.Game, f.Title, f.MinSeats, f.MaxSeats,
		plural(len(f.Options), "option"), plural(r.Examples, "example"), f.Digest)
	for _, order := range r.Orders {
		fmt.Fprintf(out, "%s\n", order)
	}
	if len(r.Walked) > 0 {
		fmt.Fprintf(out, "walked %s of the game: %s\n", plural(len(r.Walked), "small instance"), r.Walked[0])
		if n := len(r.Walked) - 1; n > 0 {
			fmt.Fprintf(out, "  and %d more, the last %s\n", n, r.Walked[n])
		}
	}
	if r.Summary != nil {
		writeSummary(out, r.Summary)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(errs, "%s %s\n", color.YellowString("note:"), note)
	}
	if len(r.Faults) > 0 {
		return nil
	}
	_, err := fmt.Fprintln(out, color.GreenString("✓ no faults"))
	return err
}

func writeSummary(out io.Writer, s *study.Summary) {
	ways := "every number of seats and preset, and every option at its least and greatest"
	if s.Untried > 0 {
		ways = strings.Join(s.Settings, "; ")
	}
	fmt.Fprintf(out, "%s of random moves, with %s:\n", plural(s.Games, "game"), ways)
	fmt.Fprintf(out, "  moves a game: %d to %d, in the middle %d\n", s.Moves.Least, s.Moves.Greatest, s.Moves.Median)
	fmt.Fprintf(out, "  ended: %s\n", counts(s.Ends))
	fmt.Fprintf(out, "  taken: %s\n", counts(append(slices.Clone(s.Actions), study.Count{What: "a timeout", N: s.Timeouts})))
}

func counts(list []study.Count) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = fmt.Sprintf("%s %d", c.What, c.N)
	}
	return strings.Join(words, ", ")
}

func instanceText(in rules.Instance) string {
	text := plural(in.Seats, "seat")
	if in.Preset != "" {
		text += " and preset " + in.Preset
	}
	if in.Whole {
		return fmt.Sprintf("%s, all %s", text, plural(in.Positions, "position"))
	}
	return fmt.Sprintf("%s, the first %s", text, plural(in.Positions, "position"))
}

// orderTexts says how the file's orders of bids are classified, with the most seats, by default and with every preset that makes
// a difference.
func orderTexts(f *rules.File) ([]string, error) {
	texts := []string{}
	for _, p := range append([]rules.Preset{{}}, f.Presets...) {
		options, err := f.WithPreset(p.Name, nil)
		if err != nil {
			return nil, err
		}
		orders, err := f.Orders(f.MaxSeats, options)
		if err != nil {
			return nil, err
		}
		for _, o := range orders {
			if text := orderText(o); !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts, nil
}

func orderText(o rules.Order) string {
	class := "total and transitive"
	switch {
	case !o.Total && !o.Transitive:
		class = "neither total nor transitive"
	case !o.Total:
		class = "transitive, not total"
	case !o.Transitive:
		class = "total, not transitive"
	}
	text := fmt.Sprintf("%s() orders %s without a circle, %s", o.Function, plural(o.Bids, "bid"), class)
	if len(o.Witnesses) > 0 {
		text += ": " + strings.Join(o.Witnesses, "; ")
	}
	return text
}
