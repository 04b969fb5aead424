package tools

import (
	"context"
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"time"

	"dudo.example/mcpserver/front"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/words"
	"dudo.example/plugins/host"
)

// Bounds that hold for every table, whatever its rules. The lobby holds them too.
const (
	minSeats       = 2
	maxSeats       = 6
	maxBots        = maxSeats - 1
	maxWaitSeconds = int64(tables.MaxWait / time.Second)
)

// The most characters of a token, of a table's code and of a name in a rule file, for schemas.
const (
	tokenLength = 64
	tableLength = 24
	nameLength  = 40
	gameLength  = 61 // two words of 30 and a slash
)

func tokenArgument() argument {
	return argument{
		name: "token", doc: "Your seat's secret, from join_table.", kind: text, length: tokenLength, required: true,
		form: "the token that join_table gave you",
	}
}

func nonceArgument(doc string) argument {
	return argument{name: "nonce", doc: doc, kind: text, length: words.MaxNonce}
}

// fixedTools are those that every server has.
func fixedTools(rules []tables.Ruleset, bots []host.Info) []tool {
	return []tool{listTables(rules), createTable(rules), joinTable(rules[0]), startGame(bots), getState()}
}

func listTables(rules []tables.Ruleset) tool {
	return tool{
		name: "list_tables", title: "List the tables", reads: true, again: true,
		does: "List open, live and recently finished public tables, with the rules and bots on offer.",
		more: "You do not need it to play: join_table without a table finds one. With rules it tells that game's rules, options and presets, for create_table.",
		args: []argument{{name: "rules", doc: "A game, such as " + rules[0].Game + ".", kind: text, length: gameLength}},
		call: func(ctx context.Context, l Lobby, a arguments) (tables.Object, error) {
			return l.List(ctx, a.text("rules"))
		},
	}
}

func createTable(rules []tables.Ruleset) tool {
	low, high := maxSeats, minSeats
	for _, r := range rules {
		low, high = min(low, r.MinSeats), max(high, r.MaxSeats)
	}
	args := []argument{
		{name: "rules", doc: "What is played.", kind: choice, names: games(rules), absent: rules[0].Game},
		{name: "seats", doc: "Most players, as many as the rules take if absent; the game can be started with fewer.", kind: integer, low: int64(max(low, minSeats)), high: int64(min(high, maxSeats))},
		{name: "turn_seconds", doc: "Time for a move; a clock that runs out costs what the rules say.", kind: integer, low: tables.MinTurn, high: tables.MaxTurn, absent: tables.DefaultTurn},
		{name: "public", doc: "Whether the table is listed and found by quick match; a private one is only for those who know its code.", kind: boolean, absent: true},
	}
	if slices.ContainsFunc(rules, func(r tables.Ruleset) bool { return len(r.Presets) > 0 }) {
		args = append(args, argument{name: "preset", doc: "A named set of the game's options; options given besides come first.", kind: text, length: nameLength})
	}
	common, others := allOptions(rules)
	args = append(args, common...)
	if len(others) > 0 {
		args = append(args, argument{name: "options", doc: "Further options of the game, by name.", kind: object})
	}
	t := tool{
		name: "create_table", title: "Create a table", args: args, hidden: others,
		does: "Make a table with settings of your own; the answer has its code, for join_table.",
		more: "Everything has a default. list_tables with rules tells a game's options and presets.",
		call: func(ctx context.Context, l Lobby, a arguments) (tables.Object, error) {
			s := tables.Settings{
				Rules: a.text("rules"), Preset: a.text("preset"), Seats: int(a.integer("seats", 0)), TurnSeconds: int(a.integer("turn_seconds", 0)),
				Private: !a.boolean("public", true),
			}
			r := &rules[max(0, slices.Index(games(rules), s.Rules))]
			given := map[string]json.RawMessage{}
			maps.Copy(given, a.object("options"))
			for _, o := range slices.Concat(common, others) {
				if raw, ok := a[o.name].(json.RawMessage); ok {
					given[o.name] = raw
				}
			}
			var err error
			if s.Options, err = optionsOf(r, given); err != nil {
				return nil, err
			}
			return l.Create(ctx, client(ctx), s)
		},
	}
	t.more += onOffer(rules, MaxDescription-len(t.description()))
	return t
}

func joinTable(rules tables.Ruleset) tool {
	return tool{
		name: "join_table", title: "Join a table",
		does: "Take a seat; the answer has its secret token, which every later call needs.",
		more: "Keep the token and show it to nobody. Without table you get the oldest public table that waits for players, or a new one. Then start_game, or get_state to wait for others, and " + loop(rules),
		args: []argument{
			{
				name: "name", kind: text, length: words.MaxName, required: true, form: "a string of 1 to 24 letters, digits, '.', '_' and '-'",
				doc: "What you are called at the table: 1 to 24 letters, digits, '.', '_' and '-'.",
			},
			{name: "table", doc: "The code of a table; absent for quick match.", kind: text, length: tableLength},
			nonceArgument("Random words of your own, mixed into your dice. Given after you have seen commit, with start_game or get_state, nobody can have chosen your dice."),
		},
		call: func(ctx context.Context, l Lobby, a arguments) (tables.Object, error) {
			return l.Join(ctx, client(ctx), tables.Join{Name: a.text("name"), Table: a.text("table"), Nonce: a.text("nonce")})
		},
	}
}

func startGame(bots []host.Info) tool {
	t := tool{
		name: "start_game", title: "Start the game", again: true,
		does: "Start the game with those who sit at the table; any of them may.",
		more: "Nobody can join afterwards. The answer is the state.",
		args: []argument{tokenArgument()},
		call: func(ctx context.Context, l Lobby, a arguments) (tables.Object, error) {
			return l.Start(ctx, a.text("token"), a.list("bots"), a.text("nonce"))
		},
	}
	if len(bots) > 0 {
		names := make([]string, len(bots))
		for i, b := range bots {
			names[i] = b.Name
		}
		t.does = "Start the game with those who sit at the table, and with house bots if asked; any player may."
		t.args = append(t.args, argument{
			name: "bots", kind: botList, high: maxBots, names: names,
			doc: "How many house bots to add, or a list of the names of bots. When absent, one is added if you are alone.",
		})
	}
	t.args = append(t.args, nonceArgument("Random words of your own for your dice, if you gave none before: nobody can have chosen them then."))
	return t
}

func getState() tool {
	return tool{
		name: "get_state", title: "Look at the table", reads: true, again: true,
		does: "Look at your table: your own dice, everyone's dice count, this round's bids and talk, the last showdown, your legal moves, and next, one sentence that says what to do now.",
		more: "With wait_seconds it answers as soon as it is your turn, you may act out of turn, or the game is over, so wait with it instead of asking often. With table in place of token you watch.",
		args: []argument{
			{name: "token", doc: "Your seat's secret, from join_table.", kind: text, length: tokenLength, form: "the token that join_table gave you"},
			{name: "table", doc: "The code of a table to watch, without a token.", kind: text, length: tableLength},
			{name: "wait_seconds", doc: "How long to wait for your turn. Use 20.", kind: integer, high: maxWaitSeconds, absent: int64(0)},
			{name: "since", doc: "The n of the last state you saw; the answer then has only what is new.", kind: integer, high: unbounded},
			nonceArgument("Random words of your own for your dice, before the start, if you gave none yet."),
		},
		call: func(ctx context.Context, l Lobby, a arguments) (tables.Object, error) {
			look := tables.Look{
				Token: a.text("token"), Table: a.text("table"), Nonce: a.text("nonce"), Since: a.integer("since", -1),
				Wait: time.Duration(a.integer("wait_seconds", 0)) * time.Second, Stop: front.Draining(ctx),
			}
			if look.Token == "" && look.Table == "" {
				return nil, badArgument("get_state needs token, or table to watch a game without a seat.")
			}
			return l.State(ctx, client(ctx), look)
		},
	}
}

// client is what limits count as one client: an address, of IPv6 the network that one subscriber has.
func client(ctx context.Context) netip.Addr {
	addr := front.ClientAddr(ctx)
	if !addr.IsValid() {
		return addr
	}
	return front.Block(addr).Addr()
}
