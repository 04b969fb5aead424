package clients_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dudo.example/store"
)

var recordTo = flag.String("record", "", "make the recordings in this `folder`, with a file keys of their server's key")

// recordings are the games that the project keeps.
var recordings = []game{
	{
		name: "two-seats-typescript-sdk", bots: 1,
		players: []player{{client: "sdk2", options: []string{"-n", "typescript-sdk"}}},
	},
	{
		name: "three-seats-inspector-go-sdk", bots: 1,
		players: []player{
			{client: "inspector", options: []string{"-n", "inspector"}},
			{client: "gosdk", options: []string{"-n", "go-sdk", "-d", "4"}},
		},
	},
	{
		name: "four-seats-curl-typescript-sdk-go-sdk-inspector",
		players: []player{
			{client: "curl"},
			{client: "sdk1", options: []string{"-n", "typescript-sdk", "-d", "4"}},
			{client: "gosdk", options: []string{"-n", "go-sdk", "-d", "2"}},
			{client: "inspector", options: []string{"-e", "legacy"}},
		},
	},
	{
		name: "three-seats-timeouts", bots: 1, table: map[string]any{"turn_seconds": 20},
		players: []player{
			{client: "mcpgo", options: []string{"-n", "mcp-go"}},
			{client: "curl", options: []string{"-m", "2"}},
		},
	},
	{
		name: "three-seats-restart", bots: 1, table: map[string]any{"dice": 5}, kill: true,
		players: []player{
			{client: "curl"},
			{client: "sdk2", options: []string{"-n", "typescript-sdk"}},
		},
	},
}

// The games of the project's recordings are played again; with -record they become the recordings.
func TestRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for clocks to run out")
	}
	s := serve(t)
	for _, g := range recordings {
		t.Run(g.name, func(t *testing.T) {
			text := g.play(t, s)
			if *recordTo == "" {
				return
			}
			if err := os.WriteFile(filepath.Join(*recordTo, g.name+".jsonl"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
	if *recordTo == "" {
		return
	}
	key, err := store.ServerKey(s.data)
	if err != nil {
		t.Fatal(err)
	}
	pin := fmt.Sprintf("dudo.example %s\n", base64.RawURLEncoding.EncodeToString(key.Public().(ed25519.PublicKey)))
	if err := os.WriteFile(filepath.Join(*recordTo, "keys"), []byte(pin), 0o644); err != nil {
		t.Fatal(err)
	}
}
