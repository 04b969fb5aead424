package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/rules"
)

// maxRuleFile is more than any rule file may have, so that one that is too large is refused by its reader.
const maxRuleFile = 1 << 20

// readRules reads and checks a rule file, its worked examples included.
func readRules(path string) (*rules.File, []error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, []error{err}
	}
	defer func() { _ = in.Close() }()
	text, err := io.ReadAll(io.LimitReader(in, maxRuleFile))
	if err != nil {
		return nil, []error{fmt.Errorf("read %s: %w", path, err)}
	}
	f, err := rules.Parse(path, text)
	if err != nil {
		return nil, []error{err}
	}
	return f, f.Check()
}

// loadRules gives the rule files on offer: those named, in order, then those that ship with the program. A file of a game that
// ships replaces it.
func loadRules(paths []string) ([]*rules.File, error) {
	var files []*rules.File
	for _, path := range paths {
		found := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if found, err = filepath.Glob(filepath.Join(path, "*.yaml")); err != nil {
				return nil, err
			}
			if len(found) == 0 {
				return nil, fmt.Errorf("there is no rule file, named *.yaml, in %s", path)
			}
		}
		for _, p := range found {
			f, errs := readRules(p)
			if len(errs) > 0 {
				return nil, errors.Join(errs...)
			}
			if slices.ContainsFunc(files, func(other *rules.File) bool { return other.Game == f.Game }) {
				return nil, fmt.Errorf("%s: the game %s is in another rule file too", p, f.Game)
			}
			files = append(files, f)
		}
	}
	shipped, err := rules.Library()
	if err != nil {
		return nil, err
	}
	for _, f := range shipped {
		if !slices.ContainsFunc(files, func(other *rules.File) bool { return other.Game == f.Game }) {
			files = append(files, f)
		}
	}
	return files, nil
}

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rules", Short: "Work on rule files", Args: knownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	check := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a rule file: its words, its order of bids, its worked examples",
		Long: "Check reads a rule file as serve would: every name and type, what each expression may see, the order of bids, the worked\n" +
			"examples, and small instances of the game walked whole. Exit code 1 and the place of each fault if there is any.",
		Args: oneArg("a rule file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, errs := readRules(args[0])
			if len(errs) > 0 {
				for _, err := range errs {
					fmt.Fprintln(cmd.ErrOrStderr(), err)
				}
				return fmt.Errorf("%s has %s", args[0], plural(len(errs), "fault"))
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n  %s\n  %d to %d seats, %s, sha256 %s\n", args[0], f.Game, f.Title,
				f.MinSeats, f.MaxSeats, plural(len(f.Options), "option"), f.Digest)
			for _, a := range f.Actions() {
				if a.Doc == "" {
					fmt.Fprintf(cmd.ErrOrStderr(), "note: action %s has no doc; serve needs one, since it is what players read\n", a.Name)
				}
			}
			return err
		},
	}
	list := &cobra.Command{
		Use:   "list",
		Short: "List the rule files that ship with the program",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := rules.Library()
			for _, f := range files {
				if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%-24s %s\n", f.Game, f.Title); err != nil {
					return err
				}
			}
			return err
		},
	}
	show := &cobra.Command{
		Use:   "show GAME",
		Short: "Print a rule file that ships with the program, to write a variant of",
		Args:  oneArg("a game, such as liars-dice/standard"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := rules.Library()
			if err != nil {
				return err
			}
			var games []string
			for _, f := range files {
				if f.Game == args[0] {
					_, err := cmd.OutOrStdout().Write(f.Text)
					return err
				}
				games = append(games, f.Game)
			}
			return usageError{fmt.Errorf("there is no game %q here; there is %s", args[0], strings.Join(games, ", "))}
		},
	}
	cmd.AddCommand(check, list, show)
	return cmd
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
