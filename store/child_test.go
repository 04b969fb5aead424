package store_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"

	"dudo.example/core/record"
	"dudo.example/store"
)

// The test binary is its own subprocess: with DUDO_STORE_CHILD it appends to
// the store in the folder that is its argument, instead of running tests.
func TestMain(m *testing.M) {
	mode := os.Getenv("DUDO_STORE_CHILD")
	if mode == "" {
		os.Exit(m.Run())
	}
	if err := child(mode, os.Args[len(os.Args)-1]); err != nil {
		fmt.Println("error", err)
		os.Exit(3)
	}
}

// process is a child, the lines it prints and what it reads.
type process struct {
	*exec.Cmd
	out *bufio.Scanner
	in  io.Writer
}

// startChild runs this binary as a child, perhaps under another command.
func startChild(t *testing.T, mode, dir string, under ...string) process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	args := append(under, self, dir)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "DUDO_STORE_CHILD="+mode)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return process{cmd, bufio.NewScanner(out), in}
}

func child(mode, dir string) error {
	o := small
	switch mode {
	case "fill":
		o = store.Options{FloorNew: 192 << 20, Floor: 160 << 20}
	case "last":
		o = store.Options{FloorNew: 2 << 20, Floor: 1 << 20}
	}
	s, err := store.Open(dir, o)
	if err != nil {
		return err
	}
	switch mode {
	case "hold":
		fmt.Println("open")
		select {}
	case "few":
		for n := range record.Rev(20) {
			if _, err := s.Append(context.Background(), "T", n, []record.Line{childLine("T", n)}); err != nil {
				return err
			}
			ack("T", n+1)
		}
		return nil // without Close
	case "many":
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Go(func() {
				if err := goOn(s, fmt.Sprintf("T%d", w)); err != nil {
					fmt.Println("error", err)
				}
			})
		}
		wg.Wait()
	case "fill":
		if err := fill(s); err != nil {
			return err
		}
	case "last":
		return last(s)
	}
	return s.Close()
}

// ack tells the parent that an append was acknowledged, in one write that a
// SIGKILL does not cut.
func ack(table string, rev record.Rev) {
	_, _ = os.Stdout.WriteString(fmt.Sprintf("ack %s %d\n", table, rev))
}

func childLine(table string, n record.Rev) record.Line {
	return record.Line(fmt.Sprintf(`{"n":%d,"table":%q}`, n, table))
}

// goOn appends to a table for ever, from where its log ends, one to three lines
// at a time; with each append goes a private value that says how far.
func goOn(s *store.Store, table string) error {
	ctx := context.Background()
	at := record.Rev(0)
	for _, err := range s.Read(ctx, table, 0) {
		if errors.Is(err, record.ErrNotFound) {
			break
		}
		if err != nil {
			return err
		}
		at++
	}
	for {
		var lines []record.Line
		for n := at; n <= at+at%3; n++ {
			lines = append(lines, childLine(table, n))
		}
		private := map[string][]byte{"rev": fmt.Append(nil, at+record.Rev(len(lines)))}
		rev, err := s.AppendPrivate(ctx, table, at, lines, private)
		if err != nil {
			return err
		}
		at = rev
		ack(table, at)
	}
}

// fill appends lines that do not compress to one table after another until
// there is no room for a new one, then to the first until there is none at
// all, and then deletes one.
func fill(s *store.Store) error {
	ctx := context.Background()
	revs := map[string]record.Rev{}
	put := func(table string) error {
		n := revs[table]
		rev, err := s.Append(ctx, table, n, []record.Line{noise(table, n)})
		if err == nil {
			revs[table] = rev
			ack(table, rev)
		}
		return err
	}
	for i := 0; ; i++ {
		if err := put(fmt.Sprintf("F%d", i)); errors.Is(err, record.ErrFull) {
			fmt.Println("no new table:", err)
			break
		} else if err != nil {
			return err
		}
	}
	if err := put("F0"); err != nil {
		return fmt.Errorf("an append where only new tables are refused: %w", err)
	}
	for {
		if err := put("F0"); errors.Is(err, record.ErrFull) {
			fmt.Println("no append:", err)
			break
		} else if err != nil {
			return err
		}
	}
	if err := s.Delete(ctx, "F1"); err != nil {
		return fmt.Errorf("delete on a full disk: %w", err)
	}
	return nil
}

// last appends a little, waits until the parent has taken what room there is,
// and appends once more.
func last(s *store.Store) error {
	ctx := context.Background()
	n := record.Rev(0)
	for ; n < 50; n++ {
		if _, err := s.Append(ctx, "L", n, []record.Line{noise("L", n)}); err != nil {
			return err
		}
		ack("L", n+1)
	}
	fmt.Println("ready")
	if _, err := fmt.Scanln(new(string)); err != nil {
		return err
	}
	_, err := s.Append(ctx, "L", n, []record.Line{noise("L", n)})
	if !errors.Is(err, record.ErrFull) {
		return fmt.Errorf("an append on a disk without a byte: %w", err)
	}
	fmt.Println("no byte:", err)
	return nil
}

// noise is a line of 60 KB that does not compress, the same for the same n.
func noise(table string, n record.Rev) record.Line {
	var seed [32]byte
	copy(seed[:], fmt.Sprint(n, table))
	raw := make([]byte, 45_000)
	_, _ = rand.NewChaCha8(seed).Read(raw) // never fails
	return record.Line(fmt.Sprintf(`{"n":%d,"noise":%q}`, n, base64.StdEncoding.EncodeToString(raw)))
}
