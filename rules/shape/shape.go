// Package shape holds the keys of the rule language in one table. The reader of rule files refuses what is not in it, and the
// JSON Schema for editors is made of it, so that the two know the same language.
package shape

import "slices"

// Shape is a mapping with fixed keys that a rule file holds: the file itself, an option, a phase, an action.
type Shape struct {
	Name string // as messages call it, such as "an option"
	Keys []Key
	One  []string // exactly one of these keys is there, unless the list is empty
}

// Key is a key of a shape.
type Key struct {
	Name   string
	Doc    string // what it says
	Takes  Form
	Needed bool
	With   []string // keys that must be there with it
}

// Form is what a key takes. Kind says which of the other members count.
type Form struct {
	Kind  Kind
	Low   int      // least value of a whole number, least number of elements of a list
	High  int      // greatest value, most elements of a list; 0 with a Low of 0 for any
	Words []string // of a word among a few
	Shape string   // the name of a shape
	Of    []Form   // of elements or values: one form; of a choice: several
}

// Kind is a kind of form.
type Kind int

// The kinds of forms.
const (
	Text       Kind = iota // words for people
	Word                   // a name: small letters, digits and _
	ID                     // a game's id, such as liars-dice/standard
	Flag                   // yes or no
	Whole                  // a whole number
	Among                  // one of a few words
	Expression             // an expression; a number, true and false are expressions
	Value                  // a number, yes, no or none
	Target                 // a variable, name[seat] or record.field
	Call                   // name(argument, …)
	Move                   // an action and its numbers, such as bid 3 5; of another seat, 1:challenge
	List                   // a list
	Names                  // a mapping from names
	Signatures             // a mapping from names with parameters, such as lose(loser, lost)
	Targets                // a mapping from variables
	Mapping                // a mapping with the keys of a shape
	Either                 // one of several forms
)

// Of gives the shape that messages call so, such as "an option". It panics for a name that is none.
func Of(name string) Shape {
	i := slices.IndexFunc(table, func(s Shape) bool { return s.Name == name })
	return table[i]
}

// All gives every shape of the language, the file itself first.
func All() []Shape { return slices.Clone(table) }

// Names are the shape's keys, in the order in which files have them.
func (s Shape) Names() []string {
	names := make([]string, len(s.Keys))
	for i, k := range s.Keys {
		names[i] = k.Name
	}
	return names
}

func just(kind Kind) Form        { return Form{Kind: kind} }
func whole(low, high int) Form   { return Form{Kind: Whole, Low: low, High: high} }
func among(words ...string) Form { return Form{Kind: Among, Words: words} }
func list(of Form) Form          { return Form{Kind: List, Of: []Form{of}} }
func pair(of Form) Form          { return Form{Kind: List, Low: 2, High: 2, Of: []Form{of}} }
func names(of Form) Form         { return Form{Kind: Names, Of: []Form{of}} }
func signatures(of Form) Form    { return Form{Kind: Signatures, Of: []Form{of}} }
func targets(of Form) Form       { return Form{Kind: Targets, Of: []Form{of}} }
func mapping(shape string) Form  { return Form{Kind: Mapping, Shape: shape} }
func either(forms ...Form) Form  { return Form{Kind: Either, Of: forms} }
func steps() Form                { return list(mapping("a step")) }
func doc() Key                   { return Key{Name: "doc", Doc: "Words for players and agents.", Takes: just(Text)} }

// bounds are [least, greatest], both expressions.
func bounds() Form { return pair(just(Expression)) }

// held is what a variable holds in an example: a value, a list, one of these a seat, or the fields of a record.
func held() Form {
	fields := names(just(Value))
	return either(just(Value), fields, list(either(just(Value), fields, list(just(Value)))))
}
