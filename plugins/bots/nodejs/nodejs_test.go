package nodejs_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dudo.example/plugins/host"
)

func TestPlain(t *testing.T) {
	t.Setenv("PATH", "/usr/local/bin:/usr/bin:/bin") // a bot's
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is not installed where bots find it")
	}
	temp, err := os.MkdirTemp("", "dudo-test-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(temp)
	h, err := host.New(host.Options{Dir: ".", TempDir: temp})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	s, err := h.Open(t.Context(), "plain", host.SeatInfo{
		GID: "TEST-0", Game: "liars-dice/standard", Options: map[string]int64{"dice": 3}, Seats: 2, Seat: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	const head = `{"seats":[{"seat":0,"dice_left":2},{"seat":1,"dice_left":2}],"you":{"seat":1,"dice":[3,3]},`
	tests := []struct {
		name, view string
		want       host.Move
	}{
		{"opening", head + `"legal":{"bid":{"2":[1,4],"3":[1,4]}}}`, host.Move{
			Action: "bid", Args: map[string]int64{"quantity": 1, "face": 3}, Say: "Seat 1 bids.",
		}},
		{
			"challenge", head + `"standing":{"seat":0,"quantity":2,"face":6},"legal":{"bid":{"3":[3,4]},"challenge":{}}}`,
			host.Move{Action: "challenge"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := s.Decide(t.Context(), []byte(test.view))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Decide() (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := s.Decide(t.Context(), []byte(`no view`)); host.OutcomeOf(err) != host.Failed {
		t.Errorf("Decide() of no view = %v, want failed", err)
	}
	s.Observe([]byte(`{}`))
	s.Close()
	if _, err := h.Open(t.Context(), "plain", host.SeatInfo{Game: "poker/holdem"}); host.OutcomeOf(err) != host.Unsupported {
		t.Errorf("Open() of another game = %v, want unsupported", err)
	}
}
