package rules_test

import "strings"

// hostileTexts are meant to cost the YAML parser much.
func hostileTexts() map[string]string {
	fill := func(begin, piece, end string) string {
		return begin + strings.Repeat(piece, (64<<10-len(begin)-len(end))/len(piece)) + end
	}
	short := func(piece string, lines int) string { return strings.Repeat(piece+"\n", lines) }
	return map[string]string{
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
		// Each was found by a search for what takes the parser long.
		"nested by tags":            short("k 1.5 &a true null *a a: !<a> ", 1490),
		"nested by tags, commented": short(", 0x1 a: !!a  #", 1490),
		"nested by both":            short(" <<: [null k } ~ 0x1 true &a ~ *a a: !<a> ", 1490),
	}
}
