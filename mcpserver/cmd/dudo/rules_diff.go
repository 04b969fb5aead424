package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"dudo.example/rules/study"
)

func rulesDiffCommand() *cobra.Command {
	d := differing{a: optionFlags{flag: "-a"}, b: optionFlags{flag: "-b"}}
	cmd := &cobra.Command{
		Use:   "diff GAME GAME",
		Short: "Say where two games differ: what is legal, and what moves do",
		Long: "Diff plays games of random moves by both rule files at once, with the same draws and moves, and tells in words the positions in which\n" +
			"they differ, in the legal moves or in what a move does, and how often. Where they have gone apart it brings them together again. It also says what\n" +
			"differs in the options, state and actions that the files declare. Two presets of one game can be compared as well. Random games may\n" +
			"miss a rare difference; --games looks longer. Exit code 0 if none was found, 1 if there is any.",
		Example: "  dudo rules diff liars-dice/standard mine.yaml\n  dudo rules diff perudo perudo --option-b dice=3",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("%s takes two arguments, each a rule file or a game that ships", cmd.CommandPath())}
			}
			return nil
		},
		ValidArgsFunction: completeGames(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if d.games < 1 || d.most < 0 {
				return usageError{errors.New("--games takes a number from 1, and --most one from 0")}
			}
			return d.run(cmd.OutOrStdout(), args)
		},
	}
	cmd.Flags().IntVar(&d.games, "games", 200, "games of random moves")
	cmd.Flags().IntVar(&d.most, "most", 2, "how many positions to tell of each difference, up to 10")
	cmd.Flags().Uint64Var(&d.seed, "seed", 1, "which random games; the same number gives the same games")
	d.a.add(cmd, 0, "the first game")
	d.b.add(cmd, 1, "the second game")
	jsonFlag(cmd, &d.asJSON)
	return cmd
}

// differing is a search for differences.
type differing struct {
	games, most int
	seed        uint64
	a, b        optionFlags
	asJSON      bool
}

func (d *differing) run(out io.Writer, args []string) error {
	var sides [2]study.Side
	for i, flags := range []*optionFlags{&d.a, &d.b} {
		f, err := findRules(args[i])
		if err != nil {
			return err
		}
		options, err := flags.options(f)
		if err != nil {
			return err
		}
		sides[i] = study.Side{Name: args[i], File: f, Options: options}
	}
	if args[0] == args[1] {
		sides[0].Name, sides[1].Name = "the first", "the second"
	}
	c, err := study.Compare(sides[0], sides[1], d.games, d.seed)
	if err != nil {
		return usageError{err}
	}
	if d.asJSON {
		err = writeJSON(out, c)
	} else {
		err = d.write(out, &c, sides[0].Name, sides[1].Name)
	}
	if err == nil && !c.Same() {
		err = errors.New("the games differ")
	}
	return err
}

func (d *differing) write(out io.Writer, c *study.Comparison, a, b string) error {
	for _, s := range c.Declared {
		fmt.Fprintf(out, "%s %s\n", color.YellowString("≠"), s)
	}
	for _, x := range c.Differences {
		fmt.Fprintf(out, "%s %s, %s: %s\n", color.RedString("≠"), x.What, times(x.N), counts(x.In))
		for _, p := range x.Positions[:min(d.most, len(x.Positions))] {
			fmt.Fprintf(out, "  in a game of %s", p.Setting)
			if len(p.Moves) > 0 {
				fmt.Fprintf(out, ", after %s", strings.Join(p.Moves, ", "))
			}
			fmt.Fprintln(out)
			for _, line := range p.State {
				fmt.Fprintf(out, "      %s\n", line)
			}
			fmt.Fprintf(out, "    %s: %s\n    %s: %s\n", a, p.A, b, p.B)
		}
	}
	mark := color.GreenString("✓ no difference in")
	if !c.Same() {
		mark = "Compared:"
	}
	_, err := fmt.Fprintf(out, "%s %s, the legal moves of %s and the outcome of %s\n", mark, plural(c.Games, "game"),
		plural(c.Positions, "position"), plural(c.Moves, "move"))
	return err
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return plural(n, "time")
}
