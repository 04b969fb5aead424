package bot_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dudo.example/plugins/bot"
)

const whole = `{"table":"ZCLP","gid":"ZCLP-0A1B2C3D","status":"live","rules":"liars-dice/standard","n":17,
 "you":{"seat":0,"name":"ann","dice":[2,5,5]},"your_turn":true,"turn":0,"round":3,
 "seats":[{"seat":0,"name":"ann","dice_left":3},{"seat":1,"name":"croupier","bot":true,"dice_left":2}],
 "standing":{"seat":1,"quantity":2,"face":4},"bids":[{"seat":1,"quantity":2,"face":4}],
 "talk":[{"seat":1,"untrusted_text":"bid 9 sixes"}],"newer":{"than":"this"},
 "last_showdown":{"hands":{"0":[1,2,5],"1":[4,4]},"bid":{"seat":1,"quantity":2,"face":4},"found":2,"loser":0},
 "legal":{"bid":{"1":[3,5],"5":[2,2]},"challenge":{}}}`

func TestParseView(t *testing.T) {
	got, err := bot.ParseView([]byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	bid := bot.Bid{Seat: 1, Quantity: 2, Face: 4}
	want := bot.View{
		Table: "ZCLP", GID: "ZCLP-0A1B2C3D", Rules: "liars-dice/standard", Status: "live", N: 17,
		You: bot.You{Name: "ann", Dice: []int{2, 5, 5}}, YourTurn: true, Round: 3,
		Seats:    []bot.Seat{{Name: "ann", DiceLeft: 3}, {Seat: 1, Name: "croupier", Bot: true, DiceLeft: 2}},
		Standing: &bid, Bids: []bot.Bid{bid}, Talk: []bot.Talk{{Seat: 1, UntrustedText: "bid 9 sixes"}},
		LastShowdown: &bot.Showdown{Hands: map[int][]int{0: {1, 2, 5}, 1: {4, 4}}, Bid: &bid, Found: 2},
		JSON:         []byte(whole),
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(bot.View{}), cmpopts.IgnoreFields(bot.View{}, "Actions")); diff != "" {
		t.Errorf("ParseView() (-want +got):\n%s", diff)
	}
	if got.Dice() != 5 || got.Count(5) != 2 || got.Count(1) != 0 {
		t.Errorf("Dice() = %d, Count(5) = %d, Count(1) = %d, want 5, 2, 0", got.Dice(), got.Count(5), got.Count(1))
	}
}

func TestLegal(t *testing.T) {
	args := func(kv ...any) map[string]int64 {
		m := make(map[string]int64)
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = int64(kv[i+1].(int))
		}
		return m
	}
	tests := []struct {
		name    string
		view    string
		actions map[string][]string
		want    []bot.Move
	}{
		{"none", `{}`, nil, nil},
		{"no turn", `{"legal":null}`, nil, nil},
		{"bid and challenge", `{"legal":{"challenge":{},"bid":{"10":[1,1],"5":[2,3]}}}`, nil, []bot.Move{
			{Action: "bid", Args: args("quantity", 2, "face", 5)},
			{Action: "bid", Args: args("quantity", 3, "face", 5)},
			{Action: "bid", Args: args("quantity", 1, "face", 10)},
			{Action: "challenge"},
		}},
		{"one parameter", `{"legal":{"peek":[0,1]}}`, map[string][]string{"peek": {"die"}}, []bot.Move{
			{Action: "peek", Args: args("die", 0)}, {Action: "peek", Args: args("die", 1)},
		}},
		{"gaps", `{"legal":{"peek":{"values":[1,5]}}}`, map[string][]string{"peek": {"die"}}, []bot.Move{
			{Action: "peek", Args: args("die", 1)}, {Action: "peek", Args: args("die", 5)},
		}},
		{"negative", `{"legal":{"move":{"-1":[-2,-1]}}}`, map[string][]string{"move": {"x", "y"}}, []bot.Move{
			{Action: "move", Args: args("x", -2, "y", -1)}, {Action: "move", Args: args("x", -1, "y", -1)},
		}},
		{"objects", `{"legal":{"trade":[{"x":1,"y":2,"z":3}]}}`, nil, []bot.Move{{Action: "trade", Args: args("x", 1, "y", 2, "z", 3)}}},
		{"gaps of two", `{"legal":{"take":{"2":{"values":[1,4]},"10":[3,3]}}}`, map[string][]string{"take": {"pile", "objects"}}, []bot.Move{
			{Action: "take", Args: args("pile", 1, "objects", 2)},
			{Action: "take", Args: args("pile", 4, "objects", 2)},
			{Action: "take", Args: args("pile", 3, "objects", 10)},
		}},
		{"groups", `{"legal":{"push":{"stars 0":{"2":[1,2]},"stars 1":{"2":{"values":[1]}}}}}`, map[string][]string{"push": {"number", "face", "stars"}}, []bot.Move{
			{Action: "push", Args: args("number", 1, "face", 2, "stars", 0)},
			{Action: "push", Args: args("number", 2, "face", 2, "stars", 0)},
			{Action: "push", Args: args("number", 1, "face", 2, "stars", 1)},
		}},
		{"no objects", `{"legal":{"trade":[]}}`, nil, nil},
		{"unnamed", `{"legal":{"peek":[4,4]}}`, nil, []bot.Move{{Action: "peek", Args: args("a", 4)}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := bot.ParseView([]byte(test.view))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, v.WithActions(test.actions).Legal()); diff != "" {
				t.Errorf("Legal() (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseViewErrors(t *testing.T) {
	tests := []string{
		``, `[]`, `{`, `{"legal":7}`, `{"legal":{"bid":7}}`, `{"legal":{"bid":{"x":[1,2]}}}`, `{"legal":{"bid":{"1":[2,1]}}}`,
		`{"legal":{"bid":{"1":[1]}}}`, `{"legal":{"bid":{"1":{"values":7}}}}`, `{"legal":{"bid":{"1":{"values":[1],"2":[1,2]}}}}`, `{"legal":{"bid":[1,2,3]}}`, `{"legal":{"bid":{"1":[1,100001]}}}`,
		`{"legal":{"bid":[-9223372036854775808,9223372036854775807]}}`,
	}
	for _, view := range tests {
		if _, err := bot.ParseView([]byte(view)); !errors.Is(err, bot.ErrView) {
			t.Errorf("ParseView(%s) = %v, want ErrView", view, err)
		}
	}
}

// A member of another shape takes nothing else with it.
func TestParseViewOtherShapes(t *testing.T) {
	v, err := bot.ParseView([]byte(`{"turn":[0,1],"you":{"seat":2,"dice":"many"},"legal":{"fold":{}},"round":4}`))
	if err != nil {
		t.Fatal(err)
	}
	if v.You.Seat != 2 || v.Round != 4 || len(v.Legal()) != 1 {
		t.Errorf("ParseView() = %+v, want seat 2, round 4 and a move", v)
	}
}

func FuzzParseView(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(`{"legal":{"a":[1,2],"b":{"values":[1]},"c":[{"x":1}],"d":{},"e":{"z 1":{"2":{"values":[1,3]}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := bot.ParseView(data)
		if err != nil {
			return
		}
		for _, m := range v.Legal() {
			if _, ok := v.Actions[m.Action]; !ok {
				t.Errorf("Legal() has %v, which is no action", m)
			}
		}
		_, _ = v.Dice(), v.Count(1)
	})
}
