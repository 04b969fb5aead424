package clients_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"dudo.example/verifier"
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

// The games of the recordings are played again; with -record they become the recordings.
func TestPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for clocks to run out")
	}
	if *recordTo != "" {
		if err := os.MkdirAll(*recordTo, 0o755); err != nil {
			t.Fatal(err)
		}
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
	pin := fmt.Sprintf("dudo.example %s\n", base64.RawURLEncoding.EncodeToString(s.key(t)))
	if err := os.WriteFile(filepath.Join(*recordTo, "keys"), []byte(pin), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Every recording is a whole game, signed by the key that lies beside it.
func TestRecordings(t *testing.T) {
	const folder = "../../recordings"
	keys, err := os.Open(filepath.Join(folder, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	defer keys.Close()
	pins, err := verifier.ReadPins(keys)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) < len(recordings) {
		t.Fatalf("%d recordings, %v; want at least %d", len(files), err, len(recordings))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			verify(t, text, verifier.Options{Pins: pins})
		})
	}
}
