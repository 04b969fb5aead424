package load

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/verifier"
)

// played is a finished game: what is needed to verify it.
type played struct {
	table    string
	receipts []string
}

// verification downloads records and verifies them with the receipts that the players kept.
type verification struct {
	client   *client.Client
	verifier *verifier.Verifier
	kept     atomic.Int64 // receipts that wait

	mu       sync.Mutex
	waiting  []played
	key      ed25519.PublicKey // of the first record; all others must be of the same server
	verified int64
	receipts int64
	failed   int64
	failures []string
}

// mostKept is how many receipts wait for the end of a run, about 30 MB. Games that end later are verified at once, so that the
// driver's memory is bounded.
const mostKept = 200_000

func newVerification(c *client.Client) (*verification, error) {
	v, err := verifier.New(verifier.Options{})
	if err != nil {
		return nil, err
	}
	return &verification{client: c, verifier: v}, nil
}

// add takes a finished game.
func (v *verification) add(ctx context.Context, p played) {
	if v.kept.Add(int64(len(p.receipts))) > mostKept {
		v.kept.Add(-int64(len(p.receipts)))
		v.one(ctx, p)
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.waiting = append(v.waiting, p)
}

// all verifies what waits. step is told after each.
func (v *verification) all(ctx context.Context, step func()) {
	const workers = 2
	work := make(chan played)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for p := range work {
				v.one(ctx, p)
				step()
			}
		})
	}
	for _, p := range v.waiting {
		work <- p
	}
	close(work)
	group.Wait()
}

func (v *verification) one(ctx context.Context, p played) {
	err := v.verify(ctx, p)
	v.mu.Lock()
	defer v.mu.Unlock()
	if err == nil {
		v.verified++
		v.receipts += int64(len(p.receipts))
		return
	}
	v.failed++
	if len(v.failures) < mostTexts {
		v.failures = append(v.failures, fmt.Sprintf("table %s: %v", p.table, err))
	}
}

func (v *verification) verify(ctx context.Context, p played) error {
	text, err := v.client.Record(ctx, p.table)
	if err != nil {
		return err
	}
	key, err := v.keyOf(text)
	if err != nil {
		return err
	}
	o := verifier.Options{Key: key}
	for _, text := range p.receipts {
		receipt, err := record.ParseReceipt(text)
		if err != nil {
			return fmt.Errorf("receipt %q: %w", text, err)
		}
		o.Kept = append(o.Kept, receipt)
	}
	report, err := v.verifier.With(o).Verify(bytes.NewReader(text))
	switch {
	case err != nil:
		return err
	case report.Failure != nil:
		return report.Failure
	case report.Ending == nil || report.Ending.Places == nil:
		return errors.New("the record ends before the game does")
	}
	return nil
}

// keyOf is the server's key: that of the first record.
func (v *verification) keyOf(text []byte) (ed25519.PublicKey, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.key != nil {
		return v.key, nil
	}
	file, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	first, err := record.Parse(file.Lines[0])
	if err != nil {
		return nil, err
	}
	open, ok := first.Body.(record.Open)
	if !ok {
		return nil, errors.New("the record does not begin with an open event")
	}
	v.key, err = record.ParseKey(open.Key)
	return v.key, err
}
