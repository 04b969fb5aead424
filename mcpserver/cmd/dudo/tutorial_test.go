package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/diff"

	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/clients/player"
)

const tutorial = top + "/rules/tutorial"

// A person who follows the tutorial gets what it shows: every command is run, every change is made, in order. The file that comes
// of it is the one beside the page, with fewer than twenty lines changed, and an agent plays it by its words.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile(tutorial + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	bin, dir := t.TempDir(), t.TempDir()
	linkSelf(t, filepath.Join(bin, "dudo"))
	r := reader{t: t, addr: freeAddress(t), temp: t.TempDir(), dir: dir, env: []string{
		"DUDO_TEST_MAIN=1", "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "GOMAXPROCS=2",
	}}
	file := filepath.Join(dir, "sixes-wild.yaml")
	var begun []byte
	commands, written := 0, 0
	for _, fence := range regexp.MustCompile("(?sm)^```(console|diff)\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		if fence[1] == "diff" {
			if begun == nil {
				begun = read(t, file)
			}
			change(t, file, fence[2])
			written += strings.Count("\n"+fence[2], "\n+")
			continue
		}
		for _, b := range blocks(fence[0]) {
			r.run(b)
			commands++
		}
	}
	if commands < 9 {
		t.Errorf("only %d commands were found in the tutorial", commands)
	}
	if *update {
		if err := os.WriteFile(tutorial+"/sixes-wild.yaml", read(t, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(read(t, tutorial+"/sixes-wild.yaml")), string(read(t, file))); diff != "" {
		t.Errorf("the changes of the tutorial do not give its file: file -, changes +\n%s", diff)
	}
	if written != 16 {
		t.Errorf("%d lines are written; the page and the README say sixteen", written)
	}
	if n := changedLines(begun, read(t, file)); n < written || n >= 20 {
		t.Errorf("%d lines were changed, want fewer than twenty", n)
	}
	t.Run("an agent plays it", func(t *testing.T) { playTutorial(t, "http://"+r.addr) })
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// change makes changes in a file: where lines stand that begin with - or a space, put those that begin with + or a space.
func change(t *testing.T, path, changes string) {
	t.Helper()
	text := string(read(t, path))
	for _, hunk := range strings.Split(changes, "…\n") {
		var before, after strings.Builder
		for line := range strings.Lines(hunk) {
			if line[0] != '+' {
				before.WriteString(line[1:])
			}
			if line[0] != '-' {
				after.WriteString(line[1:])
			}
		}
		if n := strings.Count(text, before.String()); n != 1 {
			t.Fatalf("the file has this %d times, want once:\n%s", n, &before)
		}
		text = strings.Replace(text, before.String(), after.String(), 1)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// changedLines counts the lines that are new or other than before, and those that were taken out for no other.
func changedLines(before, after []byte) int {
	added, removed := 0, 0
	for _, line := range bytes.Split(diff.Diff("before", before, "after", after), []byte("\n"))[3:] { // below the names
		switch {
		case bytes.HasPrefix(line, []byte("+")):
			added++
		case bytes.HasPrefix(line, []byte("-")):
			removed++
		}
	}
	return max(added, removed)
}

// playTutorial is an agent with the client of another project: it reads that sixes are wild, and a lost challenge costs it two dice.
func playTutorial(t *testing.T, address string) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	agent := mcp.NewClient(&mcp.Implementation{Name: "tutorial", Version: "1.0.0"}, nil)
	session, err := agent.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: address + "/mcp"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	listed, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"bid":       "show a face, or a six, which is wild, at least so many times",
		"challenge": "the face and the sixes are counted, and who is wrong loses two dice",
	} {
		i := slices.IndexFunc(listed.Tools, func(tool *mcp.Tool) bool { return tool.Name == name })
		if i < 0 || !strings.Contains(listed.Tools[i].Description, want) {
			t.Errorf("the description of %s does not say that %s", name, want)
		}
	}
	call := func(ctx context.Context, tool string, args map[string]any) (string, error) {
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			return "", err
		}
		text := result.Content[0].(*mcp.TextContent).Text
		if result.IsError {
			return "", player.Refusal(text)
		}
		return text, nil
	}
	if text, err := call(ctx, "list_tables", map[string]any{}); err != nil || !strings.Contains(text, "liars-dice/sixes-wild") {
		t.Errorf("list_tables does not offer the game: %v\n%s", err, text)
	}
	var out strings.Builder
	if err := player.Play(ctx, &out, call, player.Options{Name: "ann", Players: 1, Bots: 2, Doubt: 3, Moves: -1}); err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(out.String())
	c := client.New(address, 1)
	defer c.Close()
	record, err := c.Record(ctx, words[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := verifyRecord(record, words[1:], t.Logf); err != nil {
		t.Error(err)
	}
	if !bytes.Contains(record, []byte(`"game":"liars-dice/sixes-wild"`)) {
		t.Errorf("the record is of another game:\n%s", record)
	}
	checkTwoDice(t, record)
}

// checkTwoDice goes through a record: between two deals somebody lost two dice, or all there were.
func checkTwoDice(t *testing.T, record []byte) {
	t.Helper()
	var before map[string]int
	lost := 0
	for line := range bytes.Lines(record) {
		var event struct {
			Counts map[string]int
		}
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		if event.Counts == nil {
			continue
		}
		for owner, n := range before {
			switch gone := n - event.Counts[owner]; gone {
			case 0:
			case 2, n:
				lost++
			default:
				t.Errorf("seat %s lost %d of %d dice", owner, gone, n)
			}
		}
		before = event.Counts
	}
	if lost == 0 {
		t.Errorf("nobody lost dice between two deals:\n%s", record)
	}
}
