package player

import (
	"errors"
	"flag"
)

// Options are what a client is told on the command line.
type Options struct {
	Address string // of the MCP endpoint, such as http://127.0.0.1:8787/mcp
	Era     string // the version of the protocol to speak
	Name    string // at the table
	Table   string // the code of the table to join; empty for a new one
	Players int    // wait for so many and start the game; 0 leaves that to another
	Bots    int    // house bots to add at the start
	Doubt   int    // challenge a bid above the own dice and one in Doubt of the others'
	Moves   int    // walk away after so many moves; negative for never
}

// Parse reads the options from a command line, whose flags are those of curl.sh, and -e.
func Parse(program string, arguments []string) (Options, error) {
	var o Options
	f := flag.NewFlagSet(program, flag.ContinueOnError)
	f.StringVar(&o.Era, "e", "2026-07-28", "version of the protocol")
	f.StringVar(&o.Name, "n", program, "name at the table")
	f.StringVar(&o.Table, "t", "", "code of the table; a new one if empty")
	f.IntVar(&o.Players, "p", 1, "players to wait for before starting; 0 if another starts")
	f.IntVar(&o.Bots, "b", 1, "house bots to add")
	f.IntVar(&o.Doubt, "d", 3, "challenge a bid above the own dice and one in so many of the others'")
	f.IntVar(&o.Moves, "m", -1, "walk away after so many moves")
	if err := f.Parse(arguments); err != nil {
		return o, err
	}
	if o.Address = f.Arg(0); o.Address == "" {
		return o, errors.New("the address of the MCP endpoint is missing")
	}
	return o, nil
}
