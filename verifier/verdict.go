package verifier

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Verdict is what came of a record, for programs: the same JSON from the command, and from WebAssembly in a browser.
type Verdict struct {
	Source  string  `json:"source,omitempty"` // where the record came from
	Verdict string  `json:"verdict"`          // one of the constants below
	Error   string  `json:"error,omitempty"`  // why there is no report
	Report  *Report `json:"report,omitempty"`
}

// The verdicts.
const (
	Verified   = "verified"
	Refuted    = "refuted"
	Unfinished = "unfinished" // the game is not over; see [Report]
	Unreadable = "unreadable"
)

// NewVerdict sums up what [Verifier.Verify] gave.
func NewVerdict(source string, report *Report, err error) Verdict {
	v := Verdict{Source: source, Verdict: Verified, Report: report}
	switch {
	case err != nil:
		v.Verdict, v.Error = Unreadable, reason(err)
	case report.Unfinished:
		v.Verdict = Unfinished
	case !report.Verified():
		v.Verdict = Refuted
	}
	return v
}

// reason is why a file got no verdict.
func reason(err error) string {
	var fault *Fault
	if errors.As(err, &fault) {
		return fmt.Sprintf("%v; please report this with the file\n%s", fault, fault.Stack)
	}
	return err.Error()
}

// JSON writes the verdict as one line.
func (v Verdict) JSON() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings, numbers and the facts' own canonical form
	}
	return b.Bytes()
}
