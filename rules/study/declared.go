package study

import (
	"fmt"
	"strings"

	"dudo.example/rules"
)

// declared says what differs in what two files declare, beside their words for people: seats, options, presets, state and
// actions.
func declared(a, b Side) (list []string) {
	if a.File.Digest == b.File.Digest {
		return nil
	}
	x, y := declarations(a.File.Describe()), declarations(b.File.Describe())
	for _, d := range x {
		other, ok := find(y, d.what)
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("%s is in %s alone", d.what, a.Name))
		case other != d.says:
			list = append(list, fmt.Sprintf("%s: %s in %s, %s in %s", d.what, d.says, a.Name, other, b.Name))
		}
	}
	for _, d := range y {
		if _, ok := find(x, d.what); !ok {
			list = append(list, fmt.Sprintf("%s is in %s alone", d.what, b.Name))
		}
	}
	return list
}

// declaration is something that a file declares, and what it says of it.
type declaration struct{ what, says string }

func find(list []declaration, what string) (says string, ok bool) {
	for _, d := range list {
		if d.what == what {
			return d.says, true
		}
	}
	return "", false
}

func declarations(d rules.Description) (list []declaration) {
	add := func(what, says string) { list = append(list, declaration{what, says}) }
	add("the number of seats", fmt.Sprintf("%d to %d", d.Seats[0], d.Seats[1]))
	for _, o := range d.Options {
		says := "a switch"
		if o.Low != nil {
			says = fmt.Sprintf("%d to %d", *o.Low, *o.High)
		}
		add("the option "+o.Name, fmt.Sprintf("%s, %v by default", says, o.Default))
	}
	for _, p := range d.Presets {
		add("the preset "+p.Name, fmt.Sprint(p.Options))
	}
	for _, v := range d.State {
		says := v.Holds
		if v.EachSeat {
			says += ", of each seat"
		}
		add("the variable "+v.Name, says+", seen by "+v.SeenBy)
	}
	for _, ph := range d.Phases {
		add("the phase "+ph.Name, strings.Join(ph.Draws, "; ")+ph.Turn)
		for _, a := range ph.Actions {
			params := make([]string, len(a.Params))
			for i, p := range a.Params {
				params[i] = p.Name
			}
			add(fmt.Sprintf("the action %s in the phase %s", a.Name, ph.Name), strings.Join(append([]string{a.Name}, params...), " "))
		}
	}
	add("the most moves of a game", fmt.Sprint(d.MoveLimit))
	return list
}
