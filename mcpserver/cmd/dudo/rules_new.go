package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/rules/starter"
)

func rulesNewCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "new [NAME]",
		Short: "Begin a rule file: the standard game, with notes on what to change",
		Long: "New writes a file to begin with, NAME.yaml: the standard game, which is right as it stands, with notes for people who know YAML.\n" +
			"Without a name it prints the file. It never writes over a file.",
		Example: "  dudo rules new sixes-wild",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				text, err := starter.File(starter.Mine)
				if err == nil {
					_, err = cmd.OutOrStdout().Write(text)
				}
				return err
			}
			if len(args) > 1 {
				return usageError{fmt.Errorf("%s takes one name", cmd.CommandPath())}
			}
			return newRules(cmd, strings.TrimSuffix(args[0], ".yaml"))
		},
	}
}

func newRules(cmd *cobra.Command, name string) error {
	game := name
	if !strings.Contains(name, "/") {
		game = path.Join(path.Dir(starter.Mine), name)
	}
	text, err := starter.File(game)
	if err != nil {
		return usageError{fmt.Errorf("%q cannot be the name of a game: use small letters, digits and -, such as sixes-wild", name)}
	}
	file := path.Base(name) + ".yaml"
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) //nolint:gosec // no secret, and a server of another user reads it
	if err != nil {
		return usageError{err}
	}
	if _, err := out.Write(text); err != nil {
		_ = out.Close()
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is the standard game as %s. Change it, and look what you have got:\n  dudo rules check %s\n", file, game, file)
	return err
}
