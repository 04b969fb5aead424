package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"dudo.example/plugins/bots/croupier"
	"dudo.example/plugins/host"
)

// houseBots are played by this program itself, in a process of their own.
func houseBots() ([]host.House, error) {
	self := "/proc/self/exe" // this very program, whatever an upgrade puts in its place
	if _, err := os.Stat(self); err != nil {
		if self, err = os.Executable(); err != nil {
			return nil, fmt.Errorf("find this program, which the house bots run from: %w", err)
		}
	}
	return []host.House{{Name: croupier.Name, Path: self, Args: []string{"bot", croupier.Name}}}, nil
}

func botCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "bot NAME",
		Short:  "Run a house bot as a plugin; serve does this",
		Hidden: true,
		Args:   oneArg("the name of a house bot"),
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] != croupier.Name {
				return usageError{fmt.Errorf("there is no house bot %q", args[0])}
			}
			croupier.Serve()
			return nil
		},
	}
}
