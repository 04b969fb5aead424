// Package clients_test plays whole games over HTTP with clients that other projects wrote, against the program as it is shipped:
// each client is a process that is told an address and knows nothing else of the server. Every game ends with its record
// verified under the server's key and with the last receipt that each client kept.
//
// The Node.js clients take their packages from node/package-lock.json:
//
//	(cd node && npm ci --ignore-scripts)
//
// What is missing is skipped with the reason; with CI=true only Node.js itself may be missing.
//
// The recordings of the project are made anew, with a file of their server's key, by
//
//	go test -run TestPlay -record ../../recordings
package clients_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binaries is where TestMain puts the programs.
var binaries string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if binaries, err = os.MkdirTemp("", "dudo-clients-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(binaries)) }()
	build := exec.Command("go", "build", "-o", binaries+string(filepath.Separator), "../cmd/dudo", "./gosdk", "./mcpgo")
	if raceDetector {
		build.Args = append(build.Args[:2], append([]string{"-race"}, build.Args[2:]...)...)
	}
	if out, err := build.CombinedOutput(); err != nil {
		return 1, fmt.Errorf("build the programs: %w\n%s", err, out)
	}
	return m.Run(), nil
}
