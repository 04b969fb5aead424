package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/mcpserver/rulebook"
	"dudo.example/rules"
)

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
			f, errs := rulebook.Read(args[0])
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
