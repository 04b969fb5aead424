package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"dudo.example/core/machine"
	"dudo.example/rules"
	"dudo.example/rules/study"
)

func rulesPlayCommand() *cobra.Command {
	var h hotSeat
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play any game in the terminal, with others at it or against random moves",
		Long: "Play plays a game by its rule file: every seat sees what its player may see and no more. Seats beyond those of --people move at random.\n" +
			"With several people the terminal is handed on, and cleared before the next one looks. Type an action and its numbers (bid 2 5), the\n" +
			"numbers alone where that is clear, ? for all legal moves, timeout for what the rules say of a clock that ran out, or quit. A move of\n" +
			"another seat than the one that is asked is written with the seat before it, as in 1:spot_on. There is no clock and no record.",
		Example:           "  dudo rules play perudo\n  dudo rules play mine.yaml --seats 3 --people 2 --option dice=5",
		Args:              oneGame,
		ValidArgsFunction: completeGames(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := findRules(args[0])
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				h.seed = rand.Uint64()
			}
			h.in, h.out = newKeyboard(cmd.InOrStdin()), cmd.OutOrStdout()
			return h.run(cmd.Context(), f)
		},
	}
	cmd.Flags().IntVar(&h.seats, "seats", 0, "how many play; if not given two, or the least number that the game is for")
	cmd.Flags().IntVar(&h.people, "people", 1, "how many of them are people, from seat 0")
	cmd.Flags().Uint64Var(&h.seed, "seed", 0, "which dice and random moves; the same number gives the same ones")
	h.options.add(cmd, 0, "the game")
	return cmd
}

// hotSeat is a game of one or several people at one terminal.
type hotSeat struct {
	seats, people int
	seed          uint64
	options       optionFlags
	in            keyboard
	out           io.Writer

	p      *machine.Position
	random *rand.Rand
	news   [][]string // what each seat has not been told yet
	looks  int        // the seat that looks at the terminal, or none
}

func (h *hotSeat) say(format string, args ...any) { fmt.Fprintf(h.out, format+"\n", args...) }

func (h *hotSeat) run(ctx context.Context, f *rules.File) error {
	options, err := h.options.options(f)
	if err != nil {
		return err
	}
	if h.seats == 0 {
		h.seats = min(max(2, f.MinSeats), f.MaxSeats)
	}
	if h.people < 1 || h.people > h.seats {
		return usageError{fmt.Errorf("--people takes a number from 1 to the number of seats, %d", h.seats)}
	}
	g, err := f.Compile(h.seats, options)
	if err != nil {
		return usageError{err}
	}
	if h.p, err = g.NewPosition(); err != nil {
		return err
	}
	h.random, h.news, h.looks = rand.New(rand.NewPCG(h.seed, 3)), make([][]string, h.seats), machine.None
	h.say("%s\n\n%s\n", color.New(color.Bold).Sprint(f.Title), strings.TrimSpace(f.About))
	switch err := h.play(ctx); {
	case errors.Is(err, errQuit):
		h.say("Good-bye.")
		return nil
	case err != nil:
		return err
	}
	h.tellAll()
	h.say("%s.", study.Ended(h.p))
	return nil
}

func (h *hotSeat) play(ctx context.Context) error {
	for {
		turn := h.p.Turn()
		switch {
		case turn.Actor == machine.Over:
			return nil
		case turn.Actor == machine.Chance:
			if err := study.Draw(h.p, h.random); err != nil {
				return err
			}
			h.tell()
		case turn.Seat >= h.people && h.canMove(turn.Seat):
			if err := h.moveAtRandom(turn.Seat); err != nil {
				return err
			}
		default:
			if err := h.ask(ctx, min(turn.Seat, h.people-1)); err != nil {
				return err
			}
		}
	}
}

func (h *hotSeat) canMove(seat int) bool {
	var set machine.MoveSet
	h.p.Legal(seat, &set)
	return set.Len() > 0
}

// moveAtRandom moves for a seat that nobody sits at, or for another such seat that may act out of turn.
func (h *hotSeat) moveAtRandom(turn int) error {
	seats := []int{turn, turn, turn}
	for seat := h.people; seat < h.seats; seat++ {
		seats = append(seats, seat)
	}
	seat := seats[h.random.IntN(len(seats))]
	if !h.canMove(seat) {
		seat = turn
	}
	_, move, _ := study.Choose(h.p, h.random, seat)
	return h.act(seat, move)
}

func (h *hotSeat) act(seat int, move machine.Move) error {
	text := h.p.Game().Text(move)
	if err := h.p.Act(seat, move); err != nil {
		return err
	}
	h.note(fmt.Sprintf("seat %d: %s", seat, text))
	h.tell()
	return nil
}

// note keeps news for every seat.
func (h *hotSeat) note(text string) {
	for seat := range h.news {
		h.news[seat] = append(h.news[seat], text)
	}
}

// tell keeps what the last move or draw made public.
func (h *hotSeat) tell() {
	for _, text := range study.Told(h.p) {
		h.note("  " + text)
	}
}

// tellAll says what is news for whoever looks.
func (h *hotSeat) tellAll() {
	seat := max(h.looks, 0)
	for _, text := range h.news[seat] {
		h.say("  %s", text)
	}
	h.news[seat] = nil
}

// ask shows a person the position and takes what they type until it is a move.
func (h *hotSeat) ask(ctx context.Context, seat int) error {
	if err := h.hand(ctx, seat); err != nil {
		return err
	}
	h.tellAll()
	h.say("%s", color.New(color.Bold).Sprintf("Seat %d, phase %s", seat, h.p.Phase()))
	for _, line := range study.Seen(h.p, seat) {
		h.say("  %s", line)
	}
	h.say("You can %s.", h.choices(seat))
	for {
		fmt.Fprint(h.out, "> ")
		line, err := h.in.read(ctx)
		if err != nil {
			return err
		}
		done, err := h.typed(seat, line)
		var refusal *machine.Refusal
		switch {
		case errors.As(err, &refusal):
			h.say("%s", refusal.Sentence)
		case done || err != nil:
			return err
		}
	}
}

// hand gives the terminal to a seat, so that it is the only one to see what is its own.
func (h *hotSeat) hand(ctx context.Context, seat int) error {
	if h.people == 1 || h.looks == seat {
		h.looks = seat
		return nil
	}
	if out, ok := h.out.(*os.File); ok && isatty.IsTerminal(out.Fd()) && h.looks != machine.None {
		fmt.Fprint(h.out, "\x1b[H\x1b[2J\x1b[3J") // with all that can be scrolled back to
	}
	h.looks = seat
	h.say("Seat %d: press Enter when nobody else looks.", seat)
	_, err := h.in.read(ctx)
	return err
}
