// Package schema writes the JSON Schema of rule files, which editors use to complete, explain and check what is typed. It is
// made of the table of keys that the reader of rule files goes by. It knows where which keys and kinds of values stand; what
// only the reader knows, such as names and types in expressions, it lets through.
package schema

import (
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"dudo.example/rules/shape"
)

// JSON gives the schema, as text.
func JSON() ([]byte, error) {
	all := shape.All()
	root := object(all[0])
	root.Schema = "http://json-schema.org/draft-07/schema#" // what the YAML servers of editors take
	root.Title = "Dudo rule file"
	root.Definitions = map[string]*jsonschema.Schema{}
	for _, s := range all[1:] {
		root.Definitions[id(s.Name)] = object(s)
	}
	text, err := json.MarshalIndent(root, "", "  ")
	return append(text, '\n'), err
}

// id is a shape's name in references.
func id(name string) string {
	words := strings.Fields(name)
	return strings.Join(words[min(1, len(words)-1):], "_")
}

// object is the schema of a shape.
func object(s shape.Shape) *jsonschema.Schema {
	o := &jsonschema.Schema{
		Type: "object", AdditionalProperties: never(), Properties: map[string]*jsonschema.Schema{}, PropertyOrder: s.Names(),
		DependencyStrings: map[string][]string{},
	}
	for _, k := range s.Keys {
		value := form(k.Takes)
		if value.Ref != "" { // nothing may stand beside a reference
			value = &jsonschema.Schema{AllOf: []*jsonschema.Schema{value}}
		}
		value.Description = k.Doc
		o.Properties[k.Name] = value
		if k.Needed {
			o.Required = append(o.Required, k.Name)
		}
		if k.With != nil {
			o.DependencyStrings[k.Name] = k.With
		}
	}
	for _, name := range s.One {
		o.OneOf = append(o.OneOf, &jsonschema.Schema{Required: []string{name}})
	}
	return o
}

func never() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

// patterns of the forms that are text with a syntax of its own.
func pattern(k shape.Kind) string {
	const name = `[a-z][a-z0-9_]{0,39}`
	switch k {
	case shape.ID:
		return `^[a-z0-9][a-z0-9-]{0,29}(/[a-z0-9][a-z0-9-]{0,29})?$`
	case shape.Target, shape.Targets:
		return "^" + name + `(\.` + name + `)?(\[.+\])?(\.` + name + ")?$"
	case shape.Call:
		return "^" + name + `\(.*\) *$`
	case shape.Signatures:
		return "^" + name + `\([a-z0-9_, ]*\)$`
	case shape.Move:
		return `^([0-9]: *)?` + name + `( +-?[0-9]+)*$`
	default:
		return "^" + name + "$"
	}
}

// form is the schema of what a key takes.
func form(f shape.Form) *jsonschema.Schema {
	switch f.Kind {
	case shape.Text:
		return &jsonschema.Schema{Types: []string{"string", "number", "boolean"}, MinLength: jsonschema.Ptr(1)}
	case shape.Flag:
		return &jsonschema.Schema{Enum: []any{true, false, "yes", "no"}}
	case shape.Whole:
		whole := &jsonschema.Schema{Type: "integer"}
		if f.Low != 0 || f.High != 0 {
			whole.Minimum, whole.Maximum = jsonschema.Ptr(float64(f.Low)), jsonschema.Ptr(float64(f.High))
		}
		return whole
	case shape.Among:
		words := &jsonschema.Schema{}
		for _, w := range f.Words {
			words.Enum = append(words.Enum, w)
		}
		return words
	case shape.Expression:
		return &jsonschema.Schema{Types: []string{"string", "integer", "boolean"}, MinLength: jsonschema.Ptr(1)}
	case shape.Value:
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "integer"}, {Enum: []any{true, false, "yes", "no", "none"}}}}
	case shape.List:
		l := &jsonschema.Schema{Type: "array", Items: form(f.Of[0])}
		if f.High > 0 {
			l.MinItems, l.MaxItems = jsonschema.Ptr(f.Low), jsonschema.Ptr(f.High)
		}
		return l
	case shape.Names, shape.Signatures, shape.Targets:
		return &jsonschema.Schema{
			Type: "object", AdditionalProperties: never(),
			PatternProperties: map[string]*jsonschema.Schema{pattern(f.Kind): form(f.Of[0])},
		}
	case shape.Mapping:
		return &jsonschema.Schema{Ref: "#/definitions/" + id(f.Shape)}
	case shape.Either:
		e := &jsonschema.Schema{}
		for _, of := range f.Of {
			e.AnyOf = append(e.AnyOf, form(of))
		}
		return e
	case shape.Word, shape.ID, shape.Target, shape.Call, shape.Move:
	}
	return &jsonschema.Schema{Type: "string", Pattern: pattern(f.Kind)}
}
