package verifier

import "dudo.example/core/record"

// unfinished looks at a record that ends without a seed and whose lines are events. If the server signed it up to its last event
// the game is not over, which f then says. What it gives is another failure, of the server's key or of a receipt that the user kept.
func (p *pass) unfinished(f *Failure) *Failure {
	if len(p.lines) == 0 || p.receipt == "" {
		return nil
	}
	e, _ := record.Parse(p.lines[0]) // every line is an event: it has been looked at
	open, ok := e.Body.(record.Open)
	if !ok || checkOpen(open) != nil {
		return nil //nolint:nilerr // f says enough of such a record
	}
	p.open = open
	failure := p.receipts(record.HeadOf(p.lines))
	switch {
	case failure == nil:
	case failure.Check == CheckKey || failure.Check == CheckKept:
		return failure
	default:
		return nil // it was cut short, and the receipt is that of another end
	}
	p.report.Unfinished = true
	p.report.GID, p.report.Origin, p.report.Start = open.GID, open.Origin, e.T
	f.Sentence = "the game is not over: verify its record again when its last event has revealed the seed"
	return nil
}
