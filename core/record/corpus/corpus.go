// Package corpus holds texts that are meant to be taken wrong, for tests of whoever reads what strangers send. Each stands with
// what every reader of its kind says of it, so that all readers are held to the same texts.
//
// A file names its readers in its first line, and then gives sentences that are used often a word each. Every other line is a text:
// for each reader ok if it takes the text, else its sentence or the word for it, and then the text as a string of Go, in which
// every character can be seen. Lines that begin with # say nothing.
package corpus

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

var (
	//go:embed json.txt
	json string
	//go:embed words.txt
	words string
	//go:embed events.txt
	events string
)

// Case is a text, and by reader what it says of it: "" if it takes the text.
type Case struct {
	Text string
	Says map[string]string
}

// JSON are values of JSON, and what looks like one. The readers are record, of the line {"a":VALUE}, and http, of a tool's arguments.
func JSON() ([]Case, error) { return read(json) }

// Words are what strangers call themselves and say. The readers are name, talk and nonce.
func Words() ([]Case, error) { return read(words) }

// Events are lines of a record that are canonical and perhaps events. The reader is record.
func Events() ([]Case, error) { return read(events) }

func read(file string) ([]Case, error) {
	var readers []string
	var cases []Case
	says := map[string]string{"ok": ""}
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(file, "\n"), "\n") {
		bad := func(what string) ([]Case, error) { return nil, fmt.Errorf("line %d: %s", i+1, what) }
		key, sentence, isSentence := strings.Cut(line, " = ")
		parts := strings.SplitN(line, "\t", len(readers)+1)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case readers == nil:
			readers = strings.Fields(line)
		case isSentence && !strings.Contains(key, "\t"):
			says[key] = sentence
		case len(parts) <= len(readers):
			return bad("too few columns")
		default:
			c := Case{Says: map[string]string{}}
			var err error
			if c.Text, err = strconv.Unquote(parts[len(readers)]); err != nil || seen[c.Text] {
				return bad("the text is no string of Go, or is there twice")
			}
			seen[c.Text] = true
			for k, reader := range readers {
				c.Says[reader] = parts[k]
				if sentence, isWord := says[parts[k]]; isWord {
					c.Says[reader] = sentence
				}
			}
			cases = append(cases, c)
		}
	}
	return cases, nil
}
