package rules_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// steps does a list of steps. It gives the phase that they go to, "end" after an end, or nothing.
func (r *reference) steps(list any) (to string, err error) {
	names := map[string]any{} // what lets hid
	defer func() {
		for name, old := range names {
			if r.env[name] = old; old == nil {
				delete(r.env, name)
			}
		}
	}()
	items, _ := list.([]any)
	for _, item := range items {
		for _, e := range entries(get(item, "let")) {
			value, err := r.eval(word(e.value))
			if err != nil {
				return "", err
			}
			if _, ok := names[e.name]; !ok {
				names[e.name] = r.env[e.name]
			}
			r.env[e.name] = value
		}
		if to, err := r.step(item); to != "" || err != nil {
			return to, err
		}
	}
	return "", nil
}

func (r *reference) step(item any) (to string, err error) {
	first := entries(item)[0]
	switch first.name {
	case "let":
		return "", nil
	case "set":
		return "", r.set(entries(first.value))
	case "if":
		yes, err := r.truth(word(first.value))
		switch {
		case err != nil:
			return "", err
		case yes:
			return r.steps(get(item, "then"))
		default:
			return r.steps(get(item, "else"))
		}
	case "each":
		return r.each(word(first.value), item)
	case "call":
		return r.call(word(first.value))
	case "goto":
		return word(first.value), nil
	case "end":
		r.ending = "finished"
		return "end", nil
	case "move":
		return "", r.move(first.value)
	case "clear":
		return "", r.owners(word(first.value), func(o owner) error { return o.write([]int{}) })
	case "reveal", "hide":
		return "", r.owners(word(first.value), func(o owner) error {
			key := fmt.Sprint(o.name(), " ", o.seat)
			if r.shown[key] = first.name == "reveal"; r.shown[key] && len(o.values()) > 0 {
				r.effects = append(r.effects, fact("shows ", o.name(), o.seat, o.values()))
			}
			return nil
		})
	case "emit":
		return "", r.emit(entries(first.value))
	}
	return "", fmt.Errorf("no step %s", first.name)
}

func (r *reference) each(name string, item any) (to string, err error) {
	for seat := range r.seats {
		err := r.with([]string{name}, []any{seat}, func() error {
			yes, err := r.truth(word(get(item, "when")))
			if yes && err == nil {
				to, err = r.steps(get(item, "do"))
			}
			return err
		})
		if to != "" || err != nil {
			return to, err
		}
	}
	return "", nil
}

func (r *reference) call(text string) (to string, err error) {
	name, texts := parseCall(text)
	var args []any
	for _, text := range texts {
		x, err := r.eval(text)
		if err != nil {
			return "", err
		}
		args = append(args, x)
	}
	for _, p := range entries(get(r.file, "procedures")) {
		declared, params := parseSignature(p.name)
		if declared != name {
			continue
		}
		err := r.with(params, args, func() (err error) {
			to, err = r.steps(p.value)
			return err
		})
		return to, err
	}
	return "", fmt.Errorf("no procedure %s", name)
}

// parseCall splits name(a, b) at the commas that stand in no bracket.
func parseCall(text string) (name string, args []string) {
	name, rest, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	depth, from := 0, 0
	for i, c := range rest + "," {
		switch {
		case strings.ContainsRune("([", c):
			depth++
		case strings.ContainsRune(")]", c):
			depth--
		case c == ',' && depth == 0:
			if arg := strings.TrimSpace(rest[from:i]); arg != "" {
				args = append(args, arg)
			}
			from = i + 1
		}
	}
	return name, args
}

// owner is what holds a value: a field of a variable, of one seat or of none.
type owner struct {
	r     *reference
	h     *holder
	field int
	seat  int // -1 for a variable that belongs to no seat
}

func (o owner) name() string {
	if f := o.h.fields[o.field].name; f != "" {
		return o.h.name + "." + f
	}
	return o.h.name
}

// read gives what the owner holds.
func (o owner) read() any {
	x := o.r.env[o.h.name]
	if o.seat >= 0 {
		x = x.([]any)[o.seat]
	}
	if f := o.h.fields[o.field].name; f != "" {
		return x.(map[string]any)[f]
	}
	return x
}

// values gives the same as integers.
func (o owner) values() []int {
	switch x := o.read().(type) {
	case []int:
		return slices.Clone(x)
	case bool:
		return []int{b2i(x)}
	default:
		return []int{x.(int)}
	}
}

// write checks bounds and writes.
func (o owner) write(value any) error {
	f := o.h.fields[o.field]
	list, _ := value.([]int)
	switch x := value.(type) {
	case bool:
		if !f.bool {
			return fmt.Errorf("%s = %v", o.name(), x)
		}
	case int:
		list = []int{x}
		if f.bool || f.list > 0 {
			return fmt.Errorf("%s = %v", o.name(), x)
		}
	}
	if len(list) > max(f.list, 1) || (f.list == 0 && value == nil) {
		return fmt.Errorf("%s: %w: %v", o.name(), errOutside, value)
	}
	for _, x := range list {
		if x < f.low || x > f.high {
			return fmt.Errorf("%s: %w: %v", o.name(), errOutside, value)
		}
	}
	switch {
	case f.name != "" && o.seat >= 0:
		o.r.env[o.h.name].([]any)[o.seat].(map[string]any)[f.name] = value
	case f.name != "":
		o.r.env[o.h.name].(map[string]any)[f.name] = value
	case o.seat >= 0:
		o.r.env[o.h.name].([]any)[o.seat] = value
	default:
		o.r.env[o.h.name] = value
	}
	return nil
}

var target = regexp.MustCompile(`^(\w+)(?:\[(.+)\])?(?:\.(\w+))?$`)

// named gives what a text such as hand[me] or standing.face names: a variable, its fields, all if it names none, and the seat; all
// seats if it names none.
func (r *reference) named(text string) (h *holder, fields, seats []int, err error) {
	m := target.FindStringSubmatch(text)
	if m == nil {
		return nil, nil, nil, fmt.Errorf("no variable: %s", text)
	}
	i := slices.IndexFunc(r.vars, func(h *holder) bool { return h.name == m[1] })
	if i < 0 {
		return nil, nil, nil, fmt.Errorf("no variable %s", m[1])
	}
	h = r.vars[i]
	for i, f := range h.fields {
		if m[3] == "" || f.name == m[3] {
			fields = append(fields, i)
		}
	}
	seats = []int{-1}
	switch {
	case m[2] != "":
		seat, err := r.int(m[2])
		if err != nil || seat < 0 || seat >= r.seats {
			return nil, nil, nil, fmt.Errorf("%s: seat %d: %w", text, seat, errOutside)
		}
		seats = []int{seat}
	case h.perSeat:
		seats = slices.Clone(r.env["all_seats"].([]int))
	}
	return h, fields, seats, nil
}

// owners does something with all that a text names.
func (r *reference) owners(text string, do func(o owner) error) error {
	h, fields, seats, err := r.named(text)
	if err != nil {
		return err
	}
	for _, f := range fields {
		for _, seat := range seats {
			if err := do(owner{r, h, f, seat}); err != nil {
				return err
			}
		}
	}
	return nil
}

// one gives the single owner that a text names.
func (r *reference) one(text string) (found owner, err error) {
	n := 0
	err = r.owners(text, func(o owner) error {
		found = o
		n++
		return nil
	})
	if err == nil && n != 1 {
		err = fmt.Errorf("%s names %d", text, n)
	}
	return found, err
}

// set reads all values and then writes them.
func (r *reference) set(list []entry) error {
	type write struct {
		owner
		value any
	}
	var writes []write
	for _, e := range list {
		h, fields, seats, err := r.named(e.name)
		if err != nil {
			return err
		}
		for _, f := range fields {
			o := owner{r, h, f, seats[0]}
			text := word(e.value)
			if h.fields[f].name != "" && len(fields) > 1 {
				if text == "none" {
					writes = append(writes, write{o, h.fields[f].first})
					continue
				}
				text = word(get(e.value, h.fields[f].name))
			}
			value, err := r.eval(text)
			if err != nil {
				return err
			}
			writes = append(writes, write{o, value})
		}
	}
	for _, w := range writes {
		if err := w.write(w.value); err != nil {
			return err
		}
	}
	return nil
}

// move takes elements out of a list, from the front, and adds them to another.
func (r *reference) move(step any) error {
	from, err := r.one(word(get(step, "from")))
	if err != nil {
		return err
	}
	to, err := r.one(word(get(step, "to")))
	if err != nil {
		return err
	}
	if from == to {
		return fmt.Errorf("move from %s to itself", from.name())
	}
	list, count, value := from.values(), -1, 0
	if text := word(get(step, "count")); text != "" {
		if count, err = r.int(text); err != nil || count < 0 {
			return fmt.Errorf("move %d: %w", count, err)
		}
	}
	all := get(step, "value") == nil
	if !all {
		if value, err = r.int(word(get(step, "value"))); err != nil {
			return err
		}
	}
	taken, kept := to.values(), []int{}
	moved := 0
	for _, x := range list {
		if moved == count || (!all && x != value) {
			kept = append(kept, x)
			continue
		}
		moved++
		taken = append(taken, x)
	}
	if moved < count {
		return fmt.Errorf("%s has only %d", from.name(), moved)
	}
	if err := to.write(taken); err != nil {
		return err
	}
	return from.write(kept)
}

func (r *reference) emit(list []entry) error {
	for _, e := range list {
		if record, ok := r.env[word(e.value)].(map[string]any); ok {
			h := r.vars[slices.IndexFunc(r.vars, func(h *holder) bool { return h.name == word(e.value) })]
			for _, f := range h.fields {
				r.tell(e.name+"."+f.name, record[f.name])
			}
			continue
		}
		value, err := r.eval(word(e.value))
		if err != nil {
			return err
		}
		r.tell(e.name, value)
	}
	return nil
}

func (r *reference) tell(name string, value any) {
	n, ok := value.(int)
	if !ok {
		n = b2i(value.(bool))
	}
	r.effects = append(r.effects, fact("tells ", name, -1, []int{n}))
}

// fact writes something about an owner, such as "hand 1 [2 3]".
func fact(kind, name string, seat int, values []int) string {
	b := strconv.AppendInt([]byte(kind+name+" "), int64(seat), 10)
	b = append(b, " ["...)
	for i, x := range values {
		if i > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(x), 10)
	}
	return string(append(b, ']'))
}
