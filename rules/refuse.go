package rules

import (
	"dudo.example/core/machine"
)

// maxReasons is how many sentences a refusal can choose from.
const maxReasons = 8

// refusal is what a player reads who tries an action that is not legal: the sentence of the first reason that holds. The last
// one has no condition.
type refusal []reason

type reason struct {
	when *expression // nil for always
	say  *sentence
}

// refusal reads a sentence, or a list of them with conditions.
func (b *builder) refusal(n *node, s scope) refusal {
	s.what, s.reads = "a refusal", readsPublic
	if n.kind == scalar {
		return refusal{{say: b.sentence(n, s)}}
	}
	items := b.sequence(n, "refuse")
	if len(items) == 0 || len(items) > maxReasons {
		b.fail(n.at, "refuse is a sentence, or a list of 1 to %d of them", maxReasons)
		return nil
	}
	var list refusal
	for i, item := range items {
		f := b.shape(item, "a reason")
		var r reason
		when := f.by["if"]
		switch last := i == len(items)-1; {
		case last && when != nil:
			b.fail(when.at, "the last sentence of refuse has no if, so that there always is one")
		case !last && when == nil:
			b.fail(item.at, "only the last sentence of refuse has no if, as none after it would be read")
		case when != nil:
			r.when = b.boolExpr(when, s)
		}
		if say := b.need(f, "say", "a reason"); say != nil {
			r.say = b.sentence(say, s)
		}
		list = append(list, r)
	}
	return list
}

// expressions gives every expression of the refusal to f.
func (r refusal) expressions(f func(*expression)) {
	for _, x := range r {
		f(x.when)
		for _, e := range x.say.parts {
			f(e)
		}
	}
}

func (c *compiler) refusal(r refusal) func(*machine.Frame) string {
	last := len(r) - 1
	otherwise := c.sentence(r[last].say)
	if last == 0 {
		return otherwise
	}
	var when []func(*machine.Frame) bool
	var say []func(*machine.Frame) string
	for _, x := range r[:last] {
		when, say = append(when, c.bool(x.when)), append(say, c.sentence(x.say))
	}
	return func(f *machine.Frame) string {
		for i := range when {
			if when[i](f) {
				return say[i](f)
			}
		}
		return otherwise(f)
	}
}
