package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The commands, as they are typed.
func TestScripts(t *testing.T) {
	bin := t.TempDir()
	linkSelf(t, filepath.Join(bin, "dudo"))
	if out, err := exec.Command("go", "build", "-o", bin, "dudo.example/verifier/cmd/dudo-verify").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("DUDO_TEST_MAIN", "1")
			e.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("TMPDIR", os.TempDir())
			return nil
		},
	})
}
