package rules_test

import (
	"testing"
	"time"

	"dudo.example/rules"
)

func TestShippedRules(t *testing.T) {
	files, err := rules.Library()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		t.Run(f.Game, func(t *testing.T) {
			start := time.Now()
			for _, err := range f.Check() {
				t.Error(err)
			}
			t.Log(time.Since(start))
		})
	}
}
