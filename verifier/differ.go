package verifier

import (
	"slices"
	"strings"

	"dudo.example/core/record"
)

// difference is the first member in which two events differ.
type difference struct {
	member    string // a path such as hc.1; empty if there is none
	want, got string
}

// differ compares a line with what must stand there. The type is compared first, then the number, then the time.
func differ(want, got record.Line) difference {
	w, err := record.ParseObject(want)
	if err != nil {
		return difference{}
	}
	g, err := record.ParseObject(got)
	if err != nil {
		return difference{}
	}
	for _, name := range []string{"type", "n", "t"} {
		a, _ := w.Get(name)
		b, _ := g.Get(name)
		if d := differValues(name, a, b); d.member != "" {
			return d
		}
	}
	return differObjects("", w, g)
}

func differObjects(path string, want, got record.Object) difference {
	names := make([]string, 0, len(want)+len(got))
	for _, m := range want {
		names = append(names, m.Name)
	}
	for _, m := range got {
		if _, ok := want.Get(m.Name); !ok {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		a, inWant := want.Get(name)
		b, inGot := got.Get(name)
		at := name
		if path != "" {
			at = path + "." + name
		}
		switch {
		case !inWant:
			return difference{at, "nothing", valueText(b)}
		case !inGot:
			return difference{at, valueText(a), "nothing"}
		}
		x, isObject := a.(record.Object)
		y, alsoObject := b.(record.Object)
		if isObject && alsoObject {
			if d := differObjects(at, x, y); d.member != "" {
				return d
			}
			continue
		}
		if d := differValues(at, a, b); d.member != "" {
			return d
		}
	}
	return difference{}
}

// differValues compares values as they stand in a line, where 1 and "1" are not the same.
func differValues(at string, want, got record.Value) difference {
	s, t := written(want), written(got)
	if s == t {
		return difference{}
	}
	if valueText(want) != valueText(got) {
		s, t = valueText(want), valueText(got)
	}
	return difference{at, s, t}
}

// valueText writes a value as it stands in a line; a string without its quotes.
func valueText(v record.Value) string {
	if s, ok := v.(string); ok {
		return s
	}
	return written(v)
}

// written writes a value as it stands in a line.
func written(v record.Value) string {
	line := string(record.Object{{Name: "", Value: v}}.Encode())
	return strings.TrimSuffix(strings.TrimPrefix(line, `{"":`), "}")
}
