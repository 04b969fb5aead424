package hostile

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"

	"dudo.example/core/deal"
	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/rules"
)

const (
	origin = "dudo.example"
	gid    = "ZCLP-0A1B2C3D"
)

// log is the log of a game in the making.
type log struct {
	seed  deal.Seed
	table *play.Table
	lines []record.Line
	size  int
	now   int64
}

// Record is the record of a game in which seat 0 passes again and again. Where the rules fail, or do not even load, it states what
// was decided all the same.
func (g Game) Record() ([]byte, error) {
	l := &log{seed: sha256.Sum256([]byte(g.Name)), now: 1764500000000}
	seats := max(1, g.Seats)
	open := record.Open{
		Origin: origin, GID: gid, Key: record.KeyText(Key().Public().(ed25519.PublicKey)), Seats: seats, TurnSeconds: 60, Public: true,
		Rules: record.Rules{Game: "test/hostile", SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(g.Rules))), Text: g.Rules},
	}
	f, err := rules.Parse("rules", []byte(g.Rules))
	compile := func(players int) (*machine.Game, error) {
		if err != nil {
			return nil, err
		}
		return f.Compile(players, nil)
	}
	if err := l.add(play.New(l.now, open, l.seed, compile), nil); err != nil {
		return nil, err
	}
	for i := range seats {
		if err := l.add(l.table.Join(l.now, fmt.Sprint("p", i), nil)); err != nil {
			return nil, err
		}
	}
	if err := l.add(l.table.Start(l.now, 0)); err != nil {
		l.force(record.Start{})
	}
	for moves := 1; l.table.Status() == play.Live; moves++ {
		pass := record.Act{Action: "pass"}
		b, err := l.table.Act(l.now, 0, play.Move{Action: pass.Action})
		if err != nil {
			l.force(pass)
			break
		}
		if !l.fits(b.Lines) || b.Next.End() != nil || moves == g.Moves {
			break
		}
		if err := l.add(b, nil); err != nil {
			return nil, err
		}
		for g.Moves == 0 && len(b.Lines) == 1 && len(l.lines) < record.MaxLines-2 { // a pass leads to nothing else
			l.force(pass)
		}
	}
	return l.file()
}

func (l *log) add(b *play.Batch, err error) error {
	if err == nil {
		l.table = b.Next
		l.append(b.Lines...)
	}
	return err
}

func (l *log) append(lines ...record.Line) {
	for _, line := range lines {
		l.size += len(line) + 1
	}
	l.lines = append(l.lines, lines...)
}

// fits reports whether the lines, an end and a receipt have room.
func (l *log) fits(lines []record.Line) bool {
	size := l.size + 1000
	for _, line := range lines {
		size += len(line) + 1
	}
	return size <= record.MaxRecord && len(l.lines)+len(lines) <= record.MaxLines-2
}

// force adds an event, whatever the rules say.
func (l *log) force(body record.Body) {
	l.append(record.Event{N: int64(len(l.lines)), T: l.now, Body: body}.Encode())
}

// file ends the log with the seed and signs it.
func (l *log) file() ([]byte, error) {
	l.force(record.End{Reason: record.ReasonAbandoned, Seed: l.seed.Hex()})
	var b bytes.Buffer
	f := record.File{Lines: l.lines, Receipt: record.Sign(Key(), origin, gid, int64(len(l.lines)-1), record.HeadOf(l.lines)).String()}
	err := f.Write(&b)
	return b.Bytes(), err
}
