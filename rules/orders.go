package rules

import (
	"fmt"
	"math/bits"
)

// Order is what asking every pair of bids showed about an order of bids. No order goes round: one that does is not compiled.
type Order struct {
	Function   string
	Bids       int
	Strict     bool     // the file says strict_order, so both of the following hold
	Total      bool     // of two bids one always outranks the other
	Transitive bool     // a bid outranks all that is outranked by what it outranks
	Witnesses  []string // a sentence that names bids for each of these that does not hold
}

// Orders classifies the file's orders of bids, functions with order or strict_order, in a game of so many seats and options.
func (f *File) Orders(seats int, options map[string]int) ([]Order, error) {
	c, err := f.compileFunctions(seats, options)
	if err != nil {
		return nil, err
	}
	var orders []Order
	for _, fn := range f.functions {
		if !fn.order {
			continue
		}
		t := c.tables[fn]
		o := Order{Function: fn.name, Bids: t.tuples, Strict: fn.strict, Total: true, Transitive: true}
		if a, b, ok := t.apart(); ok {
			o.Total = false
			o.Witnesses = append(o.Witnesses, fmt.Sprintf("neither of %s and %s outranks the other", t.name(a), t.name(b)))
		}
		if top, middle, low, ok := t.gap(); ok {
			o.Transitive = false
			o.Witnesses = append(o.Witnesses, fmt.Sprintf("%s outranks %s and %s outranks %s, but %s does not outrank %s",
				t.name(top), t.name(middle), t.name(middle), t.name(low), t.name(top), t.name(low)))
		}
		orders = append(orders, o)
	}
	return orders, nil
}

// compileFunctions compiles the state and the functions of a game, and nothing that uses them.
func (f *File) compileFunctions(seats int, options map[string]int) (*compiler, error) {
	all, err := f.Resolve(options)
	if err != nil {
		return nil, err
	}
	values := make([]span, len(f.Options))
	for i, o := range f.Options {
		values[i] = span{all[o.Name], all[o.Name]}
	}
	c := f.compiler(seats, values)
	if _, err := c.state(); err != nil {
		return nil, err
	}
	if err := c.functions(); err != nil {
		return nil, err
	}
	return c, nil
}

// apart gives two bids of which neither outranks the other.
func (t *table) apart() (a, b int, ok bool) {
	for a := range t.tuples {
		for b := range a {
			if !t.outranks(a, b) && !t.outranks(b, a) {
				return a, b, true
			}
		}
	}
	return 0, 0, false
}

// gap gives three bids of which the first outranks the second and the second the third, but the first not the third.
func (t *table) gap() (top, middle, low int, ok bool) {
	for low := range t.tuples {
		over := t.row(low)
		for middle := range t.tuples {
			if !t.outranks(middle, low) {
				continue
			}
			for w, word := range t.row(middle) {
				if beyond := word &^ over[w]; beyond != 0 {
					return w*64 + bits.TrailingZeros64(beyond), middle, low, true
				}
			}
		}
	}
	return 0, 0, 0, false
}
