package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"dudo.example/mcpserver"
	"dudo.example/mcpserver/rulebook"
)

// What clients read is at every moment of one offer: the games that create_table names and the tools that they bring.
func TestRefreshIsAtomic(t *testing.T) {
	address, lobby, server := serveLobby(t, mcpserver.Config{})
	small, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	large, err := rulebook.Offer([]string{"dice/pig"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var readers sync.WaitGroup
	seen := make([][2]int, 4)
	for i := range seen {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				pig, roll := offers(t, address)
				if pig != roll {
					t.Errorf("dice/pig is on offer: %v, and its tool roll is there: %v", pig, roll)
					return
				}
				if pig {
					seen[i][1]++
				} else {
					seen[i][0]++
				}
			}
		})
	}
	for k := range 100 {
		files := small
		if k%2 == 0 {
			files = large
		}
		lobby.Offer(rulebook.Rulesets(files))
		if err := server.Refresh(); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	readers.Wait()
	if !slices.ContainsFunc(seen, func(n [2]int) bool { return n[0] > 0 && n[1] > 0 }) {
		t.Errorf("no reader saw both offers: %v", seen)
	}
}

// offers says whether dice/pig is among the rules of create_table, and whether its tool is listed.
func offers(t *testing.T, address string) (pig, roll bool) {
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := c.Post(address+"/mcp", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Error(err)
		return false, false
	}
	defer func() { _ = res.Body.Close() }()
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct {
					Properties map[string]struct{ Enum []string }
				}
			}
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil || len(list.Result.Tools) < 7 {
		t.Errorf("%d tools (%v)", len(list.Result.Tools), err)
	}
	for _, tool := range list.Result.Tools {
		pig = pig || slices.Contains(tool.InputSchema.Properties["rules"].Enum, "dice/pig")
		roll = roll || tool.Name == "roll"
	}
	return pig, roll
}

// A server with a rule file that is not right is degraded, and serves as before.
func TestDegraded(t *testing.T) {
	var faults []mcpserver.Fault
	address, _, _ := serveLobby(t, mcpserver.Config{Faults: func() []mcpserver.Fault { return faults }})
	if _, _, body := get(t, address+"/healthz"); !strings.Contains(body, `"status":"ok"`) || strings.Contains(body, "rules") {
		t.Errorf("without faults: %s", body)
	}
	faults = []mcpserver.Fault{{File: "a.yaml", Error: "3:8: no"}}
	if status, _, body := get(t, address+"/healthz"); status != 200 || !strings.Contains(body, `"rules":[{"file":"a.yaml","error":"3:8: no"}],"status":"degraded"`) {
		t.Errorf("with a fault: %d %s", status, body)
	}
	if status, _, body := get(t, address+"/readyz"); status != 200 || !strings.Contains(body, `"status":"ready"`) {
		t.Errorf("readyz: %d %s", status, body)
	}
}
