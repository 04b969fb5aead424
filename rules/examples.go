package rules

type example struct{}

func (b *builder) readExamples(*node) {}

// RunExamples plays the file's worked examples and gives what came out otherwise.
func (f *File) RunExamples() []error { return nil }

// Check runs the worked examples and walks small instances of the game.
func (f *File) Check() []error { return f.RunExamples() }
