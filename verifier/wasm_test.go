package verifier_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/verifier"
)

// The bounds of what a browser loads, with room for what the rules and their language may still get; the figures measured are logged.
const (
	maxGzip   = 4 << 20
	maxBrotli = 3 << 20
)

// wasmCase is a record with what it is held against, for a script of testdata/wasm.
type wasmCase struct {
	Record  []byte         `json:"record"`
	Options map[string]any `json:"options"`
}

// buildWasm puts the verifier for JavaScript into a folder.
func buildWasm(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles everything for another machine")
	}
	needs(t, "sh", "go")
	if !haveNode(t) {
		t.Skip("Node.js is not installed")
	}
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "cmd/dudo-verify-wasm/build", folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return folder
}

// wasmCases are all recordings, honest games and reject files, and calls that are wrong, with what this package says of each.
func wasmCases(t *testing.T) (records []held, input string, want []string) {
	t.Helper()
	pins, err := os.ReadFile("../recordings/keys")
	if err != nil {
		t.Fatal(err)
	}
	records = append(recordings(t), readHeld(t, gamesFolder+"/*.jsonl")...)
	for _, h := range readHeld(t, rejectFolder+"/*.txt") {
		f, err := readReject(h.text)
		if err != nil {
			t.Fatalf("%s: %v", h.name, err)
		}
		records = append(records, held{name: h.name, text: f.record, key: f.key, kept: f.kept})
	}
	v := newVerifier(t, verifier.Options{})
	var cases strings.Builder
	e := json.NewEncoder(&cases)
	for _, h := range records {
		o, err := rejectFile{key: h.key, kept: h.kept}.options()
		if err != nil {
			t.Fatal(err)
		}
		options := map[string]any{"receipts": append([]string{}, h.kept...)}
		if h.key != "" {
			options["key"] = h.key
		} else {
			options["pins"] = string(pins)
			if o.Pins, err = verifier.ReadPins(bytes.NewReader(pins)); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Encode(wasmCase{h.text, options}); err != nil {
			t.Fatal(err)
		}
		report, err := v.With(o).Verify(bytes.NewReader(h.text))
		want = append(want, string(verifier.NewVerdict("", report, err).JSON()))
	}
	for option, value := range map[string]any{"key": "x", "pins": "x", "receipts": []any{1}} {
		if err := e.Encode(wasmCase{records[0].text, map[string]any{option: value}}); err != nil {
			t.Fatal(err)
		}
		want = append(want, `{"verdict":"unreadable","error":"`+option+": ")
	}
	return records, cases.String(), want
}

// script runs a script of testdata/wasm with the cases, reads its first line into about and gives the others.
func script(t *testing.T, input string, about any, name string, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", append([]string{filepath.Join("testdata/wasm", name)}, args...)...)
	cmd.Stdin = strings.NewReader(input)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	first, rest, _ := strings.Cut(string(out), "\n")
	if err := json.Unmarshal([]byte(first), about); err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(strings.TrimSuffix(rest, "\n"), "\n")
}

// sameVerdicts holds verdicts in JSON against ours. Of one that is no line, such as of a call that is wrong, it is the beginning.
func sameVerdicts(t *testing.T, records []held, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d verdicts, want %d", len(got), len(want))
	}
	for i, w := range want {
		if g := got[i]; g != w && (strings.HasSuffix(w, "\n") || !strings.HasPrefix(g, w)) {
			name := "a call that is wrong"
			if i < len(records) {
				name = records[i].name
			}
			t.Errorf("%s:\n got %s\nwant %s", name, g, w)
		}
	}
}

// In Node.js the verifier says of every record what it says here, to the byte.
func TestWasmInNode(t *testing.T) {
	folder := buildWasm(t)
	var about struct {
		Start, CPU   float64
		Gzip, Brotli int
	}
	records, input, want := wasmCases(t)
	sameVerdicts(t, records, script(t, input, &about, "node.mjs", folder), want)
	info, err := os.Stat(filepath.Join(folder, "dudo-verify.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d by gzip -9, %d by brotli -9; %.0f ms to start, %.0f ms of processor", info.Size(), about.Gzip, about.Brotli, about.Start, about.CPU)
	if about.Gzip > maxGzip || about.Brotli > maxBrotli {
		t.Errorf("%d bytes by gzip and %d by brotli, want at most %d and %d", about.Gzip, about.Brotli, maxGzip, maxBrotli)
	}
}

// In a worker of a browser's page as well; and until the first record nothing of it is loaded. The page's verify.mjs says
// there what it says in Node.js.
func TestWasmInBrowser(t *testing.T) {
	if os.Getenv("CHROMIUM") == "" {
		needs(t, "chromium")
	}
	const packages = "../mcpserver/clients/node"
	if _, err := os.Stat(packages + "/node_modules/playwright-core"); err != nil {
		const missing = "the packages are not installed: run npm ci --ignore-scripts in mcpserver/clients/node"
		if haveNode(t) && os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	files := http.FileServer(http.Dir(buildWasm(t)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("content-security-policy", "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")
			fmt.Fprint(w, "<!doctype html><title>A verifier</title>")
			return
		}
		if strings.HasSuffix(r.URL.Path, ".mjs") {
			w.Header().Set("content-type", "text/javascript")
		}
		if r.URL.Path == "/verify.mjs" {
			http.ServeFile(w, r, filepath.Join(byHandFolder, "verify.mjs"))
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer server.Close()
	at, err := filepath.Abs(packages)
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		Before int
		Start  float64
	}
	records, input, want := wasmCases(t)
	lines := script(t, input, &about, "browser.mjs", server.URL, at)
	var verdicts, byHand []string
	for i, line := range lines {
		if i%2 == 0 {
			verdicts = append(verdicts, line)
		} else {
			byHand = append(byHand, line)
		}
	}
	sameVerdicts(t, records, verdicts, want)
	for i, v := range runNode(t, records) {
		var a answer
		if err := json.Unmarshal([]byte(byHand[i]), &a); err != nil {
			t.Fatalf("%s: %v: %s", records[i].name, err, byHand[i])
		}
		if a.verdict() != v {
			t.Errorf("%s: verify.mjs says %v in a page, %v in Node.js", records[i].name, a.verdict(), v)
		}
	}
	t.Logf("%.0f ms to load and start", about.Start)
	if about.Before != 0 {
		t.Errorf("%d files were loaded before the first record", about.Before)
	}
}
