package tools

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"dudo.example/core/machine"
	"dudo.example/mcpserver/tables"
)

// arguments are the values that were given, by name: string, int64, bool, []string, members of an object, or JSON text that is
// still to be read. What is absent is not in it.
type arguments map[string]any

func (a arguments) text(name string) string { s, _ := a[name].(string); return s }

func (a arguments) integer(name string, absent int64) int64 {
	if n, ok := a[name].(int64); ok {
		return n
	}
	return absent
}

func (a arguments) boolean(name string, absent bool) bool {
	if b, ok := a[name].(bool); ok {
		return b
	}
	return absent
}

func (a arguments) list(name string) []string { l, _ := a[name].([]string); return l }

func (a arguments) object(name string) map[string]json.RawMessage {
	o, _ := a[name].(map[string]json.RawMessage)
	return o
}

func badArgument(sentence string) error {
	return &tables.Refusal{Code: machine.CodeBadArgument, Sentence: sentence}
}

// read checks what a caller sent as the tool's arguments: JSON text, or values decoded from it. Its errors are refusals.
func (t *tool) read(sent any) (arguments, error) {
	raw, ok := sent.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = json.Marshal(sent); err != nil {
			return nil, badArgument("The arguments must be a JSON object.")
		}
	}
	var members map[string]json.RawMessage // null and nothing give none
	if len(raw) > 0 && json.Unmarshal(raw, &members) != nil {
		return nil, badArgument("The arguments must be a JSON object.")
	}
	for name := range members {
		if !slices.ContainsFunc(t.args, func(a argument) bool { return a.name == name }) &&
			!slices.ContainsFunc(t.hidden, func(a argument) bool { return a.name == name }) {
			return nil, badArgument(t.takes())
		}
	}
	given := arguments{}
	for _, a := range slices.Concat(t.args, t.hidden) {
		if raw, ok := members[a.name]; a.raw {
			if ok {
				given[a.name] = raw
			}
			continue
		}
		v, ok := a.value(members[a.name])
		switch {
		case !ok:
			return nil, badArgument(a.name + " must be " + a.wants() + ".")
		case v != nil:
			given[a.name] = v
		case a.required:
			return nil, badArgument(t.name + " needs " + a.name + ": " + a.wants() + ".")
		}
	}
	return given, nil
}

func (t *tool) takes() string {
	if len(t.args) == 0 {
		return t.name + " takes no arguments."
	}
	known := make([]string, len(t.args))
	for i := range t.args {
		known[i] = t.args[i].name
	}
	return t.name + " takes only " + enumerate(known, "and") + "."
}

// value reads one value; it is nil for an absent one.
func (a *argument) value(raw json.RawMessage) (v any, ok bool) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return nil, true
	}
	switch a.kind {
	case integer:
		n, ok := number(scalar(raw))
		return n, ok && a.low <= n && n <= a.high
	case boolean:
		s := scalar(raw)
		return s == "true", s == "true" || s == "false"
	case choice:
		s, ok := str(raw)
		return s, ok && slices.Contains(a.names, s)
	case botList:
		return a.bots(raw)
	case object:
		return members(raw)
	case text:
		return str(raw)
	default:
		return nil, false
	}
}

// bots reads a number of bots, which are all of the first name, or names: in a list or in a string with commas.
func (a *argument) bots(raw json.RawMessage) (any, bool) {
	if n, ok := number(scalar(raw)); ok {
		if n < a.low || n > a.high {
			return nil, false
		}
		return slices.Repeat(a.names[:1], int(n)), true
	}
	var names []string
	if s, ok := str(raw); ok {
		for name := range strings.SplitSeq(s, ",") {
			names = append(names, strings.TrimSpace(name))
		}
	} else if json.Unmarshal(raw, &names) != nil {
		return nil, false
	}
	unknown := func(name string) bool { return !slices.Contains(a.names, name) }
	if int64(len(names)) > a.high || slices.ContainsFunc(names, unknown) {
		return nil, false
	}
	return append([]string{}, names...), true // none is not the same as absent
}

// members reads an object, also one that was sent as its JSON text.
func members(raw json.RawMessage) (map[string]json.RawMessage, bool) {
	var m map[string]json.RawMessage
	err := json.Unmarshal([]byte(scalar(raw)), &m)
	return m, err == nil && m != nil
}

func str(raw json.RawMessage) (string, bool) {
	var s string
	if raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// scalar gives a number, true or false as text, whether it was sent as that or in a string.
func scalar(raw json.RawMessage) string {
	if s, ok := str(raw); ok {
		return s
	}
	return string(raw)
}

// number reads an integer from a decimal number without a fraction, such as 2, 2.0 or 2e0.
func number(s string) (int64, bool) {
	if len(s) > 32 || strings.Trim(s, "+-.eE0123456789") != "" {
		return 0, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= 1<<53 {
		return 0, false
	}
	return int64(f), true
}
