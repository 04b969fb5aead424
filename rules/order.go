package rules

import (
	"fmt"
	"math/bits"
	"strings"

	"dudo.example/core/machine"
)

// Limits on tables: entries of one, and terms evaluated to fill all of a game.
const (
	maxTable      = 1 << 16
	maxTableWork  = 10_000_000
	maxOrderTuple = 256
)

// table holds a function's values over its domain. An order is stored as a row of bits for each bid that stands: the bids
// that outrank it.
type table struct {
	low    []int
	size   []int
	stride []int
	bits   []uint64 // of a condition
	ints   []int32  // of an integer
	tuples int      // of an order: the bids
	words  int      // of an order: length of a row
}

// build fills the tables of the file's tabled functions, in order, and proves the orders.
func (c *compiler) build(fn *function) error {
	if fn.table == nil {
		return nil
	}
	tab := &table{}
	total := 1
	for _, d := range fn.table {
		low, high := c.of(d[0].term).low, c.of(d[1].term).high
		if low > high || high-low >= maxTable || total*(high-low+1) > maxTable {
			return c.file.src.errorf(fn.at, "the table of %s() has an empty or too large domain; it has 1 to %d entries", fn.name, maxTable)
		}
		total *= high - low + 1
		tab.low, tab.size = append(tab.low, low), append(tab.size, high-low+1)
	}
	if c.budget -= total * fn.cost; c.budget < 0 {
		return c.file.src.errorf(fn.at, "filling the tables up to that of %s() costs too much; make a domain or an expression smaller", fn.name)
	}
	if err := tab.lay(c.file.src, fn); err != nil {
		return err
	}
	body := c.bodies[fn]
	f := machine.NewFrame()
	args := make([]int, len(tab.size))
	for range total {
		at := 0
		for i, a := range args {
			f.Cells[machine.Local+fn.base+i] = int32(tab.low[i] + a)
			at += a * tab.stride[i]
		}
		if body.b != nil {
			if body.b(f) {
				tab.bits[at/64] |= 1 << (at % 64)
			}
		} else {
			tab.ints[at] = int32(body.i(f))
		}
		for i := len(args) - 1; i >= 0; i-- {
			if args[i]++; args[i] < tab.size[i] {
				break
			}
			args[i] = 0
		}
	}
	if err := f.Err(); err != nil {
		return c.file.src.errorf(fn.at, "%s() fails for a value in its table: %v; leave the value out of the table, or guard it with ? :", fn.name, err)
	}
	if fn.order {
		if msg := tab.prove(fn); msg != "" {
			return c.file.src.errorf(fn.at, "%s", msg)
		}
	}
	c.tables[fn] = tab
	c.bytes += 8*len(tab.bits) + 4*len(tab.ints)
	return nil
}

// lay decides where each entry goes.
func (t *table) lay(src *source, fn *function) error {
	n := len(t.size)
	t.stride = make([]int, n)
	total := 1
	place := func(from, to int) {
		for i := to - 1; i >= from; i-- {
			t.stride[i] = total
			total *= t.size[i]
		}
	}
	switch {
	case fn.order:
		for i := range n / 2 {
			if t.low[i] != t.low[n/2+i] || t.size[i] != t.size[n/2+i] {
				return src.errorf(fn.at, "%s() compares bids of different bounds; give %s and %s the same in table", fn.name, fn.params[i], fn.params[n/2+i])
			}
		}
		place(0, n/2)
		t.tuples, t.words = total, (total+63)/64
		if t.tuples > maxOrderTuple {
			return src.errorf(fn.at, "%s() orders %d bids, at most %d", fn.name, t.tuples, maxOrderTuple)
		}
		total = t.words * 64
		place(n/2, n)
	default:
		place(0, n)
	}
	if fn.body.kind == kindBool {
		t.bits = make([]uint64, (total+63)/64)
	} else {
		t.ints = make([]int32, total)
	}
	return nil
}

// lookup compiles a call as a look-up. Arguments outside the domain ask the function itself. The cells are those that an
// argument reads and nothing else, or 0.
func (t *table) lookup(args []machine.Int, cells []int, otherwise code) code {
	if t.bits != nil && t.words > 0 && len(args) == 4 {
		return t.lookupPair(args, cells, otherwise)
	}
	index := func(f *machine.Frame) int {
		at := 0
		for i, a := range args {
			x := a(f) - t.low[i]
			if uint(x) >= uint(t.size[i]) {
				return -1
			}
			at += x * t.stride[i]
		}
		return at
	}
	if t.bits != nil {
		return code{b: func(f *machine.Frame) bool {
			at := index(f)
			if at < 0 {
				return otherwise.b(f)
			}
			return t.bits[at/64]&(1<<(at%64)) != 0
		}}
	}
	return code{i: func(f *machine.Frame) int {
		at := index(f)
		if at < 0 {
			return otherwise.i(f)
		}
		return int(t.ints[at])
	}}
}

// lookupPair is lookup for bids of two numbers, the usual case.
func (t *table) lookupPair(args []machine.Int, cells []int, otherwise code) code {
	quantity, face, overQuantity, overFace := args[0], args[1], args[2], args[3]
	low, low2, size, size2, row := t.low[0], t.low[1], t.size[0], t.size[1], t.words*64
	if over, over2 := cells[2], cells[3]; over > 0 && over2 > 0 {
		return code{b: func(f *machine.Frame) bool {
			a, b, c, d := quantity(f)-low, face(f)-low2, int(f.Cells[over])-low, int(f.Cells[over2])-low2
			if uint(a) >= uint(size) || uint(b) >= uint(size2) || uint(c) >= uint(size) || uint(d) >= uint(size2) {
				return otherwise.b(f)
			}
			at := (c*size2+d)*row + a*size2 + b
			return t.bits[at/64]&(1<<(at%64)) != 0
		}}
	}
	return code{b: func(f *machine.Frame) bool {
		a, b, c, d := quantity(f)-low, face(f)-low2, overQuantity(f)-low, overFace(f)-low2
		if uint(a) >= uint(size) || uint(b) >= uint(size2) || uint(c) >= uint(size) || uint(d) >= uint(size2) {
			return otherwise.b(f)
		}
		at := (c*size2+d)*row + a*size2 + b
		return t.bits[at/64]&(1<<(at%64)) != 0
	}}
}

// row gives the bids that outrank a bid, a bit each.
func (t *table) row(bid int) []uint64 { return t.bits[bid*t.words : (bid+1)*t.words] }

// outranks reports whether bid a outranks bid b.
func (t *table) outranks(a, b int) bool { return t.row(b)[a/64]&(1<<(a%64)) != 0 }

// name writes a bid by its numbers, such as 5×1.
func (t *table) name(bid int) string {
	words := make([]string, len(t.size)/2)
	for i := range words {
		words[i] = fmt.Sprint(t.low[i] + bid/t.stride[i]%t.size[i])
	}
	return strings.Join(words, "×")
}

// prove asks every pair of bids. It gives "" for an order that has no circle and, if it is strict, is total and transitive;
// else a message that names bids.
func (t *table) prove(fn *function) string {
	if round := t.circle(); len(round) == 2 {
		return fmt.Sprintf("%s() lets %s outrank itself, so bidding could go on for ever; write > where it says >=", fn.name, t.name(round[0]))
	} else if round != nil {
		var names []string
		for _, bid := range round {
			if names = append(names, t.name(bid)); len(names) == 12 && len(round) > 12 {
				names = append(names, "…")
				break
			}
		}
		return fmt.Sprintf("%s() goes round: %s, so bidding could go on for ever; each of these bids outranks the one before",
			fn.name, strings.Join(names, " → "))
	}
	if !fn.strict {
		return ""
	}
	if a, b, ok := t.apart(); ok {
		return fmt.Sprintf("%s() is no strict_order: neither of %s and %s outranks the other; write order: yes if that is meant",
			fn.name, t.name(a), t.name(b))
	}
	// A relation that is total and has no circle is transitive: if a outranks b and b outranks c, then c over a would be a
	// circle, so a outranks c.
	return ""
}

// circle gives a shortest circle of bids, each outranking the one before, that ends where it begins; nil if there is none.
func (t *table) circle() []int {
	if t.sorts() {
		return nil
	}
	var best []int
	before := make([]int, t.tuples)
	for start := range t.tuples {
		for i := range before {
			before[i] = -1
		}
		queue := []int{start}
	search:
		for len(queue) > 0 {
			bid := queue[0]
			queue = queue[1:]
			for w, word := range t.row(bid) {
				for ; word != 0; word &= word - 1 {
					over := w*64 + bits.TrailingZeros64(word)
					if over == start {
						round := []int{start}
						for at := bid; at != start; at = before[at] {
							round = append(round, at)
						}
						round = append(round, start)
						for i, j := 0, len(round)-1; i < j; i, j = i+1, j-1 {
							round[i], round[j] = round[j], round[i]
						}
						if best == nil || len(round) < len(best) {
							best = round
						}
						break search
					}
					if before[over] < 0 {
						before[over] = bid
						queue = append(queue, over)
					}
				}
			}
		}
		if len(best) == 2 {
			break
		}
	}
	return best
}

// sorts reports whether the bids can be sorted, so that there is no circle.
func (t *table) sorts() bool {
	under := make([]int, t.tuples) // how many bids each outranks, of those not yet sorted
	for bid := range t.tuples {
		for w, word := range t.row(bid) {
			for ; word != 0; word &= word - 1 {
				under[w*64+bits.TrailingZeros64(word)]++
			}
		}
	}
	var lowest []int
	for bid, n := range under {
		if n == 0 {
			lowest = append(lowest, bid)
		}
	}
	sorted := 0
	for len(lowest) > 0 {
		bid := lowest[len(lowest)-1]
		lowest = lowest[:len(lowest)-1]
		sorted++
		for w, word := range t.row(bid) {
			for ; word != 0; word &= word - 1 {
				over := w*64 + bits.TrailingZeros64(word)
				if under[over]--; under[over] == 0 {
					lowest = append(lowest, over)
				}
			}
		}
	}
	return sorted == t.tuples
}
