package main

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dudo.example/core/play"
	"dudo.example/core/record"
	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
	"dudo.example/rules"
)

func playCommand() *cobra.Command {
	var g terminalGame
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play in the terminal against house bots, without a server",
		Long: "Play deals you a hand against house bots, in this terminal. Type a bid as its quantity and face (2 5), or challenge; in other\n" +
			"games, the name of an action and its numbers.\n" +
			"Nothing is kept, unless --record names a file for the game's record, which dudo-verify verifies.",
		Example: "  dudo play\n  dudo play --bots 3 --dice 5",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g.in, g.out, g.errs = newKeyboard(cmd.InOrStdin()), cmd.OutOrStdout(), cmd.ErrOrStderr()
			return g.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.IntVar(&g.bots, "bots", 1, "house bots to play against, 1 to 5")
	f.IntVar(&g.dice, "dice", 0, "dice of each player, 1 to 5; what the rules say if not given")
	f.StringVar(&g.name, "name", "guest", "your name in the record")
	f.StringVar(&g.file, "record", "", "file to write the game's record to")
	f.StringVar(&g.rules, "rules", rules.Standard, "the game: a rule file, or one that ships (dudo rules list)")
	f.StringVar(&g.plugins, "plugins", "", "folder of bots, files named dudo-bot-NAME")
	f.StringVar(&g.bot, "bot", "croupier", "the bot to play against")
	if err := cmd.RegisterFlagCompletionFunc("rules", completeGames(1)); err != nil {
		panic(err) // the flag stands above
	}
	return cmd
}

// terminalGame is a game of one person at a terminal.
type terminalGame struct {
	bots, dice             int
	name, file, rules, bot string
	plugins                string
	in                     keyboard
	actions                []tables.Action
	record                 *os.File
	out, errs              io.Writer
	lobby                  *tables.Lobby
	token                  string
	told                   int64 // the event of the last showdown told
	names                  []string
}

func (g *terminalGame) say(format string, args ...any) {
	_, _ = fmt.Fprintf(g.out, format+"\n", args...)
}

func (g *terminalGame) run(ctx context.Context) (err error) {
	if g.bots < 1 || g.bots > 5 {
		return usageError{errors.New("--bots takes a number from 1 to 5")}
	}
	file, err := findRules(g.rules)
	if err != nil {
		return err
	}
	house, err := houseBots()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(g.errs, &slog.HandlerOptions{Level: slog.LevelWarn}))
	bots, err := host.New(host.Options{Dir: g.plugins, House: house, Log: log})
	if err != nil {
		return err
	}
	if _, ok := bots.Lookup(g.bot); !ok {
		return usageError{errors.Join(fmt.Errorf("there is no bot %q; --plugins names a folder of bots", g.bot), bots.Close())}
	}
	set := rulebook.Ruleset(file)
	defer func() { err = errors.Join(err, bots.Close()) }()
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	memory := record.NewMemory(time.Now)
	defer func() { err = errors.Join(err, memory.Close()) }()
	g.lobby, err = tables.New(ctx, tables.Config{
		Store: memory, Rules: []tables.Ruleset{set}, Bots: bots, Key: key, Origin: "terminal.example",
		Log:    log,
		Limits: tables.Limits{TurnSeconds: 86400},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.lobby.Close(context.WithoutCancel(ctx))) }()
	g.actions = set.Actions
	if g.file != "" {
		if g.record, err = os.Create(g.file); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, g.record.Close()) }()
	}
	return g.play(ctx, file.Title, file.About)
}

func (g *terminalGame) play(ctx context.Context, title, about string) error {
	table, err := g.sit(ctx)
	if err != nil {
		return refusalOnly(err)
	}
	g.say("%s\n\n%s\n\nType %s; quit stops.\n", title, about, usage(g.actions))
	look := tables.Look{Token: g.token, Since: -1, Wait: tables.MaxWait}
	s, err := g.state(g.lobby.State(ctx, netip.Addr{}, look))
	for err == nil {
		g.tell(s)
		switch {
		case s.Status == "over":
			g.say("The game is over. %s", g.standing(s))
			return g.write(ctx, table)
		case s.YourTurn:
			s, err = g.ask(ctx, s)
		default:
			s, err = g.state(g.lobby.State(ctx, netip.Addr{}, look))
		}
	}
	if errors.Is(err, errQuit) {
		g.say("Good-bye.")
		return nil
	}
	return err
}

// sit makes a table and starts the game at it.
func (g *terminalGame) sit(ctx context.Context) (table string, err error) {
	settings := tables.Settings{TurnSeconds: 86400, Private: true}
	if g.dice != 0 {
		settings.Options = map[string]int{"dice": g.dice}
	}
	made, err := g.lobby.Create(ctx, netip.Addr{}, settings)
	if err != nil {
		return "", err
	}
	table = textOf(made, "table")
	joined, err := g.lobby.Join(ctx, netip.Addr{}, tables.Join{Name: g.name, Table: table})
	if err != nil {
		return "", err
	}
	g.token = textOf(joined, "token")
	_, err = g.lobby.Start(ctx, g.token, slices.Repeat([]string{g.bot}, g.bots), "")
	return table, err
}

// textOf is a member of an answer that is text.
func textOf(o tables.Object, name string) string {
	v, _ := o.Get(name)
	s, _ := v.(string)
	return s
}

// refusalOnly makes an error of a refusal's sentence.
func refusalOnly(err error) error {
	var r *tables.Refusal
	if errors.As(err, &r) {
		return errors.New(r.Sentence)
	}
	return err
}

// terminalState is what the terminal shows of a state.
type terminalState struct {
	client.State
	You struct {
		Seat int
		Dice []int
	}
	Bids         []struct{ Seat, Quantity, Face int }
	LastShowdown *struct {
		N     int64
		Hands map[string][]int
		Bid   struct{ Seat, Quantity, Face int }
		Found int
		Loser int
	} `json:"last_showdown"`
}

func (g *terminalGame) state(o tables.Object, err error) (*terminalState, error) {
	if err != nil {
		return nil, err
	}
	var s terminalState
	return &s, json.Unmarshal([]byte(o.Encode()), &s)
}

// tell says what happened since the last state.
func (g *terminalGame) tell(s *terminalState) {
	g.names = nil
	for _, seat := range s.Seats {
		g.names = append(g.names, seat.Name)
	}
	g.names[s.You.Seat] = "you"
	d := s.LastShowdown
	if d == nil || d.N <= g.told || d.Bid.Quantity == 0 {
		return
	}
	g.told = d.N
	for seat, name := range g.names {
		if hand := d.Hands[strconv.Itoa(seat)]; len(hand) > 0 {
			g.say("  %-12s %s", name, dice(hand))
		}
	}
	loser := g.names[d.Loser] + " loses"
	if d.Loser == s.You.Seat {
		loser = "you lose"
	}
	g.say("  %s bid %d × %d and there are %d: %s a die.\n", g.names[d.Bid.Seat], d.Bid.Quantity, d.Bid.Face, d.Found, loser)
}

func (g *terminalGame) standing(s *terminalState) string {
	var places []string
	for place := 1; place <= len(s.Places); place++ {
		for seat, p := range s.Places {
			if p == place {
				places = append(places, fmt.Sprintf("%d. %s", place, g.names[seat]))
			}
		}
	}
	return strings.Join(places, "  ")
}

// ask shows the position and takes a move until one is accepted.
func (g *terminalGame) ask(ctx context.Context, s *terminalState) (*terminalState, error) {
	var counts []string
	for _, seat := range s.Seats {
		counts = append(counts, fmt.Sprintf("%s %d", g.names[seat.Seat], seat.DiceLeft))
	}
	g.say("Round %d. Dice: %s", s.Round, strings.Join(counts, ", "))
	for _, b := range s.Bids {
		g.say("  %s: %d × %d", g.names[b.Seat], b.Quantity, b.Face)
	}
	g.say("Your dice: %s", dice(s.You.Dice))
	for {
		_, _ = fmt.Fprint(g.out, "> ")
		line, err := g.in.read(ctx)
		if err != nil {
			return nil, err
		}
		move, ok := parseMove(line, g.actions)
		if !ok {
			g.say("Type %s, or quit.", usage(g.actions))
			continue
		}
		next, err := g.state(g.lobby.Act(ctx, g.token, -1, move))
		var r *tables.Refusal
		if errors.As(err, &r) {
			g.say("%s", r.Sentence)
			continue
		}
		return next, err
	}
}

// parseMove reads a move: an action's name and its arguments in order, "bid 2 5". Two numbers alone are a bid, and there are
// short and other words for a challenge.
func parseMove(line string, actions []tables.Action) (play.Move, bool) {
	fields := strings.Fields(strings.NewReplacer("×", " ", "x", " ", ",", " ").Replace(line))
	if len(fields) == 0 {
		return play.Move{}, false
	}
	name, args := fields[0], fields[1:]
	switch _, err := strconv.Atoi(name); {
	case err == nil && len(fields) == 2:
		name, args = "bid", fields
	case name == "c" || name == "dudo" || name == "liar":
		name = "challenge"
	}
	i := slices.IndexFunc(actions, func(a tables.Action) bool { return a.Name == name })
	if i < 0 || len(args) != len(actions[i].Params) {
		return play.Move{}, false
	}
	move := play.Move{Action: name}
	for k, p := range actions[i].Params {
		n, err := strconv.Atoi(args[k])
		if err != nil {
			return play.Move{}, false
		}
		move.Args = append(move.Args, record.Arg{Name: p.Name, Value: n})
	}
	return move, true
}

// usage says what can be typed, such as "bid QUANTITY FACE or challenge".
func usage(actions []tables.Action) string {
	words := make([]string, len(actions))
	for i, a := range actions {
		words[i] = a.Name
		for _, p := range a.Params {
			words[i] += " " + strings.ToUpper(p.Name)
		}
	}
	return strings.Join(words, " or ")
}

func dice(hand []int) string {
	var b strings.Builder
	for i, d := range hand {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "[%d]", d)
	}
	return b.String()
}

// write keeps the record, if a file is named for it.
func (g *terminalGame) write(ctx context.Context, table string) error {
	if g.record == nil {
		return nil
	}
	f, err := g.lobby.Record(ctx, table)
	if err != nil {
		return err
	}
	if err := f.Write(g.record); err != nil {
		return fmt.Errorf("write the record: %w", err)
	}
	g.say("The record is in %s; verify it with dudo-verify.", g.file)
	return nil
}
