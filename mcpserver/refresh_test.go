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
	"dudo.example/rules"
)

const pickNumber = `dudo: 1
game: test/pick
title: Pick a number
about: The first player picks a number, and that is all.
seats: [1, 2]
state:
  turn: {seat: 0, doc: whose turn it is}
start: picking
phases:
  picking:
    turn: turn
    actions:
      pick_number:
        doc: Pick a number.
        params:
          number: {int: [1, 9], doc: the number}
        do:
          - end: now
result:
  rank: '1'
`

// What clients read is at every moment of one offer: the games that create_table names and the tools that they bring.
func TestRefreshIsAtomic(t *testing.T) {
	address, lobby, server := serveLobby(t, mcpserver.Config{})
	small, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := rules.Parse("pick.yaml", []byte(pickNumber))
	if err != nil {
		t.Fatal(err)
	}
	large := append(slices.Clone(small), file)
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
				game, tool := offers(t, address)
				if game != tool {
					t.Errorf("test/pick is on offer: %v, and its tool is there: %v", game, tool)
					return
				}
				if game {
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

// offers says whether test/pick is among the rules of create_table, and whether its tool is listed.
func offers(t *testing.T, address string) (game, tool bool) {
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
	for _, listed := range list.Result.Tools {
		game = game || slices.Contains(listed.InputSchema.Properties["rules"].Enum, "test/pick")
		tool = tool || listed.Name == "pick_number"
	}
	return game, tool
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
