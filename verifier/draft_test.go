package verifier_test

import (
	"slices"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

// draft is a record being tampered with.
type draft struct {
	t      testing.TB
	lines  []record.Object
	raw    []byte // the file, if it is not to be made from the lines
	signed []byte // the receipt's line, if it is not to be made from the lines
	key    bool   // the verifier knows the server's key
	kept   []record.Receipt
}

func newDraft(t testing.TB, lines []record.Line) *draft {
	t.Helper()
	d := &draft{t: t, key: true}
	for _, l := range lines {
		o, err := record.ParseObject(l)
		if err != nil {
			t.Fatal(err)
		}
		d.lines = append(d.lines, o)
	}
	return d
}

// find is the place of the k-th event of a type, from 0; negative k counts from the end.
func (d *draft) find(kind string, k int) int { return d.kth("type", kind, k) }

// act is the place of the k-th act that is such an action.
func (d *draft) act(action string, k int) int { return d.kth("action", action, k) }

func (d *draft) kth(member, value string, k int) int {
	d.t.Helper()
	var all []int
	for i, o := range d.lines {
		if v, _ := o.Get(member); v == value {
			all = append(all, i)
		}
	}
	if k < 0 {
		k += len(all)
	}
	if k < 0 || k >= len(all) {
		d.t.Fatalf("no such %s", value)
	}
	return all[k]
}

// inside gives the object that holds the last name of a path, and that name.
func (d *draft) inside(i int, path string) (o record.Object, name string, set func(record.Object)) {
	d.t.Helper()
	o, set = d.lines[i], func(o record.Object) { d.lines[i] = o }
	for {
		outer, rest, nested := strings.Cut(path, ".")
		if !nested {
			return o, path, set
		}
		holder := o
		at := -1
		for k := range holder {
			if holder[k].Name == outer {
				at = k
			}
		}
		in, ok := holder[max(at, 0)].Value.(record.Object)
		if at < 0 || !ok {
			d.t.Fatalf("event %d has no object %s", i, outer)
		}
		o, path, set = in, rest, func(o record.Object) { holder[at].Value = o }
	}
}

func (d *draft) get(i int, path string) record.Value {
	d.t.Helper()
	o, name, _ := d.inside(i, path)
	v, ok := o.Get(name)
	if !ok {
		d.t.Fatalf("event %d has no %s", i, path)
	}
	return v
}

func (d *draft) put(i int, path string, v record.Value) {
	d.t.Helper()
	o, name, set := d.inside(i, path)
	for k := range o {
		if o[k].Name == name {
			o[k].Value = v
			return
		}
	}
	set(append(o, record.Member{Name: name, Value: v}))
}

func (d *draft) drop(i int, path string) {
	d.t.Helper()
	d.get(i, path)
	o, name, set := d.inside(i, path)
	var left record.Object
	for _, m := range o {
		if m.Name != name {
			left = append(left, m)
		}
	}
	if left == nil {
		left = record.Object{}
	}
	set(left)
}

func (d *draft) add(i int, path string, n int64) { d.put(i, path, d.get(i, path).(int64)+n) }

func (d *draft) swap(i int, a, b string) {
	x, y := d.get(i, a), d.get(i, b)
	d.put(i, a, y)
	d.put(i, b, x)
}

// insert puts an event before the i-th, with the time of the one before, and numbers the others anew.
func (d *draft) insert(i int, o record.Object) {
	t := int64(0)
	if i > 0 {
		t = d.get(i-1, "t").(int64)
	}
	o = append(record.Object{{Name: "n", Value: int64(i)}, {Name: "t", Value: t}}, slices.DeleteFunc(slices.Clone(o), func(m record.Member) bool {
		return m.Name == "n" || m.Name == "t"
	})...)
	d.lines = append(d.lines[:i:i], append([]record.Object{o}, d.lines[i:]...)...)
	d.renumber()
}

func (d *draft) remove(i int) {
	d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
	d.renumber()
}

func (d *draft) renumber() {
	for i := range d.lines {
		d.put(i, "n", int64(i))
	}
}

// log encodes the lines.
func (d *draft) log() []record.Line {
	var lines []record.Line
	for _, o := range d.lines {
		lines = append(lines, o.Encode())
	}
	return lines
}

// file is the record, its receipt made anew unless a mutation set one.
func (d *draft) file() []byte {
	switch {
	case d.raw != nil:
		return d.raw
	case d.signed != nil:
		return append(file(record.File{Lines: d.log()}), d.signed...)
	}
	lines := d.log()
	gid, origin := "", ""
	if len(d.lines) > 0 {
		v, _ := d.lines[0].Get("gid")
		gid, _ = v.(string)
		v, _ = d.lines[0].Get("origin")
		origin, _ = v.(string)
	}
	return signAs(serverKey, origin, gid, lines)
}

// text is the file before the last changes of form, which are made to its bytes.
func (d *draft) replace(old, changed string) {
	d.t.Helper()
	text := string(d.file())
	if !strings.Contains(text, old) {
		d.t.Fatalf("the record has no %q", old)
	}
	d.raw = []byte(strings.Replace(text, old, changed, 1))
}

func (d *draft) options() verifier.Options {
	o := verifier.Options{Kept: d.kept}
	if d.key {
		o.Key = public()
	}
	return o
}

// trade swaps an event with the next; times and numbers stay in their places.
func (d *draft) trade(i int) {
	x, y := d.get(i, "t"), d.get(i+1, "t")
	d.lines[i], d.lines[i+1] = d.lines[i+1], d.lines[i]
	d.put(i, "t", x)
	d.put(i+1, "t", y)
	d.renumber()
}
