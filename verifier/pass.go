package verifier

import (
	"time"

	"dudo.example/core/deal"
	"dudo.example/core/play"
	"dudo.example/core/record"
)

// maxDraws is how many draws the deals of one record can have. The longest game of the shipped rules takes some thousands.
const maxDraws = 1 << 20

// pass is one way through one record.
type pass struct {
	file
	options Options
	book    *rulebook
	report  *Report

	replay   *play.Replay
	open     record.Open
	started  bool
	deals    int
	draws    int
	scribe   scribe
	kept     int   // values of hands in the report
	keptUpTo int64 // event of the latest receipt that the user kept and that a key of theirs confirms, or -1
}

// run fills in the report. Its error says that the record gets no verdict.
func (p *pass) run() error {
	p.report.Receipt.Present = p.receipt != ""
	failure, err := p.events()
	if err != nil {
		return err
	}
	if failure == nil {
		failure = p.receipts(p.replay.Table().Head())
	}
	p.report.Failure = failure
	p.claims()
	return nil
}

// events derives every event again.
func (p *pass) events() (*Failure, error) {
	hex, ok := p.seed()
	if !ok {
		return p.withoutSeed(), nil
	}
	seed, err := deal.ParseSeed(hex)
	if err != nil {
		if f := p.form(); f != nil {
			return f, nil
		}
		return p.badSeed(hex), nil
	}
	p.replay = play.NewReplay(seed, p.accept)
	began := time.Now()
	for i, line := range p.lines {
		if i%16 == 15 && time.Since(began) > p.options.Patience {
			return nil, ErrTooCostly
		}
		e, err := p.replay.Next(line)
		if err != nil {
			f := p.explain(i, e, err)
			f.Event = int64(i)
			return f, nil
		}
		if err := p.note(e); err != nil {
			return nil, err
		}
	}
	if p.replay.Pending() {
		return p.truncated("the events that follow of themselves"), nil
	}
	if p.cut && p.receipt == "" {
		return p.truncated("a newline"), nil
	}
	return nil, nil
}

// accept is asked for the rules of the open event.
func (p *pass) accept(open record.Open) (play.Compile, error) {
	if f := checkOpen(open); f != nil {
		return nil, f
	}
	p.open = open
	p.report.GID, p.report.Origin = open.GID, open.Origin // both are plain: checkOpen saw to it
	return p.rules(open)
}

// withoutSeed finds what is wrong with a record that has no readable end event.
func (p *pass) withoutSeed() *Failure {
	if f := p.form(); f != nil {
		return f
	}
	f := p.truncated("an end event with the seed")
	if other := p.unfinished(f); other != nil {
		return other
	}
	return f
}

// form checks what can be said of the lines without the seed.
func (p *pass) form() *Failure {
	for i, line := range p.lines {
		e, err := record.Parse(line)
		var f *Failure
		switch {
		case err != nil:
			f = malformed(line, err)
		case e.N != int64(i):
			f = member("n", fail(CheckNumber, i, e.N, "events are numbered from 0"))
		default:
			continue
		}
		f.Event = int64(i)
		return f
	}
	return nil
}

func (p *pass) truncated(want string) *Failure {
	f := fail(CheckTruncated, want, "the end of the file", "the game was not over yet, or the record was cut short")
	f.Event = int64(len(p.lines))
	return f
}

func (p *pass) badSeed(hex string) *Failure {
	f := member("seed", fail(CheckSeed, "64 lower-case hex digits", hex, "the seed is none"))
	for i, line := range p.lines {
		if e, err := record.Parse(line); err == nil && e.Body.Type() == "end" {
			f.Event = int64(i)
			break
		}
	}
	return f
}

// note keeps what the report says of an event that was derived again.
func (p *pass) note(e record.Event) error {
	r := p.report
	if e.N == 0 {
		r.Start = e.T
	}
	r.Finish = e.T
	switch b := e.Body.(type) {
	case record.Join:
		r.Players = append(r.Players, Player{Seat: b.Seat, Name: Plain(b.Name, 40), Bot: b.Bot != nil})
	case record.Nonce:
		r.Players[b.Seat].Nonce = true
	case record.Start:
		p.started = true
	case record.Deal:
		p.deals = b.Deal
		for _, c := range b.Counts {
			p.draws += c.Value
		}
		if p.draws > maxDraws {
			return ErrTooCostly
		}
	case record.End:
		r.ended(b)
	}
	p.rounds(e)
	return nil
}
