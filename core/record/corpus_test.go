package record_test

import (
	"errors"
	"testing"

	"dudo.example/core/record"
	"dudo.example/core/record/corpus"
)

func TestJSONCorpus(t *testing.T) {
	cases, err := corpus.JSON()
	if err != nil || len(cases) < 400 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		line := record.Line(`{"a":` + c.Text + `}`)
		o, err := record.ParseObject(line)
		var syntax *record.SyntaxError
		switch {
		case err == nil && c.Says["record"] == "":
			if got := o.Encode(); got != line {
				t.Errorf("%.80q is written again as %.80q", line, got)
			}
		case !errors.As(err, &syntax) || syntax.Reason != c.Says["record"]:
			t.Errorf("ParseObject(%.80q): %v, want %q", line, err, c.Says["record"])
		}
	}
}

func TestEventCorpus(t *testing.T) {
	cases, err := corpus.Events()
	if err != nil || len(cases) < 250 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		e, err := record.Parse(record.Line(c.Text))
		var no *record.EventError
		switch {
		case err == nil && c.Says["record"] == "":
			if got := e.Encode(); string(got) != c.Text {
				t.Errorf("%.200q is written again as %.200q", c.Text, got)
			}
		case !errors.As(err, &no) || err.Error() != c.Says["record"]:
			t.Errorf("Parse(%.200q): %v, want %q", c.Text, err, c.Says["record"])
		}
	}
}
