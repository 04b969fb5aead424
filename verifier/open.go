package verifier

import (
	"regexp"

	"dudo.example/core/record"
)

var (
	gidForm    = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z-]{0,62}-[0-9A-HJKMNP-TV-Z]{8}$`)
	originForm = regexp.MustCompile(`^[!-9;-~]{1,255}$`) // printable ASCII without spaces and colons
)

// checkOpen checks the members of an open event that neither the seed nor the rules decide.
func checkOpen(open record.Open) *Failure {
	if !originForm.MatchString(open.Origin) {
		return member("origin", fail(CheckOrigin, "printable ASCII without spaces and colons", open.Origin, "the origin is none"))
	}
	if !gidForm.MatchString(open.GID) {
		return member("gid", fail(CheckGID, "a table, - and 8 characters of Crockford's base32", open.GID, "the game's id is none"))
	}
	if _, err := record.ParseKey(open.Key); err != nil {
		return member("key", fail(CheckKey, "43 characters of base64url", open.Key, "the server's key is none"))
	}
	return nil
}
