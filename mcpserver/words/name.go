package words

import "strings"

// MaxName is the length of a name in characters.
const MaxName = 24

// Name checks a name that a player asks for.
func Name(s string) error {
	switch {
	case s == "" || len(s) > MaxName || strings.IndexFunc(s, foreign) >= 0:
		return refuse(CodeBadName, "A name is 1 to 24 of the letters a to z and A to Z, digits, '.', '_' and '-'; choose another.")
	case strings.ContainsRune(separators, rune(s[0])):
		return refuse(CodeBadName, "A name begins with a letter or a digit; choose another.")
	case reserved[Fold(s)]:
		return refuse(CodeBadName, "That name is reserved; choose another.")
	}
	return nil
}

const separators = "._-"

func foreign(r rune) bool {
	letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	digit := '0' <= r && r <= '9'
	return !letter && !digit && !strings.ContainsRune(separators, r)
}

// alike brings characters that look alike to one of them, pairs brings pairs of letters that look like one letter to it.
// No result of either is the beginning of another pair, so one pass of each is enough.
var (
	alike = strings.NewReplacer("0", "o", "1", "l", "i", "l", ".", "", "_", "", "-", "")
	pairs = strings.NewReplacer("rn", "m", "vv", "w")
)

// Fold gives what names that can be taken for each other have in common: it knows neither case nor separators, and takes 0 for
// O, 1 and I for l, rn for m and vv for w. Names with the same fold must not sit at one table. It is no name itself.
func Fold(s string) string {
	return pairs.Replace(alike.Replace(strings.ToLower(s)))
}

// reserved holds the folds of names that would speak for the server, for another program or for nobody.
var reserved = folds(
	"server", "dudo", "house", "dealer", "host", "system", "root", "admin", "administrator", "moderator", "mod", "operator",
	"official", "staff", "support", "owner", "developer", "assistant", "user", "tool", "bot", "house-bot", "mcp",
	"table", "seat", "spectator", "player", "you", "me", "everyone", "everybody", "all", "any", "nobody", "no-one", "none",
	"null", "nil", "undefined", "unknown", "anonymous", "nan", "true", "false",
)

func folds(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[Fold(n)] = true
	}
	return m
}
