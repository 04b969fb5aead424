package verifier_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dudo.example/core/record"
	"dudo.example/rules"
)

// The records that all three verifiers are run over.

func recordings(t *testing.T) []held {
	t.Helper()
	records := readHeld(t, "../recordings/*.jsonl")
	if len(records) < 5 {
		t.Fatalf("%d recordings", len(records))
	}
	slices.SortFunc(records, func(a, b held) int { return len(a.text) - len(b.text) })
	return records
}

func readHeld(t *testing.T, pattern string) (records []held) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, held{name: path, text: text})
	}
	return records
}

// Every recording, every honest game and every reject file.
func TestByHand(t *testing.T) {
	records := append(recordings(t), readHeld(t, gamesFolder+"/*.jsonl")...)
	faults := readHeld(t, rejectFolder+"/*.txt")
	if len(faults) < 60 {
		t.Errorf("%d faults, want at least 60", len(faults))
	}
	for i, h := range faults {
		if testing.Short() && i%10 > 0 {
			continue
		}
		f, err := readReject(h.text)
		if err != nil {
			t.Fatalf("%s: %v", h.name, err)
		}
		records = append(records, held{name: h.name, text: f.record, key: f.key, kept: f.kept})
	}
	compare(t, records, runScripts(t, records))
}

// Bytes flipped here and there in the three shortest recordings. The shell, which is slow, gets fewer of them.
func TestByHandFlipped(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 5))
	var records []held
	for range 100 {
		for _, h := range recordings(t)[:3] {
			text := bytes.Clone(h.text)
			i, bit := dice.IntN(len(text)), dice.IntN(8)
			text[i] ^= 1 << bit
			records = append(records, held{name: fmt.Sprintf("%s, bit %d of byte %d", h.name, bit, i), text: text})
		}
	}
	compareSome(t, records, 24)
}

// Scalars changed and the record signed anew, by the server itself.
func TestByHandSigned(t *testing.T) {
	var records []held
	games := shortGames(t)
	dice, err := os.ReadFile("../rules/chui-niu.yaml") // one player rolls again while the others keep their hands
	if err != nil {
		t.Fatal(err)
	}
	games["rolled again"] = playGame(t, setting{seed: "again", text: string(dice), seats: 3, nonces: []string{"", "x"}, close: 40})
	for _, name := range slices.Sorted(maps.Keys(games)) {
		for i, line := range games[name] {
			for path, values := range scalars(t, line) {
				for _, value := range values {
					d := newDraft(t, games[name])
					d.put(i, path, value)
					records = append(records, held{name: fmt.Sprintf("%s, event %d, %s = %v", name, i, path, value), text: d.file()})
				}
			}
		}
	}
	slices.SortFunc(records, func(a, b held) int { return strings.Compare(a.name, b.name) })
	chance := rand.New(rand.NewPCG(2, 5))
	chance.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
	compareSome(t, records[:600], 20)
}

// compareSome runs verify.mjs over all records and verify.sh over the first of them.
func compareSome(t *testing.T, records []held, shell int) {
	t.Helper()
	if testing.Short() {
		shell /= 4
	}
	compare(t, records[:shell], runScripts(t, records[:shell]))
	if haveNode(t) {
		compare(t, records, map[string][]verdictByHand{"verify.mjs": runNode(t, records)})
	}
}

// strange are words that a server may let through, and that a script may trip over.
var strange = []string{
	"", `$(touch pwned)`, "`touch pwned`; touch pwned", `"; touch pwned; "`, `' ; touch pwned ; '`, `\`, `\\`, `\u007f`, `\\u007f\"`,
	"%s%n%d", "-n", "--key", "*", "../../..", "a\nb", "\n", "\r\n", "\t \t", "\x00", "a\x00b", "\x7f", "\x7f\x7f", "\x1b[2J\x1b]0;x\a", "\u009b2J",
	"ключ", "鍵をください", "👩‍👩‍👧", "\ue000😀", "\u2028", "\u202eolleh", "\ufeffbom", "\ufffd", "e\u0301", "{\"n\":0}", `{"receipt":"x"}`,
	"dudo/1/nonce:x", "0=ab,1=cd", strings.Repeat("é", 64), strings.Repeat("x", 128), "true", "null", "1e5", "-0", "0.5", "$IFS", "${PATH}", "~", "&", "|", ">x",
}

// Games of two to six players whose nonces, names and talk are anything.
func TestByHandStrange(t *testing.T) {
	var records []held
	for next, seats := 0, 0; next < len(strange); next += seats {
		i := len(records)
		if testing.Short() && i == 5 {
			break
		}
		seats = 2 + i%5
		at := func(k int) string { return strange[(next+k)%len(strange)] }
		s := setting{
			seed: fmt.Sprint("strange ", i), seats: seats, options: map[string]int{"dice": 1 + i%3},
			timeout: i%3 == 0, resume: i%4 == 0, talk: true, bot: i%2 == 0,
		}
		switch i % 6 {
		case 3:
			s.close = 1 + i%4
		case 5:
			s.wait = 1
		}
		for k := range seats {
			s.nonces = append(s.nonces, at(k)) // an empty one is none
		}
		d := newDraft(t, playGame(t, s))
		for n, o := range d.lines {
			if _, ok := o.Get("say"); ok {
				d.put(n, "say", at(n%2)+"!")
			}
			if seat, ok := o.Get("name"); ok {
				d.put(n, "name", fmt.Sprint(at(n), seat))
			}
			if _, ok := o.Get("bot"); ok {
				d.put(n, "bot", record.Object{{Name: "name", Value: at(0)}, {Name: "version", Value: at(1)}, {Name: "sha256", Value: at(2)}})
			}
		}
		records = append(records, held{name: fmt.Sprintf("strange words %d", i), text: d.file(), key: record.KeyText(public())})
	}
	verdicts := runScripts(t, records)
	compare(t, records, verdicts)
	for program, list := range verdicts {
		for i, v := range list {
			if v.exit != 0 {
				t.Errorf("%s: %s: %v, want it verified", records[i].name, program, v)
			}
		}
	}
	if _, err := os.Stat("pwned"); err == nil {
		t.Error("words from a record were run")
	}
}

// What is larger than a record is not looked at, and what is as large as one is read to its end.
func TestByHandLimits(t *testing.T) {
	open, _, _ := strings.Cut(string(recordings(t)[0].text), "\n")
	long := `{"n":1,"type":"` + strings.Repeat("x", record.MaxLine-17) + `"}`
	records := []held{
		{name: "4 MiB and a byte", text: []byte(open + "\n" + strings.Repeat("x", record.MaxRecord-len(open)))},
		{name: "4 MiB", text: []byte(open + "\n" + strings.Repeat("x", record.MaxRecord-len(open)-2) + "\n")},
		{name: "20,001 lines", text: []byte(strings.Repeat("{\"n\":1,\"type\":\"x\"}\n", record.MaxLines+1))},
		{name: "20,000 lines", text: []byte(strings.Repeat("{\"n\":1,\"type\":\"x\"}\n", record.MaxLines))},
		{name: "20,000 lines and a bit", text: []byte(strings.Repeat("{\"n\":1,\"type\":\"x\"}\n", record.MaxLines) + "{")},
		{name: "a line of 64 KiB", text: []byte(open + "\n" + long + "\n")},
		{name: "a line of 64 KiB and a byte", text: []byte(open + "\n" + long + " \n")},
		{name: "deep", text: []byte(`{"n":0,"type":` + strings.Repeat("[", 60_000) + "\n")},
		{name: "deep and closed", text: []byte(`{"n":0,"type":` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + "}\n")},
		{name: "zeros", text: append([]byte(open+"\n"), make([]byte, 100_000)...)},
		{name: "zeros alone", text: make([]byte, 100_000)},
		{name: "a large number", text: []byte(`{"n":` + strings.Repeat("9", 60_000) + `,"type":"open"}` + "\n")},
		{name: "newlines", text: []byte(open + strings.Repeat("\n", 10_000))},
	}
	compare(t, records, runScripts(t, records))
}

// Games of every rule file there is, also those of one die for the whole table, of cards and of no draws at all.
func TestByHandGames(t *testing.T) {
	var files []held
	for _, pattern := range []string{"../rules/*.yaml", "../rules/testdata/*.yaml"} {
		files = append(files, readHeld(t, pattern)...)
	}
	if len(files) < 6 {
		t.Fatalf("%d rule files", len(files))
	}
	var records []held
	for _, h := range files {
		f, err := rules.Parse(h.name, h.text)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 2 {
			if testing.Short() && k == 1 {
				continue
			}
			seats := min(f.MinSeats+k, f.MaxSeats)
			lines := playGame(t, setting{
				seed: fmt.Sprint(h.name, k), text: string(h.text), seats: seats, nonces: []string{"", "second"}, close: 60,
			})
			records = append(records, held{name: fmt.Sprintf("%s with %d players", h.name, seats), text: sign(lines)})
		}
	}
	verdicts := runScripts(t, records)
	compare(t, records, verdicts)
	for program, list := range verdicts {
		for i, v := range list {
			if v.exit != 0 {
				t.Errorf("%s: %s: %v, want it verified", records[i].name, program, v)
			}
		}
	}
}
