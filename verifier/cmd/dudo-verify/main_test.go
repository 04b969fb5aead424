package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

const games = "../../testdata/games"

// The test binary stands in for the program.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"dudo-verify": main})
}

// The scripts find the honest games of the package's tests, the key of their server as $KEY, two receipts that ann may have
// kept, and a server at $URL that has the games and some that are none.
func TestScripts(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(serve))
	t.Cleanup(server.Close) // after the scripts, which run in parallel
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			if err := os.CopyFS(env.WorkDir, os.DirFS(games)); err != nil {
				return err
			}
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			env.Setenv("URL", server.URL)
			for variable, file := range map[string]string{"KEY": "key", "RECEIPT": "receipt", "OTHER_RECEIPT": "other-receipt"} {
				text, err := os.ReadFile(filepath.Join(games, file))
				if err != nil {
					return err
				}
				env.Setenv(variable, string(text))
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits N runs a program and wants its exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("exits CODE PROGRAM …")
	}
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// serve has the games, and what a client of strangers meets.
func serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/record/ZCLP":
		http.ServeFile(w, r, filepath.Join(games, "finished.jsonl"))
	case "/record/OPEN":
		http.ServeFile(w, r, filepath.Join(games, "running.jsonl"))
	case "/record/TAKE":
		http.ServeFile(w, r, filepath.Join(games, "take.jsonl"))
	case "/busy":
		w.WriteHeader(http.StatusTooManyRequests)
	case "/welcome":
		_, _ = w.Write([]byte("Liar's dice.\n"))
	case "/moved":
		http.Redirect(w, r, "/record/ZCLP", http.StatusFound)
	case "/round":
		http.Redirect(w, r, "/round", http.StatusFound)
	case "/endless":
		for line := []byte(strings.Repeat("x", 1023) + "\n"); ; {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	case "/cut":
		w.Header().Set("Content-Length", "100000")
		_, _ = w.Write([]byte(`{"n":0,"type":"open"`))
	default:
		http.NotFound(w, r)
	}
}

// The program that people are to trust has no server, no database and no plug-ins in it.
func TestNothingElseInside(t *testing.T) {
	ctx := t.Context()
	out, err := exec.CommandContext(ctx, "go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := string(out)
	if !strings.Contains(deps, "dudo.example/verifier\n") {
		t.Fatalf("go list -deps said %q", deps)
	}
	for _, path := range strings.Fields(deps) {
		for _, no := range []string{
			"badger", "mcp", "grpc", "protobuf", "go-plugin", "prometheus", "dudo.example/store", "dudo.example/mcpserver",
			"dudo.example/plugins", "net/http/httptest", "net/rpc", "fasthttp", "github.com/rs/cors",
		} {
			if strings.Contains(path, no) {
				t.Errorf("the program holds %s", path)
			}
		}
	}
}

// A fetch does not outlast its deadline even if the server trickles.
func TestFetchEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-release
	}))
	defer server.Close()
	defer close(release)
	body, err := fetch(t.Context(), server.URL, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if _, err := body.Read(make([]byte, 1)); err == nil {
		t.Error("something was read from a server that sent nothing")
	}
}
