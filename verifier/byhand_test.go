package verifier_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"dudo.example/verifier"
)

// The two verifiers in byhand owe nothing to this package. What follows runs all three over the same records.

const byHandFolder = "byhand"

// held is a record with what it is held against.
type held struct {
	name string
	text []byte
	key  string
	kept []string
}

// verdictByHand is what a verifier of byhand says of a record.
type verdictByHand struct {
	exit  int    // as of dudo-verify
	where string // the event and the check that failed
}

func (v verdictByHand) String() string {
	return strings.TrimSpace(fmt.Sprintf("exit %d %s", v.exit, v.where))
}

// claims tells whether the verifiers of byhand claim to notice a failure: they leave out what takes the rules.
func claims(f *verifier.Failure) bool {
	switch f.Check {
	case verifier.CheckForm, verifier.CheckEvent, verifier.CheckTruncated, verifier.CheckEnd, verifier.CheckNumber, verifier.CheckTime,
		verifier.CheckSeed, verifier.CheckCommitment, verifier.CheckOrigin, verifier.CheckGID, verifier.CheckKey, verifier.CheckDigest,
		verifier.CheckNonce, verifier.CheckDeal, verifier.CheckHC, verifier.CheckHandKey, verifier.CheckHand,
		verifier.CheckReceipt, verifier.CheckChain, verifier.CheckSignature, verifier.CheckKept:
		return true
	case verifier.CheckOrder:
		return f.Member == "" // that another event follows here, only the rules know
	case verifier.CheckRoster:
		return !strings.Contains(f.Sentence, "the rules")
	case verifier.CheckRules, verifier.CheckGame, verifier.CheckOptions, verifier.CheckSeats, verifier.CheckTurn, verifier.CheckMove,
		verifier.CheckLate, verifier.CheckEarly, verifier.CheckTimeout, verifier.CheckCount, verifier.CheckFact, verifier.CheckPlaces,
		verifier.CheckPayoffs, verifier.CheckReason:
		return false
	}
	return true // a check that was added since: decide
}

// compare holds the verdicts of byhand on records against that of this package, and says how many there were of each.
func compare(t *testing.T, records []held, byHand map[string][]verdictByHand) {
	t.Helper()
	v := newVerifier(t, verifier.Options{})
	counts := map[int]int{}
	for i, h := range records {
		o, err := rejectFile{key: h.key, kept: h.kept}.options()
		if err != nil {
			t.Fatal(err)
		}
		said := outcome(v.With(o), h.text)
		r, err := v.With(o).Verify(bytes.NewReader(h.text))
		for program, verdicts := range byHand {
			got := verdicts[i]
			switch {
			case err != nil && got.exit != 2, err == nil && r.Verified() && got.exit != 0,
				err == nil && !r.Verified() && got.exit != 1 && (got.exit == 2 || claims(r.Failure)):
				t.Errorf("%s: %s says %v, this package %s", h.name, program, got, said)
			}
			counts[got.exit]++
		}
		if shell, script := byHand["verify.sh"], byHand["verify.mjs"]; shell != nil && script != nil && shell[i] != script[i] {
			t.Errorf("%s: verify.sh says %v, verify.mjs %v", h.name, shell[i], script[i])
		}
	}
	t.Logf("%d records: verdicts of 0, 1 and 2: %v", len(records), counts)
}

// runScripts gives what both verifiers of byhand say of records.
func runScripts(t *testing.T, records []held) map[string][]verdictByHand {
	t.Helper()
	all := map[string][]verdictByHand{"verify.sh": runShell(t, records)}
	if haveNode(t) {
		all["verify.mjs"] = runNode(t, records)
	}
	return all
}

// needs skips a test where a program is missing, but not where everything has to be there.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatal(p + " is not installed")
			}
			t.Skip(p + " is not installed")
		}
	}
}

func haveNode(t *testing.T) bool {
	t.Helper()
	_, err := exec.LookPath("node")
	if err != nil {
		t.Log("NODE IS MISSING: verify.mjs is NOT RUN")
	}
	return err == nil
}

// runShell runs verify.sh, a process a record.
func runShell(t *testing.T, records []held) []verdictByHand {
	t.Helper()
	needs(t, "bash", "jq", "openssl", "awk", "basenc")
	verdicts := make([]verdictByHand, len(records))
	next := make(chan int)
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for i := range next {
				verdicts[i] = shellVerdict(t, records[i])
			}
		})
	}
	for i := range records {
		next <- i
	}
	close(next)
	all.Wait()
	return verdicts
}

func shellVerdict(t *testing.T, h held) verdictByHand {
	args := []string{filepath.Join(byHandFolder, "verify.sh")}
	if h.key != "" {
		args = append(args, "--key", h.key)
	}
	for _, k := range h.kept {
		args = append(args, "--receipt", k)
	}
	cmd := exec.CommandContext(t.Context(), "bash", append(args, "-")...)
	cmd.Stdin = bytes.NewReader(h.text)
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	v := verdictByHand{exit: exitCode(t, err)}
	for line := range strings.Lines(string(out)) {
		if where, ok := strings.CutPrefix(line, "✗ "); ok {
			v.where, _, _ = strings.Cut(where, ": ")
		}
	}
	if v.exit == 2 && !strings.Contains(errOut.String(), "this is not a record") || v.exit < 2 && errOut.Len() > 0 {
		t.Errorf("%s: verify.sh complains: %s", h.name, errOut.String())
	}
	return v
}

func exitCode(t *testing.T, err error) int {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Error(err)
		return -1
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

// runNode runs verify.mjs, a process for all records that are held against the same.
func runNode(t *testing.T, records []held) []verdictByHand {
	t.Helper()
	folder := t.TempDir()
	groups := map[string][]int{}
	for i, h := range records {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i)), h.text, 0o600); err != nil {
			t.Fatal(err)
		}
		options := strings.Join(append([]string{h.key}, h.kept...), " ")
		groups[options] = append(groups[options], i)
	}
	verdicts := make([]verdictByHand, len(records))
	for _, options := range slices.Sorted(maps.Keys(groups)) {
		first := records[groups[options][0]]
		args := []string{"--no-warnings", filepath.Join(byHandFolder, "cli.mjs"), "--json"}
		if first.key != "" {
			args = append(args, "--key="+first.key)
		}
		for _, k := range first.kept {
			args = append(args, "--receipt="+k)
		}
		for _, i := range groups[options] {
			args = append(args, filepath.Join(folder, fmt.Sprint(i)))
		}
		cmd := exec.CommandContext(t.Context(), "node", args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		code := exitCode(t, err)
		answers := json.NewDecoder(bytes.NewReader(out))
		worst := 0
		for _, i := range groups[options] {
			var a answer
			if err := answers.Decode(&a); err != nil {
				t.Fatalf("verify.mjs on %s: %v", records[i].name, err)
			}
			verdicts[i] = a.verdict()
			if worst != 1 && verdicts[i].exit > 0 {
				worst = verdicts[i].exit
			}
		}
		if code != worst {
			t.Errorf("verify.mjs ends with %d, want %d", code, worst)
		}
	}
	return verdicts
}

// answer is what verify.mjs says of a record.
type answer struct {
	Verdict string
	OK      bool
	Failed  *struct {
		Check, Message string
		Event          *int
	}
}

func (a answer) verdict() verdictByHand {
	v := verdictByHand{exit: map[string]int{"verified": 0, "refuted": 1, "unreadable": 2}[a.Verdict]}
	if a.OK != (a.Verdict == "verified") || a.OK != (a.Failed == nil) {
		v.exit = -1
	}
	if v.exit == 1 {
		v.where = "the file, " + a.Failed.Check
		if a.Failed.Event != nil {
			v.where = fmt.Sprintf("event %d, %s", *a.Failed.Event, a.Failed.Check)
		}
	}
	return v
}
