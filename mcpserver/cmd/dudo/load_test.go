package main

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/mcpserver/load"
)

func TestLoad(t *testing.T) {
	t.Parallel()
	s := startServer(t, filepath.Join(t.TempDir(), "data"), "", "--new-tables", "1000", "--address-waiters", "100")
	out, err := command(t, "load", "--tables", "3", "--games", "4", "--dice", "1", "--bots", "1", "--seats", "2", "--seconds", "60", "--json", s.address).Output()
	if err != nil {
		t.Fatalf("load: %v\n%s", err, out)
	}
	var r load.Report
	if err := json.Unmarshal(out, &r); err != nil || r.Games != 4 || r.Records.Verified != 4 || r.Moves == 0 {
		t.Errorf("load --json: %v\n%s", err, out)
	}
	out, err = command(t, "load", "--tables", "2", "--seconds", "1", s.address).CombinedOutput()
	if err != nil || !strings.Contains(string(out), " 0 failed") {
		t.Errorf("load: %v\n%s", err, out)
	}
}

func TestLoadUsage(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"load", "load --tables 0 URL", "load --seconds 0 URL", "load --seats 7 URL", "load --seats 1 URL", "load --bots 3 URL",
		"load --seats 4 --bots 3 URL", "load --games -1 URL", "load --think -1s URL", "load --dice -1 URL", "load URL URL",
	} {
		out, err := command(t, strings.Fields(args)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 {
			t.Errorf("dudo %s: %v, want exit code 2\n%s", args, err, out)
		}
	}
}
