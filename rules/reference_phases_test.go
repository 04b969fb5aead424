package rules_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// drawing is how far a phase of chance is.
type drawing struct {
	item, seat, done, count int
}

func (r *reference) phaseOf(name string) any { return get(get(r.file, "phases"), name) }

func (r *reference) draws() []any {
	list, _ := get(r.phaseOf(r.phase), "chance").([]any)
	return list
}

// enter goes to a phase, and on through phases of chance that have nothing to draw.
func (r *reference) enter(phase string) error {
	for range 100 {
		r.phase = phase
		if len(r.draws()) == 0 {
			return nil
		}
		for _, d := range r.draws() {
			err := r.owners(word(get(d, "into")), func(o owner) error {
				if yes, err := r.about(o.seat, get(d, "when")); !yes || err != nil {
					return err
				}
				delete(r.shown, fmt.Sprint(o.name(), " ", o.seat))
				if o.h.fields[o.field].list > 0 {
					return o.write([]int{})
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		r.draw = drawing{seat: -2}
		if more, err := r.seek(); more || err != nil {
			return err
		}
		to, err := r.steps(get(r.phaseOf(r.phase), "then"))
		if err != nil || to == "end" {
			return err
		}
		phase = to
	}
	return errors.New("the phases go round")
}

// about evaluates a condition about a seat, or about none.
func (r *reference) about(seat int, condition any) (yes bool, err error) {
	err = r.with([]string{"seat"}, []any{seat}, func() error {
		yes, err = r.truth(word(condition))
		return err
	})
	return yes, err
}

// seek finds the next draw, after that for r.draw.seat of r.draw.item.
func (r *reference) seek() (more bool, err error) {
	last := r.draw
	for item, d := range r.draws() {
		found := false
		err := r.owners(word(get(d, "into")), func(o owner) error {
			if found || item < last.item || (item == last.item && o.seat <= last.seat) {
				return nil
			}
			yes, err := r.about(o.seat, get(d, "when"))
			if err != nil || !yes {
				return err
			}
			count := 1
			if text := word(get(d, "count")); text != "" {
				if err := r.with([]string{"seat"}, []any{o.seat}, func() (err error) { count, err = r.int(text); return err }); err != nil {
					return err
				}
			}
			room := 1
			if size := o.h.fields[o.field].list; size > 0 {
				room = size - len(o.values())
			}
			if count < 0 || count > room {
				return fmt.Errorf("%d draws into %s, which has room for %d", count, o.name(), room)
			}
			if name, ok := get(d, "from").(string); ok && count > 0 {
				from, err := r.one(name)
				if err != nil {
					return err
				}
				if held := len(from.values()); count > held {
					return fmt.Errorf("%d draws from %s, which holds %d", count, name, held)
				}
			}
			found = count > 0
			r.draw = drawing{item: item, seat: o.seat, count: count}
			return nil
		})
		if found || err != nil {
			return found, err
		}
	}
	r.draw = drawing{}
	return false, nil
}

// outcomes are the values that the next draw can have.
func (r *reference) outcomes() (list []int, err error) {
	d := r.draws()[r.draw.item]
	if _, ok := get(d, "from").([]any); !ok {
		from, err := r.one(word(get(d, "from")))
		return from.values(), err
	}
	low, high, err := r.bounds(get(d, "from"))
	for x := low; x <= high; x++ {
		list = append(list, x)
	}
	return list, err
}

// chance takes the outcome of that number.
func (r *reference) chance(k int) error {
	r.effects = nil
	list, err := r.outcomes()
	if err != nil {
		return err
	}
	d := r.draws()[r.draw.item]
	if name, ok := get(d, "from").(string); ok {
		from, err := r.one(name)
		if err != nil {
			return err
		}
		if err := from.write(slices.Delete(from.values(), k, k+1)); err != nil {
			return err
		}
	}
	into := owner{}
	err = r.owners(word(get(d, "into")), func(o owner) error {
		if o.seat == r.draw.seat {
			into = o
		}
		return nil
	})
	if err != nil {
		return err
	}
	if into.h.fields[0].list == 0 {
		err = into.write(list[k])
	} else {
		err = into.write(append(into.values(), list[k]))
	}
	if r.draw.done++; err != nil || r.draw.done < r.draw.count {
		return err
	}
	if yes(get(d, "sort")) {
		if err := into.write(slices.Sorted(slices.Values(into.values()))); err != nil {
			return err
		}
	}
	if more, err := r.seek(); more || err != nil {
		return err
	}
	return r.follow(get(r.phaseOf(r.phase), "then"))
}

// follow does steps and enters the phase that they go to.
func (r *reference) follow(list any) error {
	to, err := r.steps(list)
	if err != nil || to == "" || to == "end" {
		return err
	}
	return r.enter(to)
}

// turn is the seat whose turn it is.
func (r *reference) turn() (int, error) { return r.int(word(get(r.phaseOf(r.phase), "turn"))) }

// act makes a move that is legal.
func (r *reference) act(seat int, move string) error {
	action, names, values := r.action(move)
	return r.finish(append(names, "me"), append(values, seat), get(action, "do"))
}

func (r *reference) timeout() error {
	seat, err := r.turn()
	if err != nil {
		return err
	}
	return r.finish([]string{"me"}, []any{seat}, get(r.phaseOf(r.phase), "timeout"))
}

func (r *reference) finish(names []string, values []any, do any) error {
	r.effects = nil
	if err := r.with(names, values, func() error { return r.follow(do) }); err != nil {
		return err
	}
	if r.moves++; r.moves >= r.limit() && r.ending == "" {
		r.ending = "limit"
	}
	return nil
}

// limit is the most moves of a game.
func (r *reference) limit() int {
	limit := 1000
	_, _ = fmt.Sscan(word(get(get(r.file, "limits"), "moves")), &limit)
	return limit
}

// action finds the action of a move such as "bid 3 5", the names of its parameters and their values.
func (r *reference) action(move string) (action any, names []string, values []any) {
	words := strings.Fields(move)
	action = get(get(r.phaseOf(r.phase), "actions"), words[0])
	for i, p := range entries(get(action, "params")) {
		var x int
		_, _ = fmt.Sscan(words[i+1], &x)
		names, values = append(names, p.name), append(values, x)
	}
	return action, names, values
}

// legal lists the moves that a seat may make. An expression that fails means no.
func (r *reference) legal(seat int) (list []string) {
	if r.ending != "" || len(r.draws()) > 0 {
		return nil
	}
	for _, a := range entries(get(r.phaseOf(r.phase), "actions")) {
		open, err := r.open(seat, a.value)
		if err != nil || !open {
			continue
		}
		r.arguments(entries(get(a.value, "params")), a.name, func(move string) {
			if yes, err := r.allowed(seat, move); yes && err == nil {
				list = append(list, move)
			}
		})
	}
	return list
}

// open says whether an action is one that the seat may take now, its guard aside.
func (r *reference) open(seat int, action any) (bool, error) {
	if get(action, "who") != nil {
		return r.about(seat, get(action, "who"))
	}
	turn, err := r.turn()
	return turn == seat, err
}

// arguments calls do with the action and every tuple of arguments within their bounds.
func (r *reference) arguments(params []entry, move string, do func(move string)) {
	if len(params) == 0 {
		do(move)
		return
	}
	pair := params[0].value
	if bounds := get(pair, "int"); bounds != nil {
		pair = bounds
	}
	low, high, err := r.bounds(pair)
	if err != nil {
		return
	}
	for x := low; x <= high; x++ {
		r.arguments(params[1:], fmt.Sprint(move, " ", x), do)
	}
}

// allowed asks the guard of a move that is within its bounds.
func (r *reference) allowed(seat int, move string) (yes bool, err error) {
	action, names, values := r.action(move)
	err = r.with(append(names, "me"), append(values, seat), func() error {
		yes, err = r.truth(word(get(action, "when")))
		return err
	})
	return yes, err
}

var braces = regexp.MustCompile(`\{[^}]*\}`)

// refusal is the sentence for a player whom the guard stops: the only one, or the first of a list whose condition holds.
func (r *reference) refusal(seat int, move string) (sentence string, err error) {
	action, names, values := r.action(move)
	if get(action, "refuse") == nil {
		return "That move is not legal now; use one listed under legal.", nil
	}
	err = r.with(append(names, "me"), append(values, seat), func() (err error) {
		text := word(get(action, "refuse"))
		list, _ := get(action, "refuse").([]any)
		for _, choice := range list {
			yes, err := r.truth(word(get(choice, "if")))
			if err != nil {
				return err
			}
			if text = word(get(choice, "say")); yes {
				break
			}
		}
		sentence = braces.ReplaceAllStringFunc(text, func(part string) string {
			x, fault := r.eval(strings.Trim(part, "{}"))
			if fault != nil {
				err = fault
			}
			return fmt.Sprint(x)
		})
		return err
	})
	return sentence, err
}

// view lists what a viewer sees, such as "hand 1 [2 3]"; -1 is a spectator.
func (r *reference) view(viewer int) (list []string, err error) {
	err = r.everything(func(o owner) error {
		sees := r.shown[fmt.Sprint(o.name(), " ", o.seat)]
		switch o.h.see {
		case "", "all":
			sees = true
		case "none":
		case "owner":
			sees = sees || viewer == o.seat
		default:
			if sees {
				break
			}
			who := viewer
			if who < 0 {
				who = -2 // a spectator equals no seat and not none
			}
			if err := r.with([]string{"viewer", "owner"}, []any{who, max(o.seat, 0)}, func() (err error) { sees, err = r.truth(o.h.see); return err }); err != nil {
				return err
			}
		}
		if sees {
			list = append(list, fact("", o.name(), o.seat, o.values()))
		}
		return nil
	})
	return list, err
}

// everything goes through all owners of all variables in the order of the file.
func (r *reference) everything(do func(o owner) error) error {
	for _, h := range r.vars {
		if err := r.owners(h.name, do); err != nil {
			return err
		}
	}
	return nil
}

// result is the place or the payoff of each seat.
func (r *reference) result(key string) (list []int, err error) {
	text := word(get(get(r.file, "result"), key))
	if text == "" {
		return nil, nil
	}
	for seat := range r.seats {
		err := r.with([]string{"seat"}, []any{seat}, func() error {
			x, err := r.int(text)
			list = append(list, x)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
