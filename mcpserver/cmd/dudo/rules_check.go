package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"dudo.example/rules"
	"dudo.example/rules/study"
)

func rulesCheckCommand() *cobra.Command {
	var c checking
	cmd := &cobra.Command{
		Use:   "check GAME",
		Short: "Say what is wrong with a rule file, and what happens in games of it",
		Long: "Check reads a rule file as serve would: every name and type, what each expression may see, what a move can cost, the order of bids,\n" +
			"the worked examples, and small instances of the game walked whole. Then it plays games of random moves with all numbers of seats,\n" +
			"presets, and options at their least and greatest, and says how they went. Exit code 1 and the place of each fault if there is any.",
		Example:           "  dudo rules check mine.yaml\n  dudo rules check mine.yaml --games 5000 --seed 7",
		Args:              oneGame,
		ValidArgsFunction: completeGames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.games < 0 {
				return usageError{errors.New("--games takes a number from 0")}
			}
			return c.run(cmd.OutOrStdout(), cmd.ErrOrStderr(), args[0])
		},
	}
	cmd.Flags().IntVar(&c.games, "games", 200, "games of random moves")
	cmd.Flags().Uint64Var(&c.seed, "seed", 1, "which random games; the same number gives the same games")
	jsonFlag(cmd, &c.asJSON)
	return cmd
}

// checking is a check of a rule file.
type checking struct {
	games  int
	seed   uint64
	asJSON bool
}

// checked is what came of it.
type checked struct {
	File     string         `json:"file"`
	Game     string         `json:"game,omitempty"`
	Title    string         `json:"title,omitempty"`
	SHA256   string         `json:"sha256,omitempty"`
	Seats    []int          `json:"seats,omitempty"`
	Examples int            `json:"examples"`
	Orders   []string       `json:"orders"` // what asking every pair of bids showed
	Walked   []string       `json:"walked"` // small instances of the game
	Faults   []checkedFault `json:"faults"`
	Notes    []string       `json:"notes"`
	Summary  *study.Summary `json:"random_games,omitempty"`
}

// checkedFault is a fault with its place; Line is 0 for the file as a whole.
type checkedFault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Source  string `json:"source,omitempty"`
	Message string `json:"message"`
	text    string // for people
}

func (c *checking) run(out, errs io.Writer, arg string) error {
	f, err := findRules(arg)
	if usage := (usageError{}); errors.As(err, &usage) {
		return usage
	}
	r := checked{File: arg, Faults: []checkedFault{}, Notes: []string{}, Orders: []string{}, Walked: []string{}}
	if err != nil {
		r.add(err)
	} else {
		r.Game, r.Title, r.SHA256, r.Seats, r.Examples = f.Game, f.Title, f.Digest, []int{f.MinSeats, f.MaxSeats}, len(f.Examples())
		if err := c.look(f, &r); err != nil {
			return err
		}
	}
	if c.asJSON {
		if err := writeJSON(out, r); err != nil {
			return err
		}
	} else if err := r.write(out, errs, f); err != nil {
		return err
	}
	if n := len(r.Faults); n > 0 {
		return fmt.Errorf("%s has %s", arg, plural(n, "fault"))
	}
	return nil
}

// add takes an error apart into faults with places.
func (r *checked) add(err error) {
	var several rules.Errors
	if errors.As(err, &several) {
		for _, e := range several {
			r.Faults = append(r.Faults, checkedFault{e.Line, e.Col, e.Source, e.Msg, e.Error()})
		}
		return
	}
	var at *rules.Error
	if errors.As(err, &at) {
		r.Faults = append(r.Faults, checkedFault{at.Line, at.Col, at.Source, at.Msg, at.Error()})
		return
	}
	r.Faults = append(r.Faults, checkedFault{Message: err.Error(), text: err.Error()})
}

// look runs the examples, walks small instances, plays random games, and says how the bids are ordered.
func (c *checking) look(f *rules.File, r *checked) error {
	for _, err := range f.RunExamples() {
		r.add(err)
	}
	walked, err := f.Walk()
	if err != nil {
		r.add(err)
	}
	for _, in := range walked {
		r.Walked = append(r.Walked, instanceText(in))
	}
	if r.Orders, err = orderTexts(f); err != nil {
		return err
	}
	c.play(f, r)
	return nil
}

// play plays the random games and notes what is odd in them and in the file.
func (c *checking) play(f *rules.File, r *checked) {
	for _, a := range f.Actions() {
		if a.Doc == "" {
			r.Notes = append(r.Notes, fmt.Sprintf("action %s has no doc; serve needs one, since it is what players read", a.Name))
		}
	}
	if c.games == 0 {
		return
	}
	s := study.Play(f, c.games, c.seed)
	r.Summary = &s
	for _, fault := range s.Faults {
		text := fmt.Sprintf("%s: in a game of %s: %s", r.File, fault.Setting, fault.What)
		if len(fault.Moves) > 0 {
			text += "\n  after " + strings.Join(fault.Moves, ", ")
		}
		r.Faults = append(r.Faults, checkedFault{Message: fault.What, text: text})
	}
	for _, name := range s.Unused() {
		r.Notes = append(r.Notes, fmt.Sprintf("nobody took the action %s in these games; can it ever be legal?", name))
	}
	for _, end := range s.Ends {
		if end.What == study.LimitEnd {
			r.Notes = append(r.Notes, fmt.Sprintf("%s reached the limit of moves and ended as they stood", plural(end.N, "game")))
		}
	}
}
