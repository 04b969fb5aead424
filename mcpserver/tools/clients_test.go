package tools_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tables"
	"dudo.example/mcpserver/tools"
	"dudo.example/plugins/host"
	"dudo.example/rules"
)

// What clients and the models behind them take, and where that is said. A tool that is over a limit is dropped, cut, or fails
// every request that it is listed in.
const (
	// "Currently, Cursor will only send the first 40 tools to the Agent", of all servers together: bun913/mcp-testrail#6. Later
	// limits are higher: 80 (Snowflake-Labs/mcp#77), 100 in Windsurf, 128 in VS Code (microsoft/azure-devops-mcp's guide).
	mostTools = 40
	// The server's name and the tool's in Cursor, with a character between: ComposioHQ/composio#2788.
	cursorName = 60
	// mcp__SERVER__TOOL in Claude Code (sparfenyuk/mcp-proxy#45), mcp_SERVER_TOOL in the Gemini CLI, which cuts at 63
	// (google-gemini/gemini-cli#20987).
	qualifiedName = 63
	// "Expected a string with maximum length 1024", OpenAI's API: getsentry/sentry-mcp#106. Claude Code cuts at 2,048
	// (anthropics/claude-code#41593), instructions too.
	description  = 1024
	instructions = 2048
	// Ours: what the list of the family may cost an agent that reads it, in bytes of JSON; about a quarter as many tokens.
	familyList = 16000
)

var (
	// Gemini's, the narrowest: letters, digits and _ . -, beginning with a letter or _ (router-for-me/CLIProxyAPI#218); OpenAI and
	// Anthropic know no dot in it (github/copilot-cli#1879).
	toolName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]*$`)
	// Anthropic's keys of a schema: beautyfree/appstore-connect-mcp#2.
	propertyKey = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)
)

// everything is what a server offers that offers all that ships.
func everything(t *testing.T) []tables.Ruleset {
	t.Helper()
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	return rulebook.Rulesets(files)
}

// TestClients has all that ships on offer, and holds the tools against what clients take.
func TestClients(t *testing.T) {
	const server = "dudo" // as the README names it
	offers := map[string][]tables.Ruleset{"the family": library(t), "all that ships": everything(t)}
	for name, sets := range offers {
		s := serve(t, &asked{rules: sets, bots: []host.Info{croupier}})
		raw, err := s.post(t.Context(), t, "tools/list", map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Tools []struct {
				Name, Description string
				InputSchema       struct{ Properties map[string]json.RawMessage }
			}
		}
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d games, %d tools, %d bytes", name, len(sets), len(list.Tools), len(raw))
		if len(list.Tools) > mostTools || name == "the family" && len(raw) > familyList {
			t.Errorf("%s: %d tools of %d bytes, want at most %d of %d", name, len(list.Tools), len(raw), mostTools, familyList)
		}
		if n := len(instructionsOf(t, s)); n >= instructions {
			t.Errorf("%s: the instructions have %d bytes", name, n)
		}
		for _, tool := range list.Tools {
			if !toolName.MatchString(tool.Name) || len(server+":"+tool.Name) > cursorName || len("mcp__"+server+"__"+tool.Name) > qualifiedName {
				t.Errorf("%s: the name %s is not one that every client takes", name, tool.Name)
			}
			if len(tool.Description) > description {
				t.Errorf("%s: the description of %s has %d bytes", name, tool.Name, len(tool.Description))
			}
			for key := range tool.InputSchema.Properties {
				if !propertyKey.MatchString(key) {
					t.Errorf("%s: %s has an argument %q", name, tool.Name, key)
				}
			}
		}
	}
}

// The order of tools is the same whatever comes first.
func TestOrderOfTools(t *testing.T) {
	order := func(sets ...tables.Ruleset) (names []string) {
		for _, tool := range listOf(t, serve(t, &asked{rules: sets})).Tools {
			names = append(names, tool.Name)
		}
		return names
	}
	other := standard()
	other.Game = "test/other"
	for _, name := range []string{"announce", "zap", "pass"} {
		other.Actions = append(other.Actions, tables.Action{Name: name, Doc: "do it"})
	}
	want := []string{
		"list_tables", "create_table", "join_table", "start_game", "get_state", "bid", "challenge", "spot_on", "announce", "pass", "zap",
	}
	for _, sets := range [][]tables.Ruleset{{standard(), perudo(), other}, {other, perudo(), standard()}, {perudo(), standard(), other}} {
		if got := order(sets...); !slices.Equal(got, want) {
			t.Errorf("the tools are %q, want %q", got, want)
		}
	}
}

// A server is not offered so many games that clients would drop tools.
func TestTooManyTools(t *testing.T) {
	r := standard()
	for i := range 40 {
		r.Actions = append(r.Actions, tables.Action{Name: fmt.Sprintf("pass_%d", i), Doc: "pass"})
	}
	const want = "with these rules there are 47 tools, and clients take 40; offer fewer games"
	if err := tools.Check([]tables.Ruleset{r}, nil); err == nil || err.Error() != want {
		t.Errorf("Check gives %v, want %s", err, want)
	}
	if err := tools.Check(everything(t), nil); err != nil {
		t.Error(err)
	}
}

// Rules that are only played bring their own tools, and take nothing away from those on offer.
func TestPlayedTools(t *testing.T) {
	old := perudo()
	old.Actions = append([]tables.Action{}, old.Actions...)
	old.Actions[0].Doc = "Bid as it was"
	old.Actions[0].Params = []tables.Param{{Name: "quantity", Low: 1, High: 60}, {Name: "face", Low: 1, High: 8}}
	s := serve(t, &asked{rules: []tables.Ruleset{standard()}, played: []tables.Ruleset{old}})
	list := listOf(t, s)
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Name == "bid" && strings.Contains(tool.Description, "as it was") {
			t.Errorf("bid is described by rules that are not on offer: %s", tool.Description)
		}
		if tool.Name == "create_table" && strings.Contains(tool.Description, "perudo") {
			t.Errorf("create_table names rules that are not on offer: %s", tool.Description)
		}
	}
	if !slices.Contains(names, "spot_on") {
		t.Errorf("the tools are %q, want spot_on too", names)
	}
	if got := s.call(t, "bid", `{"token":"T","quantity":60,"face":8}`); got.isError {
		t.Errorf("a bid of the old rules is refused by the tool: %s", got.text)
	}
	if got := s.call(t, "create_table", `{"rules":"liars-dice/perudo"}`); !got.isError {
		t.Error("a table of rules that are not on offer can be made")
	}
}
