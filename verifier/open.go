package verifier

import (
	"strings"

	"dudo.example/core/record"
)

// isOrigin reports whether s is printable ASCII without spaces and colons.
func isOrigin(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' || s[i] == ':' {
			return false
		}
	}
	return s != ""
}

const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// isGID reports whether s is a table of letters, digits and -, then - and 8 characters of Crockford's base32.
func isGID(s string) bool {
	i := strings.LastIndexByte(s, '-')
	if i < 1 || i > 64 || len(s)-i-1 != 8 {
		return false
	}
	for _, c := range []byte(s[:i]) {
		if c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return strings.Trim(s[i+1:], crockford) == ""
}

// checkOpen checks the members of an open event that neither the seed nor the rules decide.
func checkOpen(open record.Open) *Failure {
	if !isOrigin(open.Origin) {
		return member("origin", fail(CheckOrigin, "printable ASCII without spaces and colons", open.Origin, "the origin is none"))
	}
	if !isGID(open.GID) {
		return member("gid", fail(CheckGID, "a table, - and 8 characters of Crockford's base32", open.GID, "the game's id is none"))
	}
	if _, err := record.ParseKey(open.Key); err != nil {
		return member("key", fail(CheckKey, "43 characters of base64url", open.Key, "the server's key is none"))
	}
	return nil
}
