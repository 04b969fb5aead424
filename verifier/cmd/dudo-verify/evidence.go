package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

const evidenceLong = `Evidence holds two statements of one server against each other. If it signed two histories of one game, they prove it to
anybody: an honest server signs one history, which only grows.

A statement is a record with its receipt, of a finished game or not; a receipt that you kept during the game, as it is, if
the other statement is a record of that game; or a line such as

  {"gid":"ZCLP-0A1B2C3D","key":"1qre…","origin":"dudo.example","receipt":"17.UKni…"}

The key is the one in the statements. Whether it is the server's that you know, --key or a file of pins says.`

const evidenceCodes = `
Exit codes:
  0  proved: the server signed two histories of one game
  1  not proved
  2  a statement cannot be read or fetched, or this is not how to call it
`

func (c *command) evidence() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "evidence A B",
		Short:   "Prove that a server signed two histories of one game",
		Long:    evidenceLong,
		Example: "  dudo-verify evidence mine.jsonl theirs.jsonl\n  dudo-verify evidence 17.UKni… http://127.0.0.1:8787/record/ZCLP",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			found, err := c.contradiction(cmd.Context(), args)
			if err != nil {
				return err
			}
			return c.tell(found)
		},
	}
	cmd.SetUsageTemplate(cmd.UsageTemplate() + evidenceCodes)
	f := cmd.Flags()
	c.keyFlags(f)
	f.BoolVar(&c.json, "json", false, "one JSON object")
	return cmd
}

// finding is what two statements came to.
type finding struct {
	Proved bool   `json:"proved"`
	Reason string `json:"reason,omitempty"` // why not
	Origin string `json:"origin,omitempty"`
	GID    string `json:"gid,omitempty"`
	Key    string `json:"key,omitempty"`
	Known  bool   `json:"known"` // the key is one that the user gave or pinned
	Event  int64  `json:"event"`
	// Heads are the two that the server signed the event with.
	Heads []record.Head `json:"heads,omitempty"`
}

func (c *command) contradiction(ctx context.Context, args []string) (*finding, error) {
	o, err := c.options(0)
	if err != nil {
		return nil, err
	}
	var s [2]verifier.Statement
	bare := -1
	for i, arg := range args {
		if _, err := record.ParseReceipt(arg); err == nil {
			if bare >= 0 {
				return nil, errors.New("two bare receipts do not say which game they are of; give one with its game, see dudo-verify evidence --help")
			}
			bare = i
			continue
		}
		if s[i], err = c.statement(ctx, arg); err != nil {
			return nil, fmt.Errorf("%s: %w", arg, err)
		}
	}
	switch bare {
	case 0:
		s[0], err = verifier.ReceiptStatement(args[0], s[1])
	case 1:
		s[1], err = verifier.ReceiptStatement(args[1], s[0])
	}
	if err != nil {
		return nil, err
	}
	f := &finding{Origin: s[0].Origin, GID: s[0].GID, Key: record.KeyText(s[0].Key)}
	if f.Known = o.Pins.Knows(f.Origin, s[0].Key); o.Key != nil {
		f.Known = o.Key.Equal(s[0].Key)
	}
	found, err := verifier.Contradict(s[0], s[1])
	var no *verifier.NoContradiction
	switch {
	case errors.As(err, &no):
		f.Reason = no.Reason
	case err != nil:
		return nil, err
	case o.Key != nil && !f.Known:
		f.Reason = "another key signed them than the one that you gave"
	default:
		f.Proved, f.Event, f.Heads = true, found.Event, found.Heads[:]
	}
	return f, nil
}

func (c *command) statement(ctx context.Context, source string) (verifier.Statement, error) {
	r, err := c.open(ctx, source)
	if err != nil {
		return verifier.Statement{}, err
	}
	defer r.Close()
	return verifier.ReadStatement(r)
}

// tell prints a finding and sets the exit code.
func (c *command) tell(f *finding) error {
	if !f.Proved {
		c.exit = exitRefuted
	}
	if c.json {
		e := json.NewEncoder(c.out)
		e.SetEscapeHTML(false)
		return e.Encode(f)
	}
	p := printer{colour: isTerminal(c.out)}
	if !f.Proved {
		_, err := fmt.Fprintf(c.out, "not proved: %s\n", f.Reason)
		return err
	}
	gid, origin := verifier.Plain(f.GID, 40), verifier.Plain(f.Origin, 60) // a stranger's words
	whose := "the key that you know as " + origin + "'s"
	if !f.Known {
		whose = "a key that both statements name; that it is " + origin + "'s you have to know from elsewhere"
	}
	_, err := fmt.Fprintf(c.out, "%s game %s of %s has two histories, with different heads after event %d:\n  %s\n  %s\n%s both are signed by %s, %s\n%s\n",
		p.paint(green, "✓"), gid, origin, f.Event, f.Heads[0], f.Heads[1],
		p.paint(green, "✓"), f.Key, whose,
		p.paint(red, "proved: the server with this key signed two histories of one game"))
	return err
}
