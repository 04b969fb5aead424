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
	list = append(alone(x, y, a.Name), alone(y, x, b.Name)...)
	for _, d := range x {
		if other, ok := find(y, d); ok && other != d.says {
			list = append(list, fmt.Sprintf("%s: %s in %s, %s in %s", d, d.says, a.Name, other, b.Name))
		}
	}
	return list
}

// alone says what of a list is not in another, a sentence a kind.
func alone(list, other []declaration, name string) (sentences []string) {
	kind := ""
	for _, d := range list {
		switch _, ok := find(other, d); {
		case ok:
		case d.kind == kind:
			sentences[len(sentences)-1] += ", " + d.name
		default:
			kind = d.kind
			sentences = append(sentences, fmt.Sprintf("in %s alone: %s", name, d))
		}
	}
	return sentences
}

// declaration is something that a file declares, and what it says of it.
type declaration struct{ kind, name, says string }

func (d declaration) String() string { return strings.TrimSpace("the " + d.kind + " " + d.name) }

func find(list []declaration, d declaration) (says string, ok bool) {
	for _, other := range list {
		if other.kind == d.kind && other.name == d.name {
			return other.says, true
		}
	}
	return "", false
}

func declarations(d rules.Description) (list []declaration) {
	add := func(kind, name, says string) { list = append(list, declaration{kind, name, says}) }
	add("number of seats", "", fmt.Sprintf("%d to %d", d.Seats[0], d.Seats[1]))
	add("most moves of a game", "", fmt.Sprint(d.MoveLimit))
	for _, o := range d.Options {
		says := "a switch"
		if o.Low != nil {
			says = fmt.Sprintf("%d to %d", *o.Low, *o.High)
		}
		add("option", o.Name, fmt.Sprintf("%s, %v by default", says, o.Default))
	}
	for _, p := range d.Presets {
		add("preset", p.Name, fmt.Sprint(p.Options))
	}
	for _, v := range d.State {
		says := v.Holds
		if v.EachSeat {
			says += ", of each seat"
		}
		add("variable", v.Name, says+", seen by "+v.SeenBy)
	}
	for _, ph := range d.Phases {
		add("phase", ph.Name, strings.Join(ph.Draws, "; ")+ph.Turn)
	}
	for _, ph := range d.Phases {
		for _, a := range ph.Actions {
			params := make([]string, len(a.Params))
			for i, p := range a.Params {
				params[i] = p.Name
			}
			add("action", a.Name+" in "+ph.Name, strings.Join(append([]string{a.Name}, params...), " "))
		}
	}
	return list
}
