package study

import (
	"fmt"
	"strings"

	"dudo.example/core/machine"
)

// Seen says in words what a viewer may know of a position, a line a variable: a seat, or machine.None for a spectator. What the
// viewer does not see is told as hidden.
func Seen(p *machine.Position, viewer int) []string {
	g := p.Game()
	known := map[[2]int][]int{}
	for _, s := range p.View(viewer).Shown {
		known[[2]int{s.Var, max(s.Owner, 0)}] = s.Values
	}
	return lines(g, func(variable, owner int) ([]int, bool) {
		values, ok := known[[2]int{variable, owner}]
		return values, ok
	})
}

// Whole says in words all that there is in a position, whoever may see it.
func Whole(p *machine.Position) []string {
	return lines(p.Game(), func(variable, owner int) ([]int, bool) { return p.Values(variable, owner), true })
}

// lines gives a line a variable; the fields of a record share one.
func lines(g *machine.Game, values func(variable, owner int) ([]int, bool)) []string {
	var list []string
	before := ""
	for i := range g.Vars {
		v := &g.Vars[i]
		owners := 1
		if v.PerSeat {
			owners = g.Seats
		}
		texts := make([]string, owners)
		for owner := range owners {
			texts[owner] = "hidden"
			if list, ok := values(i, owner); ok {
				texts[owner] = valueText(v, list)
			}
		}
		text := strings.Join(texts, ", ")
		record, field, isField := strings.Cut(v.Label(), ".")
		switch {
		case isField && record == before:
			list[len(list)-1] += "; " + named(field, text)
		case isField:
			list = append(list, record+": "+named(field, text))
		default:
			list = append(list, v.Label()+": "+text)
		}
		before = record
	}
	return list
}

// named joins a name and a value: found 3, loser seat 1, and bid seat 1 rather than bid seat seat 1.
func named(name, value string) string {
	if strings.HasSuffix(name, "seat") {
		value = strings.TrimPrefix(value, "seat ")
	}
	return name + " " + value
}

// valueText is what a variable of one owner holds.
func valueText(v *machine.Var, values []int) string {
	switch {
	case v.Zone > 0:
		return fmt.Sprint(values)
	case v.Kind == machine.KindBool:
		return yesNo(values[0] != 0)
	case v.Kind == machine.KindSeat && values[0] == machine.None:
		return "none"
	case v.Kind == machine.KindSeat:
		return fmt.Sprintf("seat %d", values[0])
	}
	return fmt.Sprint(values[0])
}

// Told says in words what the last move or draw made public: what it revealed, and the facts that the rules tell.
func Told(p *machine.Position) []string {
	var list []string
	for _, e := range p.Effects() {
		switch {
		case e.Var < 0:
			list = append(list, named(strings.ReplaceAll(e.Name, ".", " "), valueText(&machine.Var{Kind: e.Kind}, e.Values)))
		case e.Owner == machine.None:
			list = append(list, named(p.Game().Vars[e.Var].Label(), valueText(&p.Game().Vars[e.Var], e.Values)))
		default:
			list = append(list, fmt.Sprintf("%s of seat %d %s", p.Game().Vars[e.Var].Label(), e.Owner, valueText(&p.Game().Vars[e.Var], e.Values)))
		}
	}
	return list
}

// Ended says in words how a game ended.
func Ended(p *machine.Position) string {
	text := "the game is over"
	if p.Ending() == machine.Limit {
		text = "the game reached its limit of moves"
	}
	for i, place := range p.Places() {
		text += fmt.Sprintf("; seat %d is in place %d", i, place)
	}
	for i, pay := range p.Payoffs() {
		text += fmt.Sprintf("; seat %d gets %+d", i, pay)
	}
	return text
}
