package rules_test

import (
	"errors"
	"fmt"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"dudo.example/rules"
)

// hostile are texts that are meant to cost much. The limits hold for each, whether it is a rule file or not.
func hostile() map[string]string {
	fill := func(begin, piece, end string) string {
		return begin + strings.Repeat(piece, (64<<10-len(begin)-len(end))/len(piece)) + end
	}
	short := func(piece string, lines int) string { return strings.Repeat(piece+"\n", lines) }
	texts := map[string]string{
		"blank lines":            fill("a: |\n", "\n", ""),
		"blank lines, fewer":     "a: |\n" + short("", 1490) + "  b\n",
		"empty keys":             short("a:", 1500),
		"many keys":              "a: 1\n" + short("  b:", 1490),
		"items":                  short("-", 1500),
		"nested items":           short(strings.Repeat("- ", 20)+"a", 1400),
		"wide items":             short("- {a: 1, b: 2, c: 3, d: 4}", 1490),
		"flow lists":             short(strings.Repeat("[],", 100), 200),
		"flow in flow":           "a: [\n" + short(strings.Repeat("[[[[]]]],", 20), 300) + "]\n",
		"flow maps":              "a: [\n" + short(strings.Repeat("{a: 1},", 10), 800) + "]\n",
		"open brackets":          strings.Repeat("[", 60_000),
		"braces":                 "a: " + strings.Repeat("{a: ", 90),
		"tags":                   short(strings.Repeat("!a ", 20), 1000),
		"anchors":                short(strings.Repeat("&a ", 20), 1000),
		"aliases":                "a: &a [1]\n" + short("b: [*a,*a,*a,*a,*a,*a,*a,*a]", 1400),
		"colons":                 short(strings.Repeat(": ", 20), 1400),
		"question marks":         short(strings.Repeat("? ", 20), 1400),
		"quotes":                 short(strings.Repeat("'", 41), 1400),
		"one quoted text":        "a: '" + short(strings.Repeat("b ", 20), 1400) + "'\n",
		"one plain text":         "a: b\n" + short("  "+strings.Repeat("b ", 20), 1400),
		"one folded text":        "a: >\n" + short("  "+strings.Repeat("b ", 20), 1400),
		"comments":               short("# "+strings.Repeat("#", 40), 1400),
		"documents":              short("---", 1490),
		"documents with content": short("---\na", 740),
		"directives":             short("%a", 1490),
		"dots":                   short("...", 1490),
		"escapes":                short(`a: "`+strings.Repeat(`\x41`, 10)+`"`, 1400),
		"binary":                 fill("", "\x00\xff", ""),
		"too long":               strings.Repeat("a", 1<<20),
	}
	// What the builder would have to do much work for.
	functions := ""
	for i := 1; i < 28; i++ {
		functions += fmt.Sprintf("  f%d(): |\n    %s\n", i, strings.Repeat(fmt.Sprintf("f%d() + ", i-1), 35)+"1")
	}
	texts["functions that call functions"] = strings.Replace(coin, "  heads(): ", "  f0(): 1\n"+functions[:min(len(functions), 30_000)]+"  heads(): ", 1)
	texts["a table bounded by functions that call functions"] = strings.Replace(texts["functions that call functions"],
		"table: [[0, 3], [0, 3]]", "table: [[0, f20()], [0, 3]]", 1)
	dear := "  half(): |\n    sum(lost, " + strings.Repeat("# + ", 80) + "1)\n"
	step := "          - if: |\n              " + strings.Repeat("half() + ", 6) + "half() > 1\n            then: [{set: {turn: 0}}]\n"
	texts["many dear expressions"] = strings.Replace(strings.Replace(coin, "  heads(): ", dear+"  heads(): ", 1),
		"          - call: pay(me, 1)\n", strings.Repeat(step, 25), 1)
	texts["many dear steps"] = strings.Replace(strings.Replace(coin, "  heads(): ", dear+"  heads(): ", 1),
		"          - call: pay(me, 1)\n", strings.Repeat(step, 250), 1)
	procedures := "  p0():\n    - set: {turn: 0}\n"
	for i := 1; i < 30; i++ {
		procedures += fmt.Sprintf("  p%d():\n%s", i, strings.Repeat(fmt.Sprintf("    - call: p%d()\n", i-1), 40))
	}
	texts["procedures that call procedures"] = strings.Replace(strings.Replace(coin, "procedures:\n", "procedures:\n"+procedures, 1),
		"call: pay(me, 1)", "call: p29()", 1)
	bodies := "  p0():\n    - set: {turn: 0}\n"
	for i := 1; i < 4; i++ {
		bodies += fmt.Sprintf("  p%d():\n%s", i, strings.Repeat(fmt.Sprintf("    - call: p%d()\n", i-1), 14))
	}
	texts["a long body in many places"] = strings.Replace(strings.Replace(coin, "procedures:\n", "procedures:\n"+bodies, 1),
		"          - call: pay(me, 1)\n", branches(7, 10), 1)
	texts["much to reveal"] = strings.Replace(strings.Replace(coin, "list: 2", "list: 64", 1),
		"          - call: pay(me, 1)\n", strings.Repeat("          - reveal: coins\n", 400), 1)
	tables := ""
	for i := range 28 {
		tables += fmt.Sprintf("  t%d(a, b):\n    is: %s1 > a\n    table: [[0, 255], [0, 255]]\n", i, strings.Repeat("a + b - ", 30))
	}
	texts["large tables"] = strings.Replace(coin, "  heads(): ", tables+"  heads(): ", 1)
	orders := ""
	for i := range 20 {
		orders += fmt.Sprintf("  t%d(a, b):\n    is: mod(a - b, 256) == 1\n    strict_order: true\n    table: [[0, 255], [0, 255]]\n", i)
	}
	texts["large orders"] = strings.Replace(coin, "  heads(): ", orders+"  heads(): ", 1)
	actions := ""
	for i := range 28 {
		actions += fmt.Sprintf("      a%d: {params: {p: [0, 1000]}, when: 'p > turn', do: [{end: now}]}\n", i)
	}
	texts["many moves"] = strings.Replace(coin, "      look:\n", actions+"      look:\n", 1)
	texts["a wide move"] = strings.Replace(coin, "many: [0, seats]", "many: [0, 4000]", 1)
	texts["a wide state"] = strings.Replace(coin, "list: 2", "list: 64", 1)
	texts["an expression of minus signs"] = strings.Replace(coin, "if: heads() == many", "if: "+strings.Repeat("-", 380), 1)
	texts["an expression of ternaries"] = strings.Replace(coin, "if: heads() == many", "if: '"+strings.Repeat("1>0?", 90), 1)
	texts["an expression of pipes"] = strings.Replace(coin, "if: heads() == many", "if: '"+strings.Repeat("1|a()", 70)+"'", 1)
	return texts
}

// branches is a step that decides between two of its kind, down to calls of a long body.
func branches(depth, indent int) string {
	in := strings.Repeat(" ", indent)
	if depth == 0 {
		return in + "- {if: 'turn == 0', then: [{call: p3()}, {call: p3()}], else: [{call: p3()}]}\n"
	}
	branch := branches(depth-1, indent+2)
	return in + "- if: turn == 0\n" + in + "  then:\n" + branch + in + "  else:\n" + branch
}

// A rule file that loads has room in the first line of a log.
func TestRoomInLog(t *testing.T) {
	begin := len(coin) + strings.Count(coin, "\n")
	for _, tt := range []struct {
		bytes int
		want  string
	}{
		{60 << 10, ""},
		{60<<10 + 1, "hostile.yaml: in a record the file has 61441 bytes, as line breaks, double quotes and backslashes count twice; at most 61440 fit"},
	} {
		more := tt.bytes - begin
		text := coin + strings.Repeat("# "+strings.Repeat("x", 146)+"\n", more/150)
		text += "#" + strings.Repeat("x", more%150-1)
		_, err := rules.Parse("hostile.yaml", []byte(text))
		if got := fmt.Sprint(err); (err == nil) != (tt.want == "") || (err != nil && got != tt.want) {
			t.Errorf("a file that takes %d bytes: %v, want %q", tt.bytes, err, tt.want)
		}
	}
}

// TestBounded parses hostile texts and wants each to end soon and to need little memory.
func TestBounded(t *testing.T) {
	for name, text := range hostile() {
		t.Run(name, func(t *testing.T) {
			before := allocated()
			took, err := parseTime(text)
			used := allocated() - before
			for range 4 {
				if took > 1500*time.Millisecond { // the computer may be busy with other things
					again, _ := parseTime(text)
					took = min(took, again)
				}
			}
			t.Logf("%v, %d MiB allocated: %.90v", took, used>>20, err)
			if took > 1500*time.Millisecond {
				t.Errorf("took %v", took)
			}
			if used > 64<<20 {
				t.Errorf("allocated %d MiB in all", used>>20)
			}
			var e *rules.Error
			if err != nil && !errors.As(err, &e) {
				t.Errorf("the error has no position: %v", err)
			}
		})
	}
}

func parseTime(text string) (time.Duration, error) {
	begin := time.Now()
	_, err := rules.Parse("hostile.yaml", []byte(text))
	return time.Since(begin), err
}

// allocated counts the bytes allocated so far by everybody. It is more than what was in use at any time.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(coin))
	files, err := rules.Library()
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		f.Add(file.Text)
	}
	for _, text := range hostile() {
		if len(text) < 8<<10 {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		begin := time.Now()
		file, err := rules.Parse("fuzz.yaml", text)
		var e *rules.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Errorf("the error has no position: %v", err)
		case err == nil && string(file.Text) != string(text):
			t.Error("the text is not kept")
		}
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("took %v", took)
		}
		if err == nil {
			file.Actions()
		}
	})
}
