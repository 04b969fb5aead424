package verifier_test

import (
	"bytes"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

// shortGames are the honest games under the standard rules without their examples, which keeps the records small.
func shortGames(t testing.TB) map[string][]record.Line {
	t.Helper()
	text, _, _ := strings.Cut(standardText(t), "\nexamples:")
	games := map[string][]record.Line{}
	for name, s := range bases {
		s.text = text + "\n"
		games[name] = playGame(t, s)
	}
	return games
}

// Whatever byte of a record is flipped, in an event or in the receipt, the record is refuted: neither accepted nor taken for
// something that is no record. It takes no key for that.
func TestEveryByteFlipped(t *testing.T) {
	v := newVerifier(t, verifier.Options{})
	for name, lines := range shortGames(t) {
		text := sign(lines)
		if r := verify(t, v, text); !r.Verified() {
			t.Fatalf("%s: %v", name, r.Failure)
		}
		step := 1
		if testing.Short() {
			step = 11
		}
		var all sync.WaitGroup
		for part := range runtime.NumCPU() {
			all.Go(func() {
				damaged := bytes.Clone(text)
				for i := part * step; i < len(text); i += step * runtime.NumCPU() {
					damaged[i] = text[i] ^ 1<<(i%8)
					r, err := v.Verify(bytes.NewReader(damaged))
					switch {
					case err != nil:
						t.Errorf("%s, byte %d is %02x instead of %02x: %v", name, i, damaged[i], text[i], err)
					case r.Verified():
						t.Errorf("%s, byte %d is %02x instead of %02x: verified", name, i, damaged[i], text[i])
					}
					damaged[i] = text[i]
				}
			})
		}
		all.Wait()
	}
}

// Whatever scalar is changed and the record signed anew, by the server itself, it is refuted unless the scalar is one of
// those that the package names.
func TestEveryScalarChanged(t *testing.T) {
	want := map[string]bool{} // by name, undealt ones with a mark
	for _, f := range verifier.FreeFields {
		want[mark(f.Name, f.Undealt)] = true
	}
	got := map[string]bool{}
	v := newVerifier(t, verifier.Options{Key: public()})
	for name, lines := range shortGames(t) {
		for i, line := range lines {
			kind := kindOf(t, line)
			for _, path := range optional(line, kind) {
				d := newDraft(t, lines)
				if _, there := d.lines[i].Get(path); there {
					d.drop(i, path)
				} else {
					d.put(i, path, record.Object{{Name: "name", Value: "x"}, {Name: "version", Value: "1"}, {Name: "sha256", Value: "ab"}})
				}
				r, err := v.Verify(bytes.NewReader(d.file()))
				if err != nil {
					t.Errorf("%s, event %d without %s, or with it: %v", name, i, path, err)
				} else if r.Verified() {
					got[kind+"."+path] = true
				}
			}
			for path, values := range scalars(t, line) {
				for _, value := range values {
					d := newDraft(t, lines)
					d.put(i, path, value)
					r, err := v.Verify(bytes.NewReader(d.file()))
					if err != nil {
						t.Errorf("%s, event %d, %s = %v: %v", name, i, path, value, err)
					} else if r.Verified() {
						field := kind + "." + path
						switch {
						case path == "t":
							field = "t"
						case strings.HasPrefix(path, "options."), strings.HasPrefix(path, "args."):
							field = field[:strings.LastIndex(field, ".")]
						}
						if name == "expired" && !want[field] {
							field = mark(field, true)
						}
						got[field] = true
					}
				}
			}
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("fields that can be changed (-named +found):\n%s", d)
	}
}

// optional names the members of an event to leave out, and the one that a join can have or not.
func optional(line record.Line, kind string) (names []string) {
	o, err := record.ParseObject(line)
	if err != nil {
		return nil
	}
	for _, m := range o {
		if m.Name != "n" && m.Name != "t" && m.Name != "type" {
			names = append(names, m.Name)
		}
	}
	if _, is := o.Get("bot"); kind == "join" && !is {
		names = append(names, "bot")
	}
	return names
}

func mark(name string, undealt bool) string {
	if undealt {
		return name + " (undealt)"
	}
	return name
}

func kindOf(t *testing.T, line record.Line) string {
	t.Helper()
	e, err := record.Parse(line)
	if err != nil {
		t.Fatal(err)
	}
	return e.Body.Type()
}

// scalars gives every scalar of a line by its path, with other values for it.
func scalars(t *testing.T, line record.Line) map[string][]record.Value {
	t.Helper()
	o, err := record.ParseObject(line)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]record.Value{}
	collect(found, "", o)
	return found
}

func collect(found map[string][]record.Value, path string, o record.Object) {
	for _, m := range o {
		at := strings.TrimPrefix(path+"."+m.Name, ".")
		switch v := m.Value.(type) {
		case record.Object:
			collect(found, at, v)
		case []record.Value:
			for i := range v {
				for _, x := range others(v[i]) {
					list := slices.Clone(v)
					list[i] = x
					found[at] = append(found[at], list)
				}
			}
			found[at] = append(found[at], append(slices.Clone(v), int64(1)), []record.Value{})
		default:
			found[at] = others(v)
		}
	}
}

// others gives values in place of a scalar: near ones, far ones and ones of other types.
func others(v record.Value) []record.Value {
	switch v := v.(type) {
	case bool:
		return []record.Value{!v, nil, int64(1), "true"}
	case int64:
		return []record.Value{v + 1, v - 1, -v - 1, v + 1000, int64(record.MaxInt), nil, true, "1", []record.Value{v}}
	case string:
		list := []record.Value{v + "x", "x" + v, "x", "0", "abandoned", "expired", nil, int64(1), record.Object{}}
		if v != "" {
			list = append(list, v[:len(v)-1], v[1:], "", "ZCLP-0A1B2C3E")
			if up := strings.ToUpper(v); up != v {
				list = append(list, up)
			}
		}
		return slices.DeleteFunc(list, func(x record.Value) bool { return x == v })
	default:
		return []record.Value{int64(0), false, ""}
	}
}

// Whole events cannot be left out, doubled or swapped with the next, numbers put right and all signed anew, except where the
// package says so.
func TestEveryEventMoved(t *testing.T) {
	var want []string
	for _, f := range verifier.FreeEvents {
		want = append(want, mark(f.Name, f.Undealt))
	}
	got := map[string]bool{}
	v := newVerifier(t, verifier.Options{Key: public()})
	games := shortGames(t)
	for _, name := range []string{"finished", "abandoned", "expired"} {
		lines := games[name]
		for i := range lines {
			changes := map[string]func(*draft){
				"left out": func(d *draft) { d.remove(i) },
				"doubled":  func(d *draft) { d.insert(i+1, d.lines[i]) },
			}
			if kindOf(t, lines[i]) == "join" && name == "expired" {
				changes["nonce added"] = func(d *draft) {
					d.insert(i+1, record.Object{{Name: "type", Value: "nonce"}, {Name: "seat", Value: d.get(i, "seat")}, {Name: "nonce", Value: "x"}})
				}
			}
			if i+1 < len(lines) {
				changes["swapped"] = func(d *draft) { d.trade(i) }
			}
			for what, change := range changes {
				d := newDraft(t, lines)
				change(d)
				r, err := v.Verify(bytes.NewReader(d.file()))
				if err != nil {
					t.Errorf("%s, event %d %s: %v", name, i, what, err)
				} else if r.Verified() {
					moved := kindOf(t, lines[i]) + " " + what
					if what == "nonce added" {
						moved = what
					}
					if name == "expired" && !slices.Contains(want, moved) {
						moved = mark(moved, true)
					}
					got[moved] = true
				}
			}
		}
	}
	slices.Sort(want)
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(got))); d != "" {
		t.Errorf("events that can be moved (-named +found):\n%s", d)
	}
}
