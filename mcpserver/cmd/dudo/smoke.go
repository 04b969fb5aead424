package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/verifier"
)

func smokeCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "smoke URL",
		Short: "Play a whole game against a running server and verify its record",
		Long: "Smoke takes a seat at a table of its own, plays a house bot to the end by the tools that agents use, downloads the record\n" +
			"and verifies it with the receipts it was given. Exit code 0 if all of that worked.",
		Example: "  dudo smoke http://127.0.0.1:8787",
		Args:    oneArg("the server's address, such as http://127.0.0.1:8787"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			return smoke(ctx, args[0], cmd.OutOrStdout())
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 5*time.Minute, "how long it may take")
	return cmd
}

func smoke(ctx context.Context, url string, out io.Writer) error {
	if !strings.Contains(url, "://") {
		url = "http://" + url
	}
	c := client.New(url, 2)
	defer c.Close()
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format+"\n", args...) }
	if err := c.Health(ctx); err != nil {
		return fmt.Errorf("%w; is a server running at %s?", err, url)
	}
	a := &client.Agent{Client: c, Name: "smoke", Rand: rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))}
	var table struct{ Table string }
	if err := c.Call(ctx, "create_table", map[string]any{"seats": 2, "public": false}, &table); err != nil {
		return fmt.Errorf("create a table: %w", err)
	}
	if err := a.Join(ctx, table.Table); err != nil {
		return fmt.Errorf("join the table: %w", err)
	}
	say("✓ seat %d at a table of its own", a.Seat)
	if err := a.Start(ctx, 1); err != nil {
		return fmt.Errorf("start the game: %w", err)
	}
	say("✓ game started against a house bot")
	round := 0
	end, err := a.Play(ctx, func(s client.State) {
		if s.Round > round {
			round = s.Round
			say("✓ round %d dealt", round)
		}
	})
	if err != nil {
		return fmt.Errorf("play: %w", err)
	}
	say("✓ game over after %s, places %v", plural(len(a.Receipts), "receipt"), end.Places)
	text, err := c.Record(ctx, a.Table)
	if err != nil {
		return err
	}
	return verifyRecord(text, a.Receipts, say)
}

// verifyRecord verifies a record and that every receipt is of it. The key is the record's own: it shows that one server
// signed all of it, not which.
func verifyRecord(text []byte, receipts []string, say func(string, ...any)) error {
	file, err := record.ReadFile(bytes.NewReader(text))
	if err != nil {
		return err
	}
	if len(file.Lines) == 0 {
		return record.ErrNoRecord
	}
	first, err := record.Parse(file.Lines[0])
	if err != nil {
		return err
	}
	open, ok := first.Body.(record.Open)
	if !ok {
		return fmt.Errorf("the record does not begin with an open event")
	}
	key, err := record.ParseKey(open.Key)
	if err != nil {
		return err
	}
	options := verifier.Options{Key: key}
	for _, text := range receipts {
		r, err := record.ParseReceipt(text)
		if err != nil {
			return err
		}
		options.Kept = append(options.Kept, r)
	}
	report, err := verifier.Verify(bytes.NewReader(text), options)
	if err != nil {
		return fmt.Errorf("verify the record: %w", err)
	}
	if report.Failure != nil {
		return fmt.Errorf("the record is refuted: %w", report.Failure)
	}
	say("✓ record verified: %s and %s", plural(len(file.Lines), "event"), plural(len(receipts), "kept receipt"))
	return nil
}
