package rules

import "slices"

// ActionDoc describes an action for tools that are generated from the file.
type ActionDoc struct {
	Name   string
	Doc    string
	Params []ParamDoc
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
	return docs
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
