package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"dudo.example/mcpserver/load"
)

func loadCommand() *cobra.Command {
	var o load.Options
	var seconds int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "load URL",
		Short: "Play many games at once against a running server and verify every record",
		Long: "Load plays games at private tables by scripted agents, two to four a table, until the time is up. Then it finishes the games in\n" +
			"progress, downloads every record and verifies it with the receipts that the agents were given. It prints moves a second,\n" +
			"the time of a move and of a wake (from a move's answer to the answer of whoever waited), refusals and errors.\n\n" +
			"All calls come from one address, so a server to be measured needs other limits than strangers get:\n\n" +
			"  dudo serve --requests-per-minute -1 --new-tables 1000000 --tables 1000 --address-waiters 4000\n\n" +
			"With --metrics, the server's memory, goroutines, open files and processor time are sampled. In a run of more than 20 minutes they\n" +
			"must not grow. A soak is half an hour:\n\n" +
			"  dudo serve ... --admin 127.0.0.1:8788\n" +
			"  dudo load --tables 50 --seconds 1800 --think 500ms --metrics http://127.0.0.1:8788/metrics http://127.0.0.1:8787\n\n" +
			"Exit code 0 if there was no error, every game was finished and verified, and nothing grew.",
		Example: "  dudo load --tables 50 --seconds 60 http://127.0.0.1:8787",
		Args:    oneArg("the server's address, such as http://127.0.0.1:8787"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.URL, o.Duration = args[0], time.Duration(seconds)*time.Second
			if err := checkLoad(&o); err != nil {
				return err
			}
			if isatty.IsTerminal(os.Stderr.Fd()) {
				o.Progress = func(p load.Progress) { fmt.Fprintf(os.Stderr, "\r\x1b[K%s", p) }
			}
			report, err := load.Run(cmd.Context(), o)
			if o.Progress != nil {
				fmt.Fprint(os.Stderr, "\r\x1b[K")
			}
			if err != nil {
				return err
			}
			if asJSON {
				e := json.NewEncoder(cmd.OutOrStdout())
				e.SetIndent("", "  ")
				err = e.Encode(report)
			} else {
				err = report.Write(cmd.OutOrStdout())
			}
			return errors.Join(err, report.Err())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Tables, "tables", 10, "games at once")
	f.IntVar(&seconds, "seconds", 10, "how long new games are begun")
	f.IntVar(&o.Games, "games", 0, "most games; 0 for no limit")
	f.IntVar(&o.Seats, "seats", 0, "agents of a table, 2 to 6; 0 for 2, 3 and 4 in turn")
	f.IntVar(&o.Bots, "bots", 0, "house bots of a table besides")
	f.IntVar(&o.Dice, "dice", 0, "dice of a player; 0 for the rules' default")
	f.DurationVar(&o.Think, "think", 0, "how long an agent takes for a move, about")
	f.StringVar(&o.Metrics, "metrics", "", "address of the server's metrics, such as http://127.0.0.1:8788/metrics")
	f.BoolVar(&asJSON, "json", false, "print the report as JSON")
	return cmd
}

func checkLoad(o *load.Options) error {
	switch {
	case o.Tables < 1:
		return usageError{errors.New("--tables must be 1 or more")}
	case o.Duration <= 0:
		return usageError{errors.New("--seconds must be 1 or more")}
	case o.Games < 0 || o.Think < 0 || o.Dice < 0:
		return usageError{errors.New("--games, --think and --dice must not be negative")}
	case o.Seats != 0 && (o.Seats < 2 || o.Seats > 6):
		return usageError{errors.New("--seats must be 2 to 6")}
	case o.Bots < 0 || cmp.Or(o.Seats, 4)+o.Bots > 6:
		return usageError{errors.New("agents and bots of a table must be 6 at most")}
	default:
		return nil
	}
}
