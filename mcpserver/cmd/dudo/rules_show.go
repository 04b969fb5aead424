package main

import (
	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"dudo.example/rules/manual"
)

func rulesShowCommand() *cobra.Command {
	var asJSON, source bool
	cmd := &cobra.Command{
		Use:   "show GAME",
		Short: "Say in words what a rule file says",
		Long: "Show says in words what a rule file says: the rules, options and presets, what there is and who sees it, what players do and when\n" +
			"they are refused, and the worked examples by name. With --source it prints the file itself, to write a variant of.",
		Args:              oneGame,
		ValidArgsFunction: completeGames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findRules(args[0])
			switch {
			case err != nil:
				return err
			case source:
				_, err := cmd.OutOrStdout().Write(f.Text)
				return err
			case asJSON:
				return writeJSON(cmd.OutOrStdout(), f.Describe())
			}
			bold := color.New(color.Bold)
			return manual.Write(cmd.OutOrStdout(), f.Describe(), func(heading string) string { return bold.Sprint(heading) })
		},
	}
	cmd.Flags().BoolVar(&source, "source", false, "print the file itself")
	jsonFlag(cmd, &asJSON)
	cmd.MarkFlagsMutuallyExclusive("source", "json")
	return cmd
}
