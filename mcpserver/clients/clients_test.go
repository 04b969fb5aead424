package clients_test

import "testing"

// eras are the versions of the protocol that each client speaks, as its -e takes them.
var eras = []struct {
	client   string
	versions []string
}{
	{"gosdk", []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}},
	{"mcpgo", []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}},
	{"sdk1", []string{"2025-03-26", "2025-06-18", "2025-11-25"}},
	{"sdk2", []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}},
	{"browser", []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}},
	{"inspector", []string{"legacy", "modern"}},
}

// Each client plays croupier in each version of the protocol.
func TestEras(t *testing.T) {
	s := serve(t)
	t.Run("curl", func(t *testing.T) { game{players: []player{{client: "curl"}}, bots: 1}.play(t, s) })
	for _, e := range eras {
		for _, version := range e.versions {
			t.Run(e.client+" "+version, func(t *testing.T) {
				game{players: []player{{client: e.client, options: []string{"-e", version}}}, bots: 1}.play(t, s)
			})
		}
	}
}

// The clients play each other.
func TestTogether(t *testing.T) {
	s := serve(t)
	for _, g := range []game{
		{name: "without Node.js", players: []player{{client: "curl"}, {client: "gosdk"}, {client: "mcpgo"}}, bots: 1},
		{name: "with Node.js", players: []player{{client: "sdk1"}, {client: "curl"}, {client: "sdk2"}, {client: "mcpgo"}}, bots: 2},
	} {
		t.Run(g.name, func(t *testing.T) { g.play(t, s) })
	}
}

// A script of curl and jq goes on across a kill of the server, and so do those who play with it.
func TestKill(t *testing.T) {
	s := serve(t)
	game{
		players: []player{{client: "curl"}, {client: "gosdk"}}, bots: 1,
		table: map[string]any{"dice": 5}, kill: true,
	}.play(t, s)
}
