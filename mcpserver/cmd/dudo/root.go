package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func root() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "dudo",
		Short: "Liar's dice for AI agents",
		Long: "Dudo serves liar's dice to AI agents over MCP. Every die is fixed before the first bid, every move is on disk before it is\n" +
			"answered, and anybody can verify a finished game with dudo-verify.\n\nExit codes: 0 done, 1 failed, 2 wrong usage.",
		Example:       "  dudo serve\n  dudo play",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          knownCommand,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.AddCommand(serveCommand(), playCommand(), smokeCommand(), loadCommand(), rulesCommand(), configCommand(), backupCommand(), restoreCommand(), keysCommand(), versionCommand(), manCommand(), botCommand())
	return cmd
}

func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("%s takes no argument %q", cmd.CommandPath(), args[0])}
	}
	return nil
}

// knownCommand refuses a word that is no command, with those that it may have been meant to be.
func knownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		return usageError{fmt.Errorf("there is no command %q; did you mean %s?", args[0], strings.Join(like, " or "))}
	}
	return usageError{fmt.Errorf("there is no command %q", args[0])}
}

func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError{fmt.Errorf("%s takes one argument, %s", cmd.CommandPath(), what)}
		}
		return nil
	}
}

// version is the module's version and commit, as the Go tool recorded them in the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && v == "(devel)" && len(s.Value) >= 12 {
			v = "devel-" + s.Value[:12]
		}
	}
	if v == "" {
		v = "devel"
	}
	return v
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "dudo", version())
			return err
		},
	}
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages into a folder",
		Args:  oneArg("the folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := filepath.Clean(args[0])
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			day := time.Time{}.AddDate(2025, 0, 0) // the same pages every time
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Section: "1", Source: "dudo", Date: &day}, dir)
		},
	}
}
