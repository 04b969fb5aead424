package logtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"dudo.example/core/record"
)

// RunStore tests what a Store does besides a Log. Every call of open gives an
// empty one, which open closes by t.Cleanup, and a function that lets time
// pass for it, by a clock of the test's or by waiting.
func RunStore(t *testing.T, open func(t *testing.T) (s record.Store, pass func(time.Duration))) {
	tests := []struct {
		name string
		run  func(t *testing.T, s record.Store, pass func(time.Duration))
		wait bool // for time to pass: with the others that do
	}{
		{"private values come with the append or not at all", private, false},
		{"private values change without a line", privateAlone, false},
		{"every table is listed", tables, false},
		{"a table expires whole", expires, true},
		{"a later expiry replaces an earlier", expiresLater, true},
		{"a name can be had again after expiry", expiresAgain, true},
		{"a deleted table is gone whole", deletes, false},
		{"after Close all is ErrClosed", closes, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.wait {
				t.Parallel()
			}
			s, pass := open(t)
			tt.run(t, s, pass)
		})
	}
}

func mustPrivate(t *testing.T, s record.Store, table string, after, to record.Rev, private map[string][]byte) {
	t.Helper()
	got, err := s.AppendPrivate(t.Context(), table, after, lines(table, after, to), private)
	if err != nil || got != to {
		t.Fatalf("AppendPrivate(%s, %d) = %d, %v, want %d", table, after, got, err, to)
	}
}

func keeps(t *testing.T, s record.Store, table string, want map[string]string) {
	t.Helper()
	got, err := s.Private(t.Context(), table)
	if err != nil {
		t.Fatalf("Private(%s): %v", table, err)
	}
	if len(got) != len(want) {
		t.Errorf("Private(%s) has %d values, want %d", table, len(got), len(want))
	}
	for name, value := range want {
		if got[name] == nil || string(got[name]) != value {
			t.Errorf("Private(%s)[%s] = %q, want %q", table, name, got[name], value)
		}
	}
}

func gone(t *testing.T, s record.Store, table string) {
	t.Helper()
	if err := firstErr(s, table); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Read(%s): %v, want ErrNotFound", table, err)
	}
	if p, err := s.Private(t.Context(), table); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Private(%s): %d values, %v, want ErrNotFound", table, len(p), err)
	}
	if slices.Contains(listed(t, s), table) {
		t.Errorf("%s is still listed", table)
	}
}

func listed(t *testing.T, s record.Store) []string {
	t.Helper()
	var names []string
	for name, err := range s.Tables(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

func private(t *testing.T, s record.Store, _ func(time.Duration)) {
	if _, err := s.Private(t.Context(), "A"); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Private of no table: %v, want ErrNotFound", err)
	}
	seed := []byte{0, 1, '\n', 0xff}
	mustPrivate(t, s, "A", 0, 1, map[string][]byte{"seed": seed, "token.0": []byte("h0"), "none": {}})
	seed[0] = 9 // the store has its own copy
	mustPrivate(t, s, "AA", 0, 1, map[string][]byte{"seed": []byte("other")})
	keeps(t, s, "A", map[string]string{"seed": "\x00\x01\n\xff", "token.0": "h0", "none": ""})

	_, err := s.AppendPrivate(t.Context(), "A", 0, lines("A", 0, 1), map[string][]byte{"seed": []byte("new")})
	if !errors.Is(err, record.ErrConflict) {
		t.Errorf("AppendPrivate at another revision: %v, want ErrConflict", err)
	}
	_, err = s.AppendPrivate(t.Context(), "A", 1, lines("A", 1, 2), map[string][]byte{"seed": []byte("new"), "a b": nil})
	if err == nil {
		t.Error("a private value with a space in its name was taken")
	}
	keeps(t, s, "A", map[string]string{"seed": "\x00\x01\n\xff", "token.0": "h0", "none": ""})

	mustPrivate(t, s, "A", 1, 2, map[string][]byte{"token.0": nil, "token.1": []byte("h1"), "absent": nil, "none": []byte("some")})
	keeps(t, s, "A", map[string]string{"seed": "\x00\x01\n\xff", "token.1": "h1", "none": "some"})
	keeps(t, s, "AA", map[string]string{"seed": "other"})
	holds(t, s, "A", 0, 2)

	got, err := s.Private(t.Context(), "AA")
	if err != nil {
		t.Fatal(err)
	}
	got["seed"][0] = 'X' // the caller has its own copy
	keeps(t, s, "AA", map[string]string{"seed": "other"})
}

func privateAlone(t *testing.T, s record.Store, _ func(time.Duration)) {
	value := map[string][]byte{"setting": []byte("x")}
	if _, err := s.AppendPrivate(t.Context(), "A", 0, nil, value); err == nil {
		t.Error("a table was created without a line")
	}
	if _, err := s.AppendPrivate(t.Context(), "A", 1, nil, value); !errors.Is(err, record.ErrConflict) {
		t.Errorf("private values for no table: %v, want ErrConflict", err)
	}
	must(t, s, "A", 0, 2)
	wakes, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.AppendPrivate(t.Context(), "A", 2, nil, value); err != nil || got != 2 {
		t.Fatalf("AppendPrivate of no line = %d, %v, want 2", got, err)
	}
	if _, err := s.AppendPrivate(t.Context(), "A", 1, nil, value); !errors.Is(err, record.ErrConflict) {
		t.Errorf("private values at another revision: %v, want ErrConflict", err)
	}
	keeps(t, s, "A", map[string]string{"setting": "x"})
	must(t, s, "A", 2, 3)
	if got, want := next(t, wakes), (record.Wake{Table: "A", Rev: 3}); got != want {
		t.Errorf("wake %v, want %v: private values are nobody's to hear of", got, want)
	}
}

func tables(t *testing.T, s record.Store, _ func(time.Duration)) {
	if got := listed(t, s); len(got) != 0 {
		t.Errorf("an empty store lists %v", got)
	}
	var want []string
	for i := range 60 {
		want = append(want, fmt.Sprintf("T-%03d", i))
	}
	want = append(want, "a", "~")
	for _, name := range slices.Backward(want) {
		must(t, s, name, 0, 1)
	}
	if got := listed(t, s); !slices.Equal(got, want) {
		t.Errorf("Tables gave %v", got)
	}
	n := 0
	for range s.Tables(t.Context()) {
		if n++; n == 3 {
			break
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.Tables(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Tables with an ended context: %v", err)
		}
		break
	}
}

func expires(t *testing.T, s record.Store, pass func(time.Duration)) {
	if err := s.Expire(t.Context(), "A", time.Minute); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Expire of no table: %v, want ErrNotFound", err)
	}
	mustPrivate(t, s, "A", 0, 3, map[string][]byte{"seed": []byte("x")})
	mustPrivate(t, s, "B", 0, 3, map[string][]byte{"seed": []byte("y")})
	if err := s.Expire(t.Context(), "A", 0); err == nil {
		t.Error("an expiry in no time was taken")
	}
	if err := s.Expire(t.Context(), "A", 2*time.Second); err != nil {
		t.Fatal(err)
	}
	holds(t, s, "A", 0, 3)
	must(t, s, "A", 3, 5) // ends with the table
	keeps(t, s, "A", map[string]string{"seed": "x"})
	pass(4 * time.Second)
	gone(t, s, "A")
	if _, err := s.Append(t.Context(), "A", 5, lines("A", 5, 6)); !errors.Is(err, record.ErrConflict) {
		t.Errorf("Append to an expired table: %v, want ErrConflict", err)
	}
	if err := s.Expire(t.Context(), "A", time.Hour); !errors.Is(err, record.ErrNotFound) {
		t.Errorf("Expire of an expired table: %v, want ErrNotFound", err)
	}
	gone(t, s, "A")
	holds(t, s, "B", 0, 3)
	keeps(t, s, "B", map[string]string{"seed": "y"})
}

func expiresLater(t *testing.T, s record.Store, pass func(time.Duration)) {
	must(t, s, "A", 0, 1)
	for _, after := range []time.Duration{2 * time.Second, time.Hour} {
		if err := s.Expire(t.Context(), "A", after); err != nil {
			t.Fatal(err)
		}
	}
	pass(4 * time.Second)
	holds(t, s, "A", 0, 1)
	must(t, s, "A", 1, 2)
}

func expiresAgain(t *testing.T, s record.Store, pass func(time.Duration)) {
	mustPrivate(t, s, "A", 0, 6, map[string][]byte{"seed": []byte("old"), "token.0": []byte("h")})
	if err := s.Expire(t.Context(), "A", 2*time.Second); err != nil {
		t.Fatal(err)
	}
	pass(4 * time.Second)
	mustPrivate(t, s, "A", 0, 2, map[string][]byte{"seed": []byte("new")})
	holds(t, s, "A", 0, 2)
	keeps(t, s, "A", map[string]string{"seed": "new"})
}

func deletes(t *testing.T, s record.Store, _ func(time.Duration)) {
	if err := s.Delete(t.Context(), "A"); err != nil {
		t.Errorf("Delete of no table: %v", err)
	}
	mustPrivate(t, s, "A", 0, 6, map[string][]byte{"seed": []byte("old"), "token.0": []byte("h")})
	mustPrivate(t, s, "A-", 0, 1, map[string][]byte{"seed": []byte("other")})
	// A reader in the midst of it sees the old table or an error, no mixture.
	n := record.Rev(0)
	for line, err := range s.Read(t.Context(), "A", 0) {
		if err != nil {
			break
		}
		if want := lines("A", n, n+1)[0]; line != want {
			t.Errorf("a read across Delete gave %s, want %s", line, want)
		}
		if n++; n == 1 {
			if err := s.Delete(t.Context(), "A"); err != nil {
				t.Fatal(err)
			}
			gone(t, s, "A")
			mustPrivate(t, s, "A", 0, 1, map[string][]byte{"seed": []byte("new")})
		}
	}
	if err := s.Delete(t.Context(), "A"); err != nil {
		t.Fatal(err)
	}
	gone(t, s, "A")
	mustPrivate(t, s, "A", 0, 2, map[string][]byte{"seed": []byte("newest")})
	holds(t, s, "A", 0, 2)
	keeps(t, s, "A", map[string]string{"seed": "newest"})
	keeps(t, s, "A-", map[string]string{"seed": "other"})
}

func closes(t *testing.T, s record.Store, _ func(time.Duration)) {
	closer, ok := s.(io.Closer)
	if !ok {
		t.Skip("this store has no Close")
	}
	must(t, s, "A", 0, 1)
	wakes, err := s.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := closer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := closer.Close(); err != nil {
		t.Errorf("a second Close: %v", err)
	}
	if _, open := <-wakes; open {
		t.Error("a wake after Close")
	}
	ctx := t.Context()
	_, appendErr := s.Append(ctx, "A", 1, lines("A", 1, 2))
	_, privateErr := s.Private(ctx, "A")
	_, watchErr := s.Watch(ctx)
	var tablesErr error
	for _, tablesErr = range s.Tables(ctx) {
		break
	}
	for name, err := range map[string]error{
		"Append": appendErr, "Private": privateErr, "Watch": watchErr, "Tables": tablesErr,
		"Read": firstErr(s, "A"), "Expire": s.Expire(ctx, "A", time.Hour), "Delete": s.Delete(ctx, "A"),
	} {
		if !errors.Is(err, record.ErrClosed) {
			t.Errorf("%s after Close: %v, want ErrClosed", name, err)
		}
	}
}
