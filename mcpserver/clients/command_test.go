package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// command gives the command line that runs a client, but for its options. The test ends here if the client cannot be run.
func command(t *testing.T, client string) []string {
	t.Helper()
	switch client {
	case "gosdk", "mcpgo":
		return []string{filepath.Join(binaries, client)}
	case "curl":
		for _, program := range []string{"sh", "curl", "jq"} {
			if _, err := exec.LookPath(program); err != nil {
				missing(t, program+" is not installed")
			}
		}
		return []string{"sh", "curl.sh"}
	default:
		if _, err := exec.LookPath("chromium"); err != nil && client == "browser" && os.Getenv("CHROMIUM") == "" {
			missing(t, "Chromium is not installed")
		}
		if _, err := exec.LookPath("node"); err != nil {
			t.Skip("Node.js is not installed")
		}
		if _, err := os.Stat("node/node_modules/.package-lock.json"); err != nil {
			missing(t, "the packages are not installed: run npm ci --ignore-scripts in mcpserver/clients/node")
		}
		node := "node"
		if _, err := os.Stat("node/node_modules/.bin/node"); err == nil { // the inspector wants 22
			node = "node/node_modules/.bin/node"
		}
		return []string{node, filepath.Join("node", client+".mjs")}
	}
}

// missing skips a test, but not where everything has to be there.
func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}
