package record_test

import (
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"dudo.example/core/record"
	"dudo.example/core/record/logtest"
)

func TestMemory(t *testing.T) {
	t.Cleanup(func() { goleak.VerifyNone(t) })
	open := func(t *testing.T) (record.Store, func(time.Duration)) {
		var passed atomic.Int64
		start := time.Unix(1_764_500_000, 0)
		m := record.NewMemory(func() time.Time { return start.Add(time.Duration(passed.Load())) })
		t.Cleanup(func() {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
		return m, func(d time.Duration) { passed.Add(int64(d)) }
	}
	logtest.Run(t, func(t *testing.T) record.Log {
		m, _ := open(t)
		return m
	})
	logtest.RunStore(t, open)
}
