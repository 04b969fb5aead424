package words_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"dudo.example/core/machine"
	"dudo.example/core/play"
	"dudo.example/core/record/corpus"
	"dudo.example/mcpserver/words"
	"golang.org/x/text/unicode/norm"
)

func TestName(t *testing.T) {
	const (
		form     = "A name is 1 to 24 of the letters a to z and A to Z, digits, '.', '_' and '-'; choose another."
		begins   = "A name begins with a letter or a digit; choose another."
		reserved = "That name is reserved; choose another."
	)
	tests := []struct{ name, want string }{
		{"ann", ""},
		{"Ann.B-2_x", ""},
		{"7", ""},
		{"a", ""},
		{strings.Repeat("a", 24), ""},
		{"agent-smith", ""},
		{"administer", ""}, // only whole names are reserved
		{"houseplant", ""},
		{"", form},
		{strings.Repeat("a", 25), form},
		{"ann b", form},
		{"änn", form},
		{"аnn", form}, // Cyrillic а
		{"ann\n", form},
		{"ann\x00", form},
		{"ann\u200b", form},
		{"a/b", form},
		{"a\xff", form},
		{".ann", begins},
		{"...", begins},
		{"-v", begins},
		{"_", begins},
		{"server", reserved},
		{"Server", reserved},
		{"dudo", reserved},
		{"DUD0", reserved},
		{"d.u.d.o", reserved},
		{"adm1n", reserved},
		{"adrnin", reserved},
		{"admln", reserved},
		{"House", reserved},
		{"h0use_b0t", reserved},
		{"systern", reserved},
		{"nu11", reserved},
	}
	for _, tt := range tests {
		wantRefusal(t, "Name", tt.name, words.Name(tt.name), words.CodeBadName, tt.want)
	}
}

func TestFold(t *testing.T) {
	same := [][]string{
		{"ann", "ANN", "a.n-n", "Ann_"},
		{"bill", "bi1l", "biIl", "b111"},
		{"bob", "b0b", "BOB"},
		{"mo", "rno", "r.no", "rn0"},
		{"will", "vvill", "v-vi1l"},
	}
	for _, names := range same {
		for _, n := range names[1:] {
			if got, want := words.Fold(n), words.Fold(names[0]); got != want {
				t.Errorf("Fold(%q) = %q, Fold(%q) = %q, want the same", n, got, names[0], want)
			}
		}
	}
	different := []string{"ann", "anna", "bob", "agent2", "agent3", "agent5", "claude", "cIaus", "max", "ron"}
	seen := map[string]string{}
	for _, n := range different {
		if other, ok := seen[words.Fold(n)]; ok {
			t.Errorf("Fold(%q) = Fold(%q) = %q, want different", n, other, words.Fold(n))
		}
		seen[words.Fold(n)] = n
	}
}

const unseen = " is letters, numbers, punctuation, symbols and plain spaces; leave out line breaks, invisible characters and the variants and joins of emoji."

// unseenText are texts with a character that does not show, or that changes how others do.
var unseenText = map[string]string{
	"newline":            "a\nb",
	"tab":                "a\tb",
	"NUL":                "a\x00",
	"escape":             "\x1b[31mred",
	"delete":             "a\x7f",
	"C1 control":         "a\u0085",
	"no-break space":     "a\u00a0b",
	"ideographic space":  "a\u3000b",
	"line separator":     "a\u2028b",
	"soft hyphen":        "a\u00adb",
	"zero-width space":   "a\u200bb",
	"zero-width joiner":  "👩\u200d🚀",
	"byte order mark":    "\ufeffa",
	"word joiner":        "a\u2060b",
	"bidi override":      "a\u202eb",
	"bidi isolate":       "a\u2066b",
	"Arabic letter mark": "a\u061cb",
	"tag":                "a\U000e0041",
	"variation selector": "❤\ufe0f",
	"supplement of them": "a\U000e0100",
	"Mongolian selector": "ᠠ\u180b",
	"grapheme joiner":    "a\u034fb",
	"Hangul filler":      "a\u3164b",
	"halfwidth filler":   "a\uffa0b",
	"Hangul choseong":    "\u115f",
	"Khmer inherent":     "ក\u17b4",
	"braille blank":      "\u2800",
	"private use":        "a\ue000",
	"private use plane":  "\U000f0000",
	"unassigned":         "a\u0378",
	"noncharacter":       "a\uffff",
	"annotation":         "a\ufff9b",
}

// seenText are texts that are fine as talk and as nonces.
var seenText = []string{
	"four fives? no way!",
	"purple otter 41",
	"Ça va – „gut“ …",
	"五つの六だ",
	"שלום",
	"नमस्ते",
	"Việt Nam",
	"3 × 5 ≥ 2 × 6, $1 + ½ = ²",
	"🎲🎲👍🏽",
	"🇩🇪",
	"<b>&amp;</b> \"quoted\" \\ `code`",
	"e\u0323\u0302x", // becomes ệ in NFC
	"q\u0323\u0302",  // two marks that stay
}

func TestTalk(t *testing.T) {
	for _, s := range append(seenText, "", " ", strings.Repeat("語", 140), strings.Repeat("e\u0301", 140)) {
		got, err := words.Talk(s)
		if err != nil || got != norm.NFC.String(s) {
			t.Errorf("Talk(%q) = %q, %v, want it in NFC", s, got, err)
		}
	}
	for name, s := range unseenText {
		_, err := words.Talk(s)
		wantRefusal(t, "Talk", name, err, play.CodeBadText, "Talk"+unseen)
	}
	const (
		long  = "Talk is at most 140 characters; say it shorter."
		marks = "Talk has at most two marks on a character; leave out the others."
	)
	tests := []struct{ text, want string }{
		{strings.Repeat("a", 141), long},
		{strings.Repeat("語", 141), long},
		{strings.Repeat("a", 1<<20), long},
		{"q\u0323\u0302\u0301", marks},
		{"\u0301a", marks},
		{"a" + strings.Repeat("\u0338", 20), marks},
		{"a\xff", "Talk is text in UTF-8."},
	}
	for _, tt := range tests {
		_, err := words.Talk(tt.text)
		wantRefusal(t, "Talk", tt.text, err, play.CodeBadText, tt.want)
	}
}

func TestNonce(t *testing.T) {
	for _, s := range append(seenText, " ", strings.Repeat("a", 128)) {
		if !norm.NFC.IsNormalString(s) {
			continue
		}
		if got, err := words.Nonce(s); err != nil || got != s {
			t.Errorf("Nonce(%q) = %q, %v, want it as it is", s, got, err)
		}
	}
	for name, s := range unseenText {
		_, err := words.Nonce(s)
		wantRefusal(t, "Nonce", name, err, play.CodeBadText, "A nonce"+unseen)
	}
	const length = "A nonce is 1 to 128 bytes of text; a few random words are enough."
	tests := []struct{ text, want string }{
		{"", length},
		{strings.Repeat("a", 129), length},
		{strings.Repeat("語", 43), length},
		{"e\u0301", "A nonce is in Unicode's NFC, because its bytes are hashed as they are; plain letters without accents always are."},
		{"q\u0323\u0302\u0301", "A nonce has at most two marks on a character; leave out the others."},
		{"a\xff", "A nonce is text in UTF-8."},
	}
	for _, tt := range tests {
		_, err := words.Nonce(tt.text)
		wantRefusal(t, "Nonce", tt.text, err, play.CodeBadText, tt.want)
	}
}

// TestEveryCharacter asks for each code point alone: what gets through is of the classes that may, and shows.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s, err := words.Talk("a" + string(r))
		if err != nil {
			continue
		}
		for _, c := range s {
			if c != ' ' && !unicode.IsGraphic(c) || unicode.Is(unicode.Zs, c) && c != ' ' || unicode.In(c, unicode.C, unicode.Variation_Selector) {
				t.Errorf("Talk accepts U+%04X", r)
			}
		}
	}
}

// wantRefusal checks that err is a refusal of that code and sentence, or nil for no sentence.
func wantRefusal(t *testing.T, function, input string, err error, code, sentence string) {
	t.Helper()
	if sentence == "" {
		if err != nil {
			t.Errorf("%s(%q): %v, want no error", function, input, err)
		}
		return
	}
	var r *machine.Refusal
	if !errors.As(err, &r) || r.Code != code || r.Sentence != sentence {
		t.Errorf("%s(%q): %v, want %s: %s", function, input, err, code, sentence)
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range seenText {
		f.Add(s)
	}
	for _, s := range unseenText {
		f.Add(s)
	}
	f.Add("rrnvvv1")
	cases, err := corpus.Words()
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if fold := words.Fold(s); words.Fold(fold) != fold {
			t.Errorf("Fold(%q) = %q, and its fold is %q", s, fold, words.Fold(fold))
		}
		if words.Name(s) == nil && (len(s) > words.MaxName || words.Fold(s) == "") {
			t.Errorf("Name(%q) = nil", s)
		}
		if said, err := words.Talk(s); err == nil {
			if again, err := words.Talk(said); err != nil || again != said {
				t.Errorf("Talk(%q) = %q, and Talk of that is %q, %v", s, said, again, err)
			}
			if utf8.RuneCountInString(said) > words.MaxTalk || !norm.NFC.IsNormalString(said) {
				t.Errorf("Talk(%q) = %q", s, said)
			}
			if _, err := words.Nonce(said); err != nil && said != "" && len(said) <= words.MaxNonce {
				t.Errorf("Talk accepts %q and Nonce refuses it: %v", said, err)
			}
		}
		if nonce, err := words.Nonce(s); err == nil && (nonce != s || len(s) > words.MaxNonce) {
			t.Errorf("Nonce(%q) = %q", s, nonce)
		}
	})
}
