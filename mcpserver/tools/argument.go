package tools

import (
	"fmt"
	"math"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// A kind says what an argument's value is.
type kind int

const (
	text    kind = iota
	choice       // one of the words in names
	integer      // from low to high
	boolean
	botList // how many bots, or the names of some of those in names
	object  // of further arguments, by name
)

// unbounded is the high of an integer that has no greatest value worth naming.
const unbounded = math.MaxInt64

// An argument is declared once, for the schema, the reader and the README.
type argument struct {
	name, doc string
	kind      kind
	low, high int64
	length    int      // most characters of a text, for the schema; whoever takes the text checks it
	names     []string // of a choice or a botList
	absent    any      // the default as the schema shows it, nil for none
	required  bool
	raw       bool   // its value is read by whoever takes it
	form      string // what a valid value is, if the kind does not say
}

// wants says what a valid value is, in words that follow "must be".
func (a *argument) wants() string {
	switch {
	case a.form != "":
		return a.form
	case a.kind == integer && a.high == unbounded:
		return fmt.Sprintf("an integer of %d or more", a.low)
	case a.kind == integer:
		return fmt.Sprintf("an integer from %d to %d", a.low, a.high)
	case a.kind == boolean:
		return "true or false"
	case a.kind == object:
		return "an object with names and values"
	case a.kind == choice:
		return enumerate(a.names, "or")
	case a.kind == botList && len(a.names) == 1:
		return fmt.Sprintf("a number from 0 to %d; the only bot here is %s", a.high, a.names[0])
	case a.kind == botList:
		return fmt.Sprintf("a number from 0 to %d, or a list of up to %d of these names: %s", a.high, a.high, enumerate(a.names, "and"))
	default:
		return "a string"
	}
}

// A property is an argument in a JSON schema.
type property struct {
	Type        string     `json:"type,omitempty"`
	AnyOf       []property `json:"anyOf,omitempty"`
	Items       *property  `json:"items,omitempty"`
	Description string     `json:"description,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Minimum     *int64     `json:"minimum,omitempty"`
	Maximum     *int64     `json:"maximum,omitempty"`
	MaxLength   int        `json:"maxLength,omitempty"`
	MaxItems    int64      `json:"maxItems,omitempty"`
	Default     any        `json:"default,omitempty"`
}

func (a *argument) property() property {
	p := property{Description: a.doc, Default: a.absent}
	switch a.kind {
	case text:
		p.Type, p.MaxLength = "string", a.length
	case choice:
		p.Type, p.Enum = "string", a.names
	case boolean:
		p.Type = "boolean"
	case object:
		p.Type = "object"
	case integer:
		p.Type, p.Minimum = "integer", &a.low
		if a.high != unbounded {
			p.Maximum = &a.high
		}
	case botList:
		number := property{Type: "integer", Minimum: &a.low, Maximum: &a.high}
		if len(a.names) == 1 { // a plain type is what every client can show
			p.Type, p.Minimum, p.Maximum = number.Type, number.Minimum, number.Maximum
			break
		}
		p.AnyOf = []property{number, {Type: "array", Items: &property{Type: "string", Enum: a.names}, MaxItems: a.high}}
	}
	return p
}

// schema gives the JSON schema of a tool's arguments, in their order.
func schema(args []argument) mcp.ToolInputSchema {
	s := mcp.ToolInputSchema{Type: "object", Properties: map[string]any{}, AdditionalProperties: false}
	for i := range args {
		a := &args[i]
		s.Properties[a.name] = a.property()
		s.PropertyOrder = append(s.PropertyOrder, a.name)
		if a.required {
			s.Required = append(s.Required, a.name)
		}
	}
	return s
}

// enumerate joins words as a sentence does.
func enumerate(words []string, and string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + and + " " + words[last]
}
