package verifier_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/verifier"
)

var update = flag.Bool("update", false, "write testdata anew")

const rejectFolder = "testdata/reject"

// A file of testdata/reject is a header, an empty line and the record. The header says what is wrong, whether the verifier is
// given the server's key, which receipts were kept, and what the verifier must say.
//
//	# fault: …
//	# key: …
//	# kept: …
//	# expect: …
type rejectFile struct {
	fault, key, expect string
	kept               []string
	record             []byte
}

func (f rejectFile) write() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# fault: %s\n", f.fault)
	if f.key != "" {
		fmt.Fprintf(&b, "# key: %s\n", f.key)
	}
	for _, k := range f.kept {
		fmt.Fprintf(&b, "# kept: %s\n", k)
	}
	fmt.Fprintf(&b, "# expect: %s\n\n", f.expect)
	b.Write(f.record)
	return b.Bytes()
}

func readReject(text []byte) (f rejectFile, err error) {
	head, body, ok := bytes.Cut(text, []byte("\n\n"))
	if !ok {
		return f, fmt.Errorf("no empty line after the header")
	}
	f.record = body
	for line := range strings.Lines(string(head)) {
		name, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "# ")), ": ")
		switch {
		case ok && name == "fault":
			f.fault = value
		case ok && name == "key":
			f.key = value
		case ok && name == "kept":
			f.kept = append(f.kept, value)
		case ok && name == "expect":
			f.expect = value
		default:
			return f, fmt.Errorf("header line %q", line)
		}
	}
	return f, nil
}

func (f rejectFile) options() (verifier.Options, error) {
	var o verifier.Options
	if f.key != "" {
		key, err := record.ParseKey(f.key)
		if err != nil {
			return o, err
		}
		o.Key = key
	}
	for _, k := range f.kept {
		r, err := record.ParseReceipt(k)
		if err != nil {
			return o, err
		}
		o.Kept = append(o.Kept, r)
	}
	return o, nil
}

// outcome is what the verifier says of a record, in a line.
func outcome(v *verifier.Verifier, text []byte) string {
	r, err := v.Verify(bytes.NewReader(text))
	switch {
	case err != nil:
		return "unreadable: " + err.Error()
	case !r.Verified():
		return "refuted: " + r.Failure.Error()
	default:
		return "verified"
	}
}

func TestReject(t *testing.T) {
	if *update {
		updateRejects(t)
	}
	paths, err := filepath.Glob(rejectFolder + "/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 60 {
		t.Errorf("%d faults, want at least 60", len(paths))
	}
	checks := map[string]bool{}
	v := newVerifier(t, verifier.Options{})
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := readReject(text)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		o, err := f.options()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if got := outcome(v.With(o), f.record); got != f.expect || got == "verified" {
			t.Errorf("%s (%s):\n got %s\nwant %s", path, f.fault, got, f.expect)
		}
		if r, err := v.With(o).Verify(bytes.NewReader(f.record)); err == nil && r.Failure != nil {
			checks[string(r.Failure.Check)] = true
		}
	}
	for _, c := range verifier.Checks() {
		if !checks[string(c)] {
			t.Errorf("no fault for the check %q", c)
		}
	}
}

// updateRejects makes every fault anew. Each comes from one of the honest games, so a fault that is none fails here.
func updateRejects(t *testing.T) {
	t.Helper()
	if err := os.RemoveAll(rejectFolder); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(rejectFolder, 0o755); err != nil {
		t.Fatal(err)
	}
	v := newVerifier(t, verifier.Options{})
	short, _, _ := strings.Cut(standardText(t), "\nexamples:")
	for _, f := range faults {
		s := bases[f.base()]
		s.text = short + "\n"
		d := newDraft(t, playGame(t, s))
		if got := outcome(v.With(d.options()), d.file()); got != "verified" {
			t.Fatalf("%s before the fault: %s", f.name, got)
		}
		f.make(d)
		out := rejectFile{fault: f.what, record: d.file(), expect: outcome(v.With(d.options()), d.file())}
		if out.expect == "verified" {
			t.Errorf("%s: %s is not noticed", f.name, f.what)
		}
		if d.key {
			out.key = record.KeyText(public())
		}
		for _, k := range d.kept {
			out.kept = append(out.kept, k.String())
		}
		if err := os.WriteFile(filepath.Join(rejectFolder, f.name+".txt"), out.write(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
