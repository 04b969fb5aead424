package words_test

import (
	"testing"

	"dudo.example/core/play"
	"dudo.example/core/record/corpus"
	"dudo.example/mcpserver/words"
)

func TestCorpus(t *testing.T) {
	cases, err := corpus.Words()
	if err != nil || len(cases) < 400 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	for _, c := range cases {
		wantRefusal(t, "Name", c.Text, words.Name(c.Text), words.CodeBadName, c.Says["name"])
		_, err := words.Talk(c.Text)
		wantRefusal(t, "Talk", c.Text, err, play.CodeBadText, c.Says["talk"])
		_, err = words.Nonce(c.Text)
		wantRefusal(t, "Nonce", c.Text, err, play.CodeBadText, c.Says["nonce"])
	}
}
