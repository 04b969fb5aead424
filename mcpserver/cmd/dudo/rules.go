package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

const rulesHelp = `A game is a rule file. These commands show what a file says, find what is wrong with it, and play by it.

GAME is a file, the id of a game that ships (liars-dice/perudo), or the last part of one (perudo).

Exit codes: 0 fine, 1 faults found or games that differ, 2 wrong usage or a file that is not there.`

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rules", Short: "Show, check, play and compare rule files, and begin one", Long: rulesHelp,
		Example: "  dudo rules show perudo\n  dudo rules new sixes-wild\n  dudo rules check sixes-wild.yaml\n  dudo rules diff liars-dice/standard sixes-wild.yaml",
		Args:    knownCommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(rulesListCommand(), rulesShowCommand(), rulesNewCommand(), rulesCheckCommand(), rulesTestCommand(), rulesPlayCommand(),
		rulesDiffCommand(), rulesSchemaCommand())
	return cmd
}

// jsonFlag is the flag of every command whose output programs can read.
func jsonFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "json", false, "print JSON, for programs")
}

func writeJSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
