package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

const long = `dudo-verify goes through the record of a game with nothing but the rules in it and the seed at its end: canonical
form, chain, commitment, every hand, every move, every clock, the facts and the places. It says what that proves and
what it does not.

The receipt at the end of a record is checked with the server's key. That key is yours to give, from a place that you
trust: with --key, or in a file of pins with an origin and its key a line. It is never taken from the record.

A receipt that you kept during the game (--receipt) shows whether the record is still the game that you were in.`

const example = `  dudo-verify game.jsonl
  dudo-verify --key 1qredKTRIo7nq8E16gz62Po1hNrqWroszoiB8qtUeik http://127.0.0.1:8787/record/ZCLP
  curl -s http://127.0.0.1:8787/record/ZCLP | dudo-verify --receipt 17.UKni… -`

const exitCodes = `
Exit codes:
  0  every record is verified
  1  a record is refuted
  2  a record gets no verdict: it cannot be read or fetched, or its game is not over; or this is not how to call dudo-verify
`

// command is one call of the program.
type command struct {
	in          io.Reader
	out, errOut io.Writer
	exit        int

	key      string
	pins     string
	receipts []string
	json     bool
	quiet    bool
	hands    bool
	patience time.Duration

	verifier *verifier.Verifier
	pinsPath string // of the pins that were read, or that would be
}

func (c *command) root() *cobra.Command {
	root := &cobra.Command{
		Use:               "dudo-verify FILE|URL|- …",
		Short:             "Verify the record of a game",
		Long:              long,
		Example:           example,
		Version:           version(),
		Args:              cobra.MinimumNArgs(1),
		RunE:              c.run,
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetUsageTemplate(root.UsageTemplate() + exitCodes)
	root.SetVersionTemplate("dudo-verify {{.Version}}\n")
	f := root.Flags()
	f.SortFlags = false
	c.keyFlags(f)
	f.StringArrayVar(&c.receipts, "receipt", nil, "a receipt that you kept; can be given several times, with one record")
	f.BoolVar(&c.json, "json", false, "one JSON object a record")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "say nothing of records that are verified, and one line of others")
	f.BoolVar(&c.hands, "hands", false, "show every hand of each round, to hold against what you were shown")
	f.DurationVar(&c.patience, "patience", verifier.Patience, "how long the moves of one record may take")
	f.Bool("version", false, "print the version")
	root.AddCommand(c.evidence())
	return root
}

// keyFlags declares how the user tells which keys are a server's.
func (c *command) keyFlags(f *pflag.FlagSet) {
	f.StringVar(&c.key, "key", "", "the server's public key, 43 characters of base64url")
	f.StringVar(&c.pins, "pins", "", "file with an origin and its key a line (default: dudo/keys in your config folder)")
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

func (c *command) run(cmd *cobra.Command, sources []string) error {
	o, err := c.options(len(sources))
	if err != nil {
		return err
	}
	if c.verifier, err = verifier.New(o); err != nil {
		return err
	}
	for i, source := range sources {
		if i > 0 && !c.json && !c.quiet {
			fmt.Fprintln(c.out)
		}
		code, err := c.one(cmd.Context(), source)
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
		c.exit = worse(c.exit, code)
	}
	return nil
}

func (c *command) options(files int) (verifier.Options, error) {
	o := verifier.Options{Patience: c.patience}
	if c.key != "" {
		key, err := record.ParseKey(c.key)
		if err != nil {
			return o, fmt.Errorf("--key: %w", err)
		}
		o.Key = key
	}
	if len(c.receipts) > 0 && files > 1 {
		return o, errors.New("--receipt goes with one record: it is of one game")
	}
	for _, text := range c.receipts {
		r, err := record.ParseReceipt(text)
		if err != nil {
			return o, fmt.Errorf("--receipt: %w", err)
		}
		o.Kept = append(o.Kept, r)
	}
	pins, err := c.readPins()
	if err != nil {
		return o, err
	}
	o.Pins = pins
	return o, nil
}

// readPins reads the user's pins. The file of the config folder need not exist; one that was named must.
func (c *command) readPins() (verifier.Pins, error) {
	c.pinsPath = c.pins
	if c.pins == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil, nil // without a config folder there are no pins
		}
		c.pinsPath = filepath.Join(folder, "dudo", "keys")
	}
	f, err := os.Open(c.pinsPath)
	if errors.Is(err, os.ErrNotExist) && c.pins == "" {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pins: %w", err)
	}
	defer f.Close()
	pins, err := verifier.ReadPins(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.pinsPath, err)
	}
	return pins, nil
}

// one verifies one record and writes what came of it. The error is one of writing.
func (c *command) one(ctx context.Context, source string) (int, error) {
	report, err := c.verify(ctx, source)
	err = advise(source, err)
	v := verifier.NewVerdict(source, report, err)
	var b bytes.Buffer
	switch {
	case c.json:
		b.Write(v.JSON())
	case v.Verdict == verifier.Unreadable:
		fmt.Fprintf(c.errOut, "dudo-verify: %s: %s\n", source, v.Error)
	case c.quiet && v.Verdict == verifier.Unfinished:
		fmt.Fprintf(&b, "%s: unfinished: %s\n", source, report.Failure.Sentence)
	case c.quiet && v.Verdict == verifier.Refuted:
		fmt.Fprintf(&b, "%s: %s: %v\n", source, v.Verdict, report.Failure)
	case !c.quiet:
		p := printer{Buffer: &b, colour: isTerminal(c.out), hands: c.hands}
		p.report(source, report, c.pinsPath)
	}
	_, err = c.out.Write(b.Bytes())
	return exitCode(v.Verdict), err
}

// advise says what to do about a record that gets no verdict, where it is not plain.
func advise(source string, err error) error {
	switch {
	case errors.Is(err, verifier.ErrTooCostly):
		return fmt.Errorf("%w; --patience gives it more time", err)
	case errors.Is(err, verifier.ErrNotRecord) && isAddress(source) && !strings.Contains(source, "/record/"):
		return fmt.Errorf("%w; a record's address is such as http://127.0.0.1:8787/record/ZCLP", err)
	}
	return err
}

func (c *command) verify(ctx context.Context, source string) (*verifier.Report, error) {
	r, err := c.open(ctx, source)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return c.verifier.Verify(r)
}

// isTerminal reports whether somebody reads along who may be shown colours.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
