package record

import (
	"fmt"
	"strings"
)

const (
	maxSeat  = 9 // ten seats at the most
	maxOwned = 16
	maxText  = 256 // bytes of a name, an origin, a hash
)

// MaxHand is how many values a show has of one owner.
const MaxHand = 256

// reader takes an object apart member by member and keeps the first thing that is wrong with it.
type reader struct {
	o    Object
	left int // members not asked for yet
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = &EventError{fmt.Sprintf(format, args...)}
	}
}

func (r *reader) done() error {
	if r.err == nil && r.left > 0 {
		r.fail("a member that does not belong there")
	}
	return r.err
}

func (r *reader) has(name string) bool {
	_, ok := r.o.Get(name)
	return ok
}

func get[T any](r *reader, name, kind string) T {
	v, ok := r.o.Get(name)
	if !ok {
		r.fail("%s is missing", name)
	}
	r.left--
	x, ok := v.(T)
	if !ok {
		r.fail("%s is not %s", name, kind)
	}
	return x
}

func (r *reader) num(name string, low, high int64) int64 {
	n := get[int64](r, name, "a number")
	if n < low || n > high {
		r.fail("%s is not from %d to %d", name, low, high)
	}
	return n
}

func (r *reader) int(name string, low, high int) int {
	return int(r.num(name, int64(low), int64(high)))
}

func (r *reader) long(name string, most int) string {
	s := get[string](r, name, "a string")
	if len(s) > most {
		r.fail("%s is longer than %d bytes", name, most)
	}
	return s
}

func (r *reader) text(name string) string { return r.long(name, maxText) }

func (r *reader) object(name string) *reader {
	o := get[Object](r, name, "an object")
	return &reader{o: o, left: len(o)}
}

// close ends a nested reader and keeps its complaint.
func (r *reader) close(name string, in *reader) {
	if err := in.done(); err != nil {
		r.fail("%s: %s", name, err.Error())
	}
}

func (r *reader) ints(name string, most int) []int {
	list := get[[]Value](r, name, "a list")
	return r.intList(name, list, most)
}

func (r *reader) intList(name string, list []Value, most int) []int {
	if len(list) > most {
		r.fail("%s has more than %d elements", name, most)
		return nil
	}
	out := make([]int, len(list))
	for i, v := range list {
		n, ok := v.(int64)
		if !ok || n > 1<<31 || n < -1<<31 {
			r.fail("%s is not a list of small numbers", name)
			return nil
		}
		out[i] = int(n)
	}
	return out
}

// readOwned reads an object whose names are owners of draws.
func readOwned[T any](r *reader, name string, value func(Value) (T, bool)) []Owned[T] {
	o := get[Object](r, name, "an object")
	if len(o) > maxOwned {
		r.fail("%s has more than %d members", name, maxOwned)
		return nil
	}
	list := make([]Owned[T], len(o))
	for i, m := range o {
		owner := -1
		if m.Name != "t" {
			if len(m.Name) != 1 || m.Name[0] < '0' || m.Name[0] > '0'+maxSeat {
				r.fail("%s names an owner that is neither a seat nor t", name)
				return nil
			}
			owner = int(m.Name[0] - '0')
		}
		x, ok := value(m.Value)
		if !ok {
			r.fail("%s holds a value of another type", name)
			return nil
		}
		list[i] = Owned[T]{owner, x}
	}
	return list
}

func asText(v Value) (string, bool) {
	s, ok := v.(string)
	return s, ok && len(s) <= maxText
}

func asInt(v Value) (int, bool) {
	n, ok := v.(int64)
	return int(n), ok && n >= 0 && n <= 1<<31
}

func (r *reader) body(kind string) Body {
	switch kind {
	case "open":
		return r.open()
	case "join":
		return r.join()
	case "nonce":
		return Nonce{Seat: r.int("seat", 0, maxSeat), Nonce: r.long("nonce", 128)}
	case "start":
		return Start{By: r.int("by", 0, maxSeat)}
	case "deal":
		return Deal{
			Deal:   r.int("deal", 1, MaxLines),
			HC:     readOwned(r, "hc", asText),
			Counts: readOwned(r, "counts", asInt),
		}
	case "act":
		return r.act()
	case "timeout":
		return r.timeout()
	case "resume":
		return Resume{}
	case "show":
		hand := func(v Value) ([]int, bool) {
			list, ok := v.([]Value)
			return r.intList("hands", list, MaxHand), ok
		}
		return Show{
			Keys:  readOwned(r, "keys", asText),
			Hands: readOwned(r, "hands", hand),
			Facts: get[Object](r, "facts", "an object"),
		}
	case "end":
		return r.end()
	}
	r.fail("its type is none of this version's")
	return nil
}

func (r *reader) open() Open {
	if v := r.text("v"); v != Version {
		r.fail("the log is of another version than %s", Version)
	}
	b := Open{
		Origin: r.text("origin"), GID: r.text("gid"), Key: r.text("key"), Commit: r.text("commit"),
		Seats: r.int("seats", 1, maxSeat+1), TurnSeconds: r.int("turn_seconds", 1, 86400),
		Public: get[bool](r, "public", "true or false"),
	}
	if strings.Contains(b.Origin, ":") || strings.Contains(b.GID, ":") {
		r.fail("a colon in origin or gid")
	}
	rules := r.object("rules")
	b.Rules = Rules{Game: rules.text("game"), SHA256: rules.text("sha256"), Text: rules.long("text", MaxLine)}
	r.close("rules", rules)
	for _, m := range get[Object](r, "options", "an object") {
		switch v := m.Value.(type) {
		case bool:
			x := Option{Name: m.Name, Bool: true}
			if v {
				x.Value = 1
			}
			b.Options = append(b.Options, x)
		case int64:
			b.Options = append(b.Options, Option{Name: m.Name, Value: int(v)})
		default:
			r.fail("an option that is neither a number nor true or false")
		}
	}
	return b
}

func (r *reader) join() Join {
	b := Join{Seat: r.int("seat", 0, maxSeat), Name: r.text("name")}
	if r.has("bot") {
		bot := r.object("bot")
		b.Bot = &Bot{Name: bot.text("name"), Version: bot.text("version"), SHA256: bot.text("sha256")}
		r.close("bot", bot)
	}
	return b
}

func (r *reader) act() Act {
	b := Act{Seat: r.int("seat", 0, maxSeat), Action: r.text("action")}
	args := get[Object](r, "args", "an object")
	b.Args = make([]Arg, 0, len(args))
	for _, m := range args {
		n, ok := m.Value.(int64)
		if !ok || n > 1<<31 || n < -1<<31 {
			r.fail("an argument that is not a small number")
		}
		b.Args = append(b.Args, Arg{m.Name, int(n)})
	}
	if r.has("say") {
		if b.Say = r.long("say", 4*140); b.Say == "" {
			r.fail("say is empty")
		}
	}
	return b
}

func (r *reader) timeout() Timeout {
	b := Timeout{Seat: r.int("seat", 0, maxSeat)}
	if r.has("fault") {
		if b.Fault = r.long("fault", 32); b.Fault == "" {
			r.fail("fault is empty")
		}
	}
	return b
}

func (r *reader) end() End {
	b := End{Reason: r.text("reason"), Seed: r.text("seed")}
	if r.has("places") {
		b.Places = r.ints("places", maxSeat+1)
	}
	if r.has("payoffs") {
		b.Payoffs = r.ints("payoffs", maxSeat+1)
	}
	return b
}
