package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"dudo.example/mcpserver/client"
	"dudo.example/mcpserver/internal/servertest"
	"dudo.example/mcpserver/rulebook"
	"dudo.example/mcpserver/tools"
	"dudo.example/plugins/bots/croupier"
	"dudo.example/plugins/host"
	"dudo.example/verifier"
)

var update = flag.Bool("update", false, "write what is generated of the README")

const top = "../../.."

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The README's tables of tools, with the standard game alone on offer, and of free fields are those of the code.
func TestREADMEIsGenerated(t *testing.T) {
	files, err := rulebook.Offer(nil)
	if err != nil {
		t.Fatal(err)
	}
	toolTable, err := tools.Markdown(rulebook.Rulesets(files[:1]), []host.Info{{Name: croupier.Name, House: true}})
	if err != nil {
		t.Fatal(err)
	}
	free := "| member | why |\n| --- | --- |\n"
	for _, f := range slices.Concat(verifier.FreeFields, verifier.FreeEvents) {
		why := f.Why
		if f.Undealt {
			why += " (only in a game that ended before its first deal)"
		}
		free += "| `" + f.Name + "` | " + why + " |\n"
	}
	old := readme(t)
	text := between(t, old, "tools", toolTable)
	text = between(t, text, "free", free)
	if text == old {
		return
	}
	if !*update {
		t.Fatal("the README is not what the code generates; run: go test ./mcpserver/cmd/dudo -run README -update")
	}
	if err := os.WriteFile(filepath.Join(top, "README.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between replaces what stands between a pair of comments.
func between(t *testing.T, text, name, with string) string {
	t.Helper()
	pair := regexp.MustCompile(`(?s)(<!-- ` + name + `:[^\n]*-->\n).*?(<!-- /` + name + ` -->)`)
	if !pair.MatchString(text) {
		t.Fatalf("the README has no place for %s", name)
	}
	return pair.ReplaceAllString(text, "${1}"+strings.ReplaceAll(with, "$", "$$")+"${2}")
}

// block is a command of the README with the output it shows.
type block struct{ command, output string }

func blocks(text string) (list []block) {
	for _, m := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(m[1]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				list = append(list, block{command: strings.TrimSpace(command)})
			} else if n := len(list); n > 0 {
				list[n-1].output += line
			}
		}
	}
	return list
}

// Every command of the README runs, in order, and says what the README shows. In the README an ellipsis stands for anything; codes,
// numbers and times are those of the day it was written.
func TestREADMECommands(t *testing.T) {
	for _, program := range []string{"curl", "jq", "go", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(err)
			}
			t.Skipf("the README's commands need %s: %v", program, err)
		}
	}
	list := blocks(readme(t))
	if len(list) < 5 {
		t.Fatalf("only %d commands were found in the README", len(list))
	}
	r := reader{t: t, addr: freeAddress(t), temp: t.TempDir(), dir: top}
	for _, b := range list {
		r.run(b)
	}
}

// reader is somebody who types the commands of a page, in a folder, with a server on an address of its own.
type reader struct {
	t               *testing.T
	addr, temp, dir string
	env             []string
}

// run types a command and compares what it says with the page. It may fail if the page says so: its last line is the program's
// complaint.
func (r *reader) run(b block) {
	r.t.Helper()
	data := filepath.Join(r.temp, "dudo-data")
	shell := strings.ReplaceAll(b.command, "127.0.0.1:8787", r.addr)
	shell = strings.ReplaceAll(shell, "game.txt", filepath.Join(r.temp, "game.txt"))
	want := strings.ReplaceAll(b.output, "127.0.0.1:8787", r.addr)
	want = strings.ReplaceAll(want, "./dudo-data", data)
	cmd := exec.Command("sh", "-c", "exec "+shell)
	if strings.Contains(shell, "|") {
		cmd = exec.Command("sh", "-c", shell)
	}
	cmd.Dir = r.dir
	cmd.Env = slices.Concat(os.Environ(), []string{"DUDO_ADDR=" + r.addr, "DUDO_DATA=" + data, "XDG_CONFIG_HOME=" + r.temp}, r.env)
	out := &servertest.Output{}
	cmd.Stdout, cmd.Stderr = out, out
	if strings.Contains(b.command, "dudo serve") {
		serveREADME(r.t, cmd, r.addr, out)
	} else if err := cmd.Run(); (err != nil) != strings.Contains(want, "\ndudo: ") {
		r.t.Errorf("$ %s\n%v\n%s", b.command, err, out)
	}
	for end := time.Now().Add(5 * time.Second); !looksLike(want, out.String()) && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // what a process in the background says comes through a pipe
	}
	if !looksLike(want, out.String()) {
		r.t.Errorf("$ %s\nsays\n%s\nand the page\n%s", b.command, out, want)
	}
}

// serveREADME runs the server in the background.
func serveREADME(t *testing.T, cmd *exec.Cmd, addr string, out *servertest.Output) {
	t.Helper()
	cmd.SysProcAttr = ownGroup()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(exited)
	}()
	t.Cleanup(func() {
		stopGroup(cmd)
		<-exited
	})
	c := client.New("http://"+addr, 1)
	defer c.Close()
	for c.Health(context.Background()) != nil {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-exited:
			t.Fatalf("the server ended:\n%s", out)
		case <-t.Context().Done():
			t.Fatal("the server does not answer")
		}
	}
}

var (
	code   = regexp.MustCompile(`[0-9A-HJKMNP-TV-Z]{20}(-[0-9A-Z]{8})?`)
	number = regexp.MustCompile(`\d+`)
)

// looksLike compares an output with one of the README, line by line.
func looksLike(want, got string) bool {
	var pattern bytes.Buffer
	pattern.WriteString(`(?s)^`)
	for line := range strings.Lines(want) {
		line = strings.TrimSuffix(line, "\n")
		if line == "…" {
			pattern.WriteString(`.*?`)
			continue
		}
		line = code.ReplaceAllString(line, "CODE")
		line = number.ReplaceAllString(regexp.QuoteMeta(line), `\d+`)
		line = strings.NewReplacer("CODE", code.String(), "…", `.*?`, "croupier challenged", `\w+ challenged`, "by curl", `by \w+`,
			"curl lost", `\w+ lost`, "1 croupier, 2 curl", `1 \w+, 2 \w+`).Replace(line)
		line = regexp.MustCompile(`places: .* \\\(`).ReplaceAllString(line, `places: .* \(`)
		pattern.WriteString(line + `\n?`)
	}
	return regexp.MustCompile(pattern.String()).MatchString(got)
}
