package rules

import "slices"

// ActionDoc describes an action for tools that are generated from the file.
type ActionDoc struct {
	Name   string
	Doc    string
	Params []ParamDoc
	// Example are arguments of a move that a worked example makes or calls legal, under the options' defaults; nil if none does.
	Example []int
}

// ParamDoc describes a parameter of an action. Low and High are the widest bounds over all options and numbers of seats; a
// position may take fewer values.
type ParamDoc struct {
	Name string
	Doc  string
	Low  int
	High int
}

// Actions lists what a seat can do in the game, each action once, in the order of the file.
func (f *File) Actions() []ActionDoc {
	s := f.widest()
	var docs []ActionDoc
	for _, ph := range f.phases {
		for _, a := range ph.actions {
			i := slices.IndexFunc(docs, func(d ActionDoc) bool { return d.Name == a.name })
			if i < 0 {
				docs = append(docs, ActionDoc{Name: a.name, Doc: a.doc})
				i = len(docs) - 1
			}
			s.params(&docs[i], a)
		}
	}
	for i := range docs {
		docs[i].Example = f.exampleOf(docs[i].Name)
	}
	return docs
}

// exampleOf finds the arguments of a move in the worked examples, rather those that tell the parameters apart by their values.
func (f *File) exampleOf(action string) (args []int) {
	for _, e := range f.examples {
		for _, p := range slices.Concat(e.legal, e.play) {
			if p.name != action || len(p.args) == 0 || len(e.options) > 0 {
				continue
			}
			if different := !slices.ContainsFunc(p.args[1:], func(x int) bool { return x == p.args[0] }); different {
				return slices.Clone(p.args)
			}
			if args == nil {
				args = slices.Clone(p.args)
			}
		}
	}
	return args
}

// params adds an action's parameters to its doc, or widens those of the action of the same name in an earlier phase.
func (s *setting) params(doc *ActionDoc, a *action) {
	for _, p := range a.params {
		q := ParamDoc{Name: p.name, Doc: p.doc, Low: s.of(p.low.term).low, High: s.of(p.high.term).high}
		k := slices.IndexFunc(doc.Params, func(d ParamDoc) bool { return d.Name == q.Name })
		if k < 0 {
			doc.Params = append(doc.Params, q)
			continue
		}
		known := &doc.Params[k]
		known.Low, known.High = min(known.Low, q.Low), max(known.High, q.High)
	}
}
