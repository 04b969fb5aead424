package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dudo.example/rules"
)

func rulesListCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the games that ship with the program",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			files, err := rules.Library()
			if err != nil {
				return err
			}
			if asJSON {
				return listJSON(cmd, files)
			}
			table := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "GAME\tSEATS\tOPTIONS\tPRESETS\tTITLE")
			for _, f := range files {
				var presets []string
				for _, p := range f.Presets {
					presets = append(presets, p.Name)
				}
				fmt.Fprintf(table, "%s\t%d–%d\t%d\t%s\t%s\n", f.Game, f.MinSeats, f.MaxSeats, len(f.Options), orNone(presets), f.Title)
			}
			return table.Flush()
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// listed is a game of the list.
type listed struct {
	Game    string   `json:"game"`
	Title   string   `json:"title"`
	Seats   [2]int   `json:"seats"`
	Options []string `json:"options"`
	Presets []string `json:"presets"`
	SHA256  string   `json:"sha256"`
}

func listJSON(cmd *cobra.Command, files []*rules.File) error {
	list := make([]listed, len(files))
	for i, f := range files {
		list[i] = listed{f.Game, f.Title, [2]int{f.MinSeats, f.MaxSeats}, []string{}, []string{}, f.Digest}
		for _, o := range f.Options {
			list[i].Options = append(list[i].Options, o.Name)
		}
		for _, p := range f.Presets {
			list[i].Presets = append(list[i].Presets, p.Name)
		}
	}
	return writeJSON(cmd.OutOrStdout(), list)
}
