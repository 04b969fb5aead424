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
func wasmCases(t *testing.T) (input string, want []string, names []string) {
	t.Helper()
	pins, err := os.ReadFile("../recordings/keys")
	if err != nil {
		t.Fatal(err)
	}
	records := append(recordings(t), readHeld(t, gamesFolder+"/*.jsonl")...)
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
		options := map[string]any{"receipts": h.kept}
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
		names, want = append(names, h.name), append(want, string(verifier.NewVerdict("", report, err).JSON()))
	}
	for option, value := range map[string]any{"key": "x", "pins": "x", "receipts": []any{1}} {
		if err := e.Encode(wasmCase{records[0].text, map[string]any{option: value}}); err != nil {
			t.Fatal(err)
		}
		names, want = append(names, "bad "+option), append(want, `{"verdict":"unreadable","error":"`+option+": ")
	}
	return cases.String(), want, names
}

// script runs a script of testdata/wasm, reads its first line into about, and holds the verdicts that follow against ours.
func script(t *testing.T, about any, name string, args ...string) {
	t.Helper()
	input, want, names := wasmCases(t)
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
	got := strings.SplitAfter(rest, "\n")
	if len(got) != len(want)+1 {
		t.Fatalf("%d verdicts, want %d", len(got)-1, len(want))
	}
	for i := range want {
		if got[i] != want[i] && !(strings.HasPrefix(names[i], "bad ") && strings.HasPrefix(got[i], want[i])) {
			t.Errorf("%s:\n got %s\nwant %s", names[i], got[i], want[i])
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
	script(t, &about, "node.mjs", folder)
	info, err := os.Stat(filepath.Join(folder, "dudo-verify.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes, %d by gzip -9, %d by brotli -9; %.0f ms to start, %.0f ms of processor", info.Size(), about.Gzip, about.Brotli, about.Start, about.CPU)
	if about.Gzip > maxGzip || about.Brotli > maxBrotli {
		t.Errorf("%d bytes by gzip and %d by brotli, want at most %d and %d", about.Gzip, about.Brotli, maxGzip, maxBrotli)
	}
}

// In a worker of a browser's page as well; and until the first record nothing of it is loaded.
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
	script(t, &about, "browser.mjs", server.URL, at)
	t.Logf("%.0f ms to load and start", about.Start)
	if about.Before != 0 {
		t.Errorf("%d files were loaded before the first record", about.Before)
	}
}
