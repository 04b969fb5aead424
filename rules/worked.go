package rules

// Example is a worked position, of a rule file's own or of another text, that can be played by the file's rules.
type Example struct {
	Name string
	Line int // in its text
	file *File
	from *example
}

// Run plays the example. It gives an [*Error] if it comes out otherwise than the example says.
func (e Example) Run() error {
	r := runner{file: e.file, example: e.from}
	return r.run()
}

// Examples are the file's worked examples, in its order.
func (f *File) Examples() []Example { return f.listed(f.examples) }

func (f *File) listed(list []*example) []Example {
	out := make([]Example, len(list))
	for i, e := range list {
		out[i] = Example{Name: e.name, Line: e.at.line, file: f, from: e}
	}
	return out
}

// maxExampleWork is what the tables of the games of all examples may cost.
const maxExampleWork = 40 * maxTableWork

// worked is what tables have cost so far.
func (f *File) worked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.spent
}

// RunExamples plays the file's worked examples and gives an [*Error] for each that comes out otherwise.
func (f *File) RunExamples() []error {
	var errs []error
	before := f.worked()
	for _, e := range f.Examples() {
		if f.worked()-before > maxExampleWork {
			errs = append(errs, f.src.errorf(e.from.at, "the examples above take too long to compile; use fewer different options and seats"))
			break
		}
		if err := e.Run(); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// ReadExamples reads examples for the file from another text: a mapping with the key examples alone, written as in a rule file.
// The error is of the type [Errors]; name is what it calls the text.
func (f *File) ReadExamples(name string, text []byte) ([]Example, error) {
	src, root, errs := readYAML(name, text)
	if len(errs) > 0 {
		return nil, errs.inOrder()
	}
	b := &builder{src: src, file: f, vars: map[string]int{}, records: f.records, taken: map[string]string{}, told: map[string]bool{}}
	for i, v := range f.vars {
		b.vars[v.name] = i
	}
	const what = "a file of examples"
	list := b.readExamples(b.need(b.fields(root, what, "examples"), "examples", what))
	if b.part(); len(b.errs) > 0 {
		return nil, b.errs.inOrder()
	}
	return f.listed(list), nil
}
