package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
)

// typed does what a person typed. done is false if it was no move.
func (h *hotSeat) typed(seat int, line string) (done bool, err error) {
	switch line {
	case "":
		return false, nil
	case "?", "help":
		for _, text := range h.legal(seat) {
			h.say("  %s", text)
		}
		return false, nil
	case "timeout":
		turn := h.p.Turn().Seat
		if err := h.p.Timeout(); errors.Is(err, machine.ErrNoTimeout) {
			h.say("No clock runs in this phase.")
			return false, nil
		} else if err != nil {
			return false, err
		}
		h.note(fmt.Sprintf("seat %d: timeout", turn))
		h.tell()
		return true, nil
	}
	if before, rest, ok := strings.Cut(line, ":"); ok {
		seat, line = h.personsSeat(before), rest
	}
	if seat == machine.None {
		return false, &machine.Refusal{Sentence: fmt.Sprintf("Only seats of people move by hand, 0 to %d.", h.people-1)}
	}
	move, err := h.move(seat, strings.Fields(strings.NewReplacer("×", " ", ",", " ").Replace(line)))
	if err != nil {
		return false, err
	}
	return true, h.act(seat, move)
}

// personsSeat reads the number of a seat that a person sits at; it is machine.None for anything else.
func (h *hotSeat) personsSeat(text string) int {
	for seat := range h.people {
		if strings.TrimSpace(text) == strconv.Itoa(seat) {
			return seat
		}
	}
	return machine.None
}

// move reads an action and its numbers, or the numbers alone of the only action that takes so many.
func (h *hotSeat) move(seat int, words []string) (machine.Move, error) {
	unclear := &machine.Refusal{Sentence: fmt.Sprintf("Type a move: you can %s. ? lists all that is legal.", h.choices(seat))}
	var args []int
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil && i > 0 {
			return 0, unclear
		}
		if err == nil {
			args = append(args, n)
		}
	}
	if len(words) == 0 {
		return 0, unclear
	}
	name := words[0]
	if len(args) == len(words) {
		name = ""
		for _, a := range h.open(seat) {
			if len(a.Params) == len(args) && name != "" {
				return 0, unclear
			} else if len(a.Params) == len(args) {
				name = a.Name
			}
		}
	}
	if _, ok := h.p.FindAction(name); !ok {
		return 0, unclear
	}
	return h.p.Move(name, args...)
}

// open are the actions of which a seat has a legal move.
func (h *hotSeat) open(seat int) (list []*machine.Action) {
	var set machine.MoveSet
	h.p.Legal(seat, &set)
	for m := range set.All() {
		if a, _, _ := h.p.Game().Action(m); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	return list
}

func (h *hotSeat) legal(seat int) (list []string) {
	var set machine.MoveSet
	h.p.Legal(seat, &set)
	for m := range set.All() {
		list = append(list, h.p.Game().Text(m))
	}
	return list
}

// choices says what a seat can do, such as bid QUANTITY FACE (36 ways) or challenge.
func (h *hotSeat) choices(seat int) string {
	all := h.legal(seat)
	var list []string
	for _, a := range h.open(seat) {
		ways := 0
		for _, text := range all {
			if name, _, _ := strings.Cut(text, " "); name == a.Name {
				ways++
			}
		}
		text := a.Name
		for _, p := range a.Params {
			text += " " + strings.ToUpper(p.Name)
		}
		if len(a.Params) > 0 {
			text += fmt.Sprintf(" (%s)", plural(ways, "way"))
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return "do nothing now; another seat can, as in 1:challenge"
	}
	return strings.Join(list, " or ")
}
