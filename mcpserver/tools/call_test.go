package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/tables"
	"dudo.example/plugins/host"
)

func both() *asked {
	return &asked{rules: []tables.Ruleset{standard(), perudo()}, bots: []host.Info{croupier, {Name: "mybot"}}}
}

// TestCalls shows what the lobby is asked for the arguments that a tool takes.
func TestCalls(t *testing.T) {
	tests := []struct{ tool, args, want string }{
		{"list_tables", ``, `list `},
		{"list_tables", `{}`, `list `},
		{"list_tables", `null`, `list `},
		{"list_tables", `{"rules":"liars-dice/perudo"}`, `list liars-dice/perudo`},
		{"create_table", ``, `create 127.0.0.1 {Rules: Preset: Options:map[] Seats:0 TurnSeconds:0 Private:false}`},
		{
			"create_table", `{"rules":"liars-dice/perudo","seats":3,"turn_seconds":"20","public":"false","dice":5.0,"palifico":true}`,
			`create 127.0.0.1 {Rules:liars-dice/perudo Preset: Options:map[dice:5 palifico:1] Seats:3 TurnSeconds:20 Private:true}`,
		},
		{
			"create_table", `{"rules":null,"seats":null,"turn_seconds":"","public":null,"dice":null,"preset":"","options":null}`,
			`create 127.0.0.1 {Rules: Preset: Options:map[] Seats:0 TurnSeconds:0 Private:false}`,
		},
		{
			"create_table", `{"rules":"liars-dice/perudo","preset":"uk","options":{"dice":"4","palifico":false},"dice":5,"spot_on_gains":2}`,
			`create 127.0.0.1 {Rules:liars-dice/perudo Preset:uk Options:map[dice:5 palifico:0 spot_on_gains:2] Seats:0 TurnSeconds:0 Private:false}`,
		},
		{
			"create_table", `{"rules":"liars-dice/perudo","options":"{\"spot_on_gains\": 0}"}`,
			`create 127.0.0.1 {Rules:liars-dice/perudo Preset: Options:map[spot_on_gains:0] Seats:0 TurnSeconds:0 Private:false}`,
		},
		{"join_table", `{"name":"ann"}`, `join 127.0.0.1 {Name:ann Table: Nonce:}`},
		{"join_table", `{"name":"ann","table":"ZCLP","nonce":"purple otter"}`, `join 127.0.0.1 {Name:ann Table:ZCLP Nonce:purple otter}`},
		{"join_table", `{"name":"ann","table":null,"nonce":""}`, `join 127.0.0.1 {Name:ann Table: Nonce:}`},
		{"start_game", `{"token":"T"}`, `start T []string(nil) ""`},
		{"start_game", `{"token":"T","bots":null,"nonce":"n"}`, `start T []string(nil) "n"`},
		{"start_game", `{"token":"T","bots":0}`, `start T []string{} ""`},
		{"start_game", `{"token":"T","bots":[]}`, `start T []string{} ""`},
		{"start_game", `{"token":"T","bots":2}`, `start T []string{"croupier", "croupier"} ""`},
		{"start_game", `{"token":"T","bots":"1"}`, `start T []string{"croupier"} ""`},
		{"start_game", `{"token":"T","bots":["mybot","croupier"]}`, `start T []string{"mybot", "croupier"} ""`},
		{"start_game", `{"token":"T","bots":"mybot, croupier"}`, `start T []string{"mybot", "croupier"} ""`},
		{"start_game", `{"token":"T","bots":"mybot"}`, `start T []string{"mybot"} ""`},
		{"get_state", `{"token":"T"}`, `state 127.0.0.1 {Token:T Table: Wait:0s Since:-1 Nonce: Stop:<nil>} stop=true`},
		{"get_state", `{"table":"ZCLP"}`, `state 127.0.0.1 {Token: Table:ZCLP Wait:0s Since:-1 Nonce: Stop:<nil>} stop=true`},
		{
			"get_state", `{"token":"T","wait_seconds":20,"since":0,"nonce":"n"}`,
			`state 127.0.0.1 {Token:T Table: Wait:20s Since:0 Nonce:n Stop:<nil>} stop=true`,
		},
		{"get_state", `{"token":"T","since":"9007199254740993"}`, `state 127.0.0.1 {Token:T Table: Wait:0s Since:9007199254740993 Nonce: Stop:<nil>} stop=true`},
		{"bid", `{"token":"T","quantity":2,"face":6}`, `act T -1 {Action:bid Args:[{Name:quantity Value:2} {Name:face Value:6}] Say:}`},
		{
			"bid", `{"face":"6","say":"<b>&","quantity":2e0,"on":17.0,"token":"T"}`,
			`act T 17 {Action:bid Args:[{Name:quantity Value:2} {Name:face Value:6}] Say:<b>&}`,
		},
		{"challenge", `{"token":"T","say":null}`, `act T -1 {Action:challenge Args:[] Say:}`},
		{"spot_on", `{"token":"T","on":0}`, `act T 0 {Action:spot_on Args:[] Say:}`},
	}
	s := serve(t, both())
	for _, tt := range tests {
		got := s.call(t, tt.tool, tt.args)
		var o struct{ Call string }
		if err := json.Unmarshal([]byte(got.text), &o); err != nil || got.isError || o.Call != tt.want {
			t.Errorf("%s %s\n got %s\nwant %s", tt.tool, tt.args, got.text, tt.want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	const (
		token    = "token must be the token that join_table gave you."
		quantity = "quantity must be an integer from 1 to 48."
		face     = "face must be an integer from 1 to 6."
		bots     = "bots must be a number from 0 to 5, or a list of up to 5 of these names: croupier and mybot."
		public   = "public must be true or false."
		wait     = "wait_seconds must be an integer from 0 to 20."
		since    = "since must be an integer of 0 or more."
		rules    = "rules must be liars-dice/standard or liars-dice/perudo."
	)
	tests := []struct{ tool, args, want string }{
		{"list_tables", `{"secret":1}`, "list_tables takes only rules."},
		{"list_tables", `{"secret":null}`, "list_tables takes only rules."},
		{"create_table", `{"secret":1}`, "create_table takes only rules, seats, turn_seconds, public, preset, dice and options."},
		{"create_table", `{"rules":"secret"}`, rules},
		{"create_table", `{"rules":1}`, rules},
		{"create_table", `{"rules":["liars-dice/standard"]}`, rules},
		{"create_table", `{"seats":1}`, "seats must be an integer from 2 to 6."},
		{"create_table", `{"seats":7}`, "seats must be an integer from 2 to 6."},
		{"create_table", `{"turn_seconds":19}`, "turn_seconds must be an integer from 20 to 120."},
		{"create_table", `{"turn_seconds":121}`, "turn_seconds must be an integer from 20 to 120."},
		{"create_table", `{"public":1}`, public},
		{"create_table", `{"public":"yes"}`, public},
		{"create_table", `{"public":{}}`, public},
		{"create_table", `{"dice":0}`, "dice must be an integer from 1 to 5."},
		{"create_table", `{"dice":true}`, "dice must be an integer from 1 to 5."},
		{"create_table", `{"rules":"liars-dice/perudo","dice":1}`, "dice must be an integer from 2 to 6."},
		{"create_table", `{"rules":"liars-dice/perudo","palifico":2}`, "palifico must be true or false."},
		{"create_table", `{"options":[1]}`, "options must be an object with names and values."},
		{"create_table", `{"options":"{secret"}`, "options must be an object with names and values."},
		{"create_table", `{"preset":1}`, "preset must be a string."},
		{"join_table", `{}`, "join_table needs name: a string of 1 to 24 letters, digits, '.', '_' and '-'."},
		{"join_table", `{"name":null}`, "join_table needs name: a string of 1 to 24 letters, digits, '.', '_' and '-'."},
		{"join_table", `{"name":""}`, "join_table needs name: a string of 1 to 24 letters, digits, '.', '_' and '-'."},
		{"join_table", `{"name":7}`, "name must be a string of 1 to 24 letters, digits, '.', '_' and '-'."},
		{"join_table", `{"name":"ann","table":7}`, "table must be a string."},
		{"join_table", `{"name":"ann","nonce":["secret"]}`, "nonce must be a string."},
		{"join_table", `{"player":"secret"}`, "join_table takes only name, table and nonce."},
		{"start_game", `{}`, "start_game needs token: the token that join_table gave you."},
		{"start_game", `{"token":{"secret":1}}`, token},
		{"start_game", `{"token":"secret","bots":6}`, bots},
		{"start_game", `{"token":"secret","bots":-1}`, bots},
		{"start_game", `{"token":"secret","bots":1.5}`, bots},
		{"start_game", `{"token":"secret","bots":"nobody"}`, bots},
		{"start_game", `{"token":"secret","bots":"1,2"}`, bots},
		{"start_game", `{"token":"secret","bots":["croupier","nobody"]}`, bots},
		{"start_game", `{"token":"secret","bots":[null]}`, bots},
		{"start_game", `{"token":"secret","bots":[1]}`, bots},
		{"start_game", `{"token":"secret","bots":true}`, bots},
		{"start_game", `{"token":"secret","bots":{}}`, bots},
		{"start_game", `{"token":"secret","bots":"mybot,mybot,mybot,mybot,mybot,mybot"}`, bots},
		{"get_state", `{}`, "get_state needs token, or table to watch a game without a seat."},
		{"get_state", `{"token":"","table":null}`, "get_state needs token, or table to watch a game without a seat."},
		{"get_state", `{"token":7}`, token},
		{"get_state", `{"token":"secret","wait_seconds":21}`, wait},
		{"get_state", `{"token":"secret","wait_seconds":0.5}`, wait},
		{"get_state", `{"token":"secret","wait_seconds":-1}`, wait},
		{"get_state", `{"token":"secret","since":-1}`, since},
		{"get_state", `{"token":"secret","since":"9223372036854775808"}`, since},
		{"get_state", `{"token":"secret","wait":20}`, "get_state takes only token, table, wait_seconds, since and nonce."},
		{"bid", `{"token":"secret"}`, "bid needs quantity: an integer from 1 to 48."},
		{"bid", `{"quantity":2,"face":6}`, "bid needs token: the token that join_table gave you."},
		{"bid", `{"token":"secret","quantity":2}`, "bid needs face: an integer from 1 to 6."},
		{"bid", `{"token":"secret","quantity":0,"face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":49,"face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":"secret","face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":2.5,"face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":[2],"face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":true,"face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":"0x2","face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":" 2","face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":"two","face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":"Infinity","face":6}`, quantity},
		{"bid", `{"token":"secret","quantity":2,"face":7}`, face},
		{"bid", `{"token":"secret","quantity":2,"face":6,"say":7}`, "say must be a string."},
		{"bid", `{"token":"secret","quantity":2,"face":6,"on":"x"}`, "on must be an integer of 0 or more."},
		{"bid", `{"token":"secret","quantity":2,"face":6,"Quantity2":3}`, "bid takes only token, quantity, face, say and on."},
		{"challenge", `{"token":"secret","quantity":2}`, "challenge takes only token, say and on."},
	}
	l := both()
	s := serve(t, l)
	for _, tt := range tests {
		got := s.call(t, tt.tool, tt.args)
		if !got.isError || got.text != tt.want || got.code != "bad_argument" {
			t.Errorf("%s %s\n got %s %s\nwant %s", tt.tool, tt.args, got.code, got.text, tt.want)
		}
		if strings.Contains(got.raw, "secret") {
			t.Errorf("%s %s: the answer repeats what was sent: %s", tt.tool, tt.args, got.raw)
		}
	}
	if len(l.calls) != 0 {
		t.Errorf("the lobby was asked %v", l.calls)
	}
	if strings.Contains(s.log.String(), "secret") {
		t.Errorf("the log repeats what was sent: %s", s.log)
	}
	for _, code := range s.refusals() {
		if code != "bad_argument" {
			t.Errorf("the front was told %q", code)
		}
	}
}

// An option that the game has not is refused with those it has.
func TestOptionsOfAnotherGame(t *testing.T) {
	s := serve(t, both())
	const standard = "The options of liars-dice/standard, with their defaults, are dice 1 to 5 (3)."
	const perudo = "The options of liars-dice/perudo, with their defaults, are dice 2 to 6 (5), palifico true or false (true), spot_on_gains 0 to 2 (1)."
	tests := []struct{ args, want string }{
		{`{"palifico":false}`, standard},
		{`{"options":{"secret":1}}`, standard},
		{`{"rules":"liars-dice/perudo","options":{"secret":1}}`, perudo},
	}
	for _, tt := range tests {
		if got := s.call(t, "create_table", tt.args); !got.isError || got.text != tt.want || got.code != "bad_setting" {
			t.Errorf("%s\n got %s %s\nwant %s", tt.args, got.code, got.text, tt.want)
		}
	}
}

func TestSingleBot(t *testing.T) {
	s := serve(t, &asked{rules: []tables.Ruleset{standard()}, bots: []host.Info{croupier}})
	const want = "bots must be a number from 0 to 5; the only bot here is croupier."
	if got := s.call(t, "start_game", `{"token":"T","bots":"mybot"}`); got.text != want {
		t.Errorf("got %s, want %s", got.text, want)
	}
	s = serve(t, &asked{rules: []tables.Ruleset{standard()}})
	if got := s.call(t, "start_game", `{"token":"T","bots":1}`); got.text != "start_game takes only token and nonce." {
		t.Errorf("got %s", got.text)
	}
}

func TestRefusalOfTheLobby(t *testing.T) {
	l := both()
	l.err = fmt.Errorf("act: %w", notYourTurn())
	s := serve(t, l)
	got := s.call(t, "challenge", `{"token":"T"}`)
	if !got.isError || got.text != "It is not your turn; wait with get_state." || got.code != "not_your_turn" {
		t.Errorf("got %+v", got)
	}
	if codes := s.refusals(); !slices.Equal(codes, []string{"not_your_turn"}) {
		t.Errorf("the front was told %q", codes)
	}
	if s.log.String() != "" {
		t.Errorf("a refusal was logged: %s", s.log)
	}
}

func TestFault(t *testing.T) {
	l := both()
	l.err = errors.New("append event 12: disk on fire")
	s := serve(t, l)
	got := s.call(t, "challenge", `{"token":"secret"}`)
	ref, ok := strings.CutPrefix(got.text, "Internal error, reference ")
	ref, ok2 := strings.CutSuffix(ref, ": call get_state to see where the game stands before you try again.")
	if !got.isError || got.code != "internal_error" || !ok || !ok2 || len(ref) != 13 || strings.Contains(got.raw, "fire") {
		t.Errorf("got %+v", got)
	}
	log := s.log.String()
	if strings.Count(log, "\n") != 1 || !strings.Contains(log, "reference="+ref) || !strings.Contains(log, "append event 12: disk on fire") ||
		!strings.Contains(log, "tool=challenge") || strings.Contains(log, "secret") {
		t.Errorf("the log has %q, want the fault once", log)
	}
}

// TestCallerLeaves has the handler's context end while the lobby waits: there is nobody to tell, and it is no fault.
func TestCallerLeaves(t *testing.T) {
	l := both()
	l.began = make(chan struct{})
	var log bytes.Buffer
	call := handlers(t, l, slog.New(slog.NewTextHandler(&log, nil)))["get_state"]
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-l.began
		cancel()
	}()
	result, err := call(ctx, request(json.RawMessage(`{"token":"T","wait_seconds":20}`)))
	if result != nil || !errors.Is(err, context.Canceled) || log.Len() > 0 {
		t.Errorf("got %v, %v and the log %q, want the context's error alone", result, err, log.String())
	}
}

// TestResultIsPlain has text in a result that JSON for pages would escape.
func TestResultIsPlain(t *testing.T) {
	s := serve(t, both())
	got := s.call(t, "challenge", `{"token":"T","say":"<i>&\u2028é"}`)
	if want := `{"call":"act T -1 {Action:challenge Args:[] Say:<i>& é}"}`; got.text != want {
		t.Errorf("got %s, want %s", got.text, want)
	}
}
