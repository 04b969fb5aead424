package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dudo.example/mcpserver/client"
)

// answering serves one answer to everything.
func answering(t *testing.T, status int, header, body string) *client.Client {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if name, value, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(name, value)
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(srv.Close)
	c := client.New(srv.URL+"/mcp", 1) // with the path or without
	t.Cleanup(c.Close)
	return c
}

const ok = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"table\":\"ABCD\",\"n\":7}"}]}}`

func TestCall(t *testing.T) {
	tests := []struct {
		name         string
		status       int
		header, body string
		check        func(error) bool // nil: no error
	}{
		{name: "a result", status: 200, body: ok},
		{
			name: "a refusal", status: 200,
			body: `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"Wait."}],"_meta":{"code":"not_your_turn"}}}`,
			check: func(err error) bool {
				var r *client.Refusal
				return errors.As(err, &r) && *r == client.Refusal{Code: "not_your_turn", Sentence: "Wait."}
			},
		},
		{
			name: "too many requests", status: 429, header: "Retry-After: 7", body: `{}`,
			check: func(err error) bool {
				var r *client.RateError
				return errors.As(err, &r) && r.After == 7*time.Second
			},
		},
		{
			name: "too many, and no hint", status: 429, body: `{}`,
			check: func(err error) bool {
				var r *client.RateError
				return errors.As(err, &r) && r.After == time.Second
			},
		},
		{
			name: "another status", status: 503, body: "down\n" + strings.Repeat("x", 1000),
			check: func(err error) bool {
				var s *client.StatusError
				return errors.As(err, &s) && s.Code == 503 && strings.HasPrefix(s.Text, "down") && len(s.Text) == 200
			},
		},
		{name: "an error of the protocol", status: 200, body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such tool"}}`, check: says("-32602 no such tool")},
		{name: "not JSON", status: 200, body: `<html>`, check: says("not JSON")},
		{name: "no text", status: 200, body: `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, check: says("no text")},
		{name: "text that is not JSON", status: 200, body: strings.Replace(ok, `{\"`, `\"`, 1), check: says("its result is not JSON")},
		{name: "endless", status: 200, body: strings.Repeat(" ", 6<<20), check: says("too long")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got struct {
				Table string
				N     int
			}
			err := answering(t, tt.status, tt.header, tt.body).Call(t.Context(), "get_state", map[string]any{"table": "ABCD"}, &got)
			switch {
			case tt.check == nil && (err != nil || got.Table != "ABCD" || got.N != 7):
				t.Errorf("Call: %v, %+v", err, got)
			case tt.check != nil && (err == nil || !tt.check(err)):
				t.Errorf("Call: %v", err)
			}
		})
	}
}

func says(part string) func(error) bool {
	return func(err error) bool { return strings.Contains(err.Error(), part) }
}

func TestCallEndsWithItsContext(t *testing.T) {
	block := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-block }))
	defer srv.Close()
	defer close(block)
	c := client.New(srv.URL, 1)
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := c.Call(ctx, "get_state", nil, &struct{}{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Call: %v", err)
	}
}

// The agent makes the least bids there are, and challenges what is above a third of the dice.
func TestChoose(t *testing.T) {
	state := func(text string) (s client.State) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	const seats = `"seats":[{"seat":0,"dice_left":3},{"seat":1,"dice_left":3}]`
	tests := []struct {
		name, state string
		want        []string // all choices of many
	}{
		{"first bid", `{"legal":{"bid":{"2":[1,6],"3":[1,6]}},` + seats + `}`, []string{"bid 1×2", "bid 1×3"}},
		{
			"a raise, now and then a challenge", `{"legal":{"bid":{"2":[3,6],"5":[2,6]},"challenge":{}},"standing":{"quantity":2,"face":4},` + seats + `}`,
			[]string{"bid 2×5", "challenge"},
		},
		{"too high", `{"legal":{"bid":{"5":[4,6]},"challenge":{}},"standing":{"quantity":4,"face":4},` + seats + `}`, []string{"challenge"}},
		{"nothing but", `{"legal":{"challenge":{}},"standing":{"quantity":1,"face":4},` + seats + `}`, []string{"challenge"}},
		{"nothing it knows", `{"legal":{"sing":{}},` + seats + `}`, []string{"error"}},
		{"nothing it can read", `{"legal":{"bid":{"two":1}},` + seats + `}`, []string{"error"}},
	}
	for _, tt := range tests {
		a := &client.Agent{Rand: rand.New(rand.NewPCG(1, 2))}
		found := map[string]bool{}
		for range 200 {
			tool, args, err := a.Choose(state(tt.state))
			switch {
			case err != nil:
				found["error"] = true
			case tool == "bid":
				found[fmt.Sprintf("bid %d×%d", args["quantity"], args["face"])] = true
			default:
				found[tool] = true
			}
		}
		if diff := cmp.Diff(tt.want, slices.Sorted(maps.Keys(found))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
