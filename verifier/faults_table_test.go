package verifier_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"dudo.example/core/record"
)

// rewrite changes the rules in a record together with their digest.
func rewrite(d *draft, old, changed string) {
	d.t.Helper()
	text := d.get(0, "rules.text").(string)
	if !strings.Contains(text, old) {
		d.t.Fatalf("the rules have no %q", old)
	}
	text = strings.ReplaceAll(text, old, changed)
	digest := sha256.Sum256([]byte(text))
	d.put(0, "rules.text", text)
	d.put(0, "rules.sha256", hex.EncodeToString(digest[:]))
}

var openFaults = []fault{
	{"open-missing", "no open event", func(d *draft) { d.remove(0) }, ""},
	{"open-twice", "two open events", func(d *draft) {
		d.lines = append(d.lines[:1:1], d.lines...)
		d.renumber()
	}, ""},
	{"seed-other", "another seed than the one committed to", func(d *draft) {
		d.put(d.find("end", 0), "seed", hex.EncodeToString(sum("another")))
	}, ""},
	{"seed-and-commitment-other", "another seed, committed to", func(d *draft) {
		seed := sum("another")
		d.put(d.find("end", 0), "seed", hex.EncodeToString(seed))
		d.put(0, "commit", hex.EncodeToString(sum(string(seed))))
	}, ""},
	{"seed-upper-case", "a seed in capitals", func(d *draft) {
		i := d.find("end", 0)
		d.put(i, "seed", strings.ToUpper(d.get(i, "seed").(string)))
	}, ""},
	{"seed-short", "a seed of 31 bytes", func(d *draft) {
		i := d.find("end", 0)
		d.put(i, "seed", d.get(i, "seed").(string)[:62])
	}, ""},
	{"commitment-other", "another commitment", func(d *draft) { d.put(0, "commit", hex.EncodeToString(sum("x"))) }, ""},
	{"commitment-upper-case", "a commitment in capitals", func(d *draft) {
		d.put(0, "commit", strings.ToUpper(d.get(0, "commit").(string)))
	}, ""},
	{"origin-colon", "an origin that could move the signature's fields", func(d *draft) { d.put(0, "origin", "dudo.example:1") }, ""},
	{"origin-space", "an origin with a space", func(d *draft) { d.put(0, "origin", "dudo example") }, ""},
	{"gid-form", "an id of another form", func(d *draft) { d.put(0, "gid", "ZCLP-0A1B2C3") }, ""},
	{"gid-other", "the id of another game", func(d *draft) { d.put(0, "gid", "ZCLP-0A1B2C3E") }, ""},
	{"server-key-form", "a server's key that is none", func(d *draft) { d.put(0, "key", "key") }, ""},
	{"server-key-other", "another server's key than the one known", func(d *draft) {
		d.put(0, "key", record.KeyText(otherKey.Public().(ed25519.PublicKey)))
	}, ""},
	{"rules-text", "rules that are not those of the digest", func(d *draft) {
		d.put(0, "rules.text", strings.Replace(d.get(0, "rules.text").(string), "ones not wild", "ones wild", 1))
	}, ""},
	{"rules-digest", "a digest that is not that of the rules", func(d *draft) { d.put(0, "rules.sha256", hex.EncodeToString(sum("x"))) }, ""},
	{"rules-load", "rules with a mistake", func(d *draft) { rewrite(d, "dice_left[loser] - lost", "dice_left[loser] - cost") }, ""},
	{"rules-yaml", "rules that are no rules", func(d *draft) {
		text := "no rules"
		digest := sha256.Sum256([]byte(text))
		d.put(0, "rules.text", text)
		d.put(0, "rules.sha256", hex.EncodeToString(digest[:]))
	}, ""},
	{"rules-other", "rules by which an exact bid is false", func(d *draft) { rewrite(d, "found < standing.quantity", "found > standing.quantity") }, ""},
	{"rules-break", "rules whose step leaves the range of a variable", func(d *draft) {
		rewrite(d, "max(0, dice_left[loser] - lost)", "dice_left[loser] - lost - 5")
	}, ""},
	{"game-other", "rules of another game than the one named", func(d *draft) { d.put(0, "rules.game", "liars-dice/perudo") }, ""},
	{"options-missing", "an option that is not stated", func(d *draft) { d.drop(0, "options.dice") }, ""},
	{"options-unknown", "an option that the rules do not have", func(d *draft) { d.put(0, "options.jokers", int64(1)) }, ""},
	{"options-range", "an option out of its range", func(d *draft) { d.put(0, "options.dice", int64(6)) }, ""},
	{"options-type", "a number written as true", func(d *draft) { d.put(0, "options.dice", true) }, ""},
	{"options-other", "more dice than were dealt", func(d *draft) { d.put(0, "options.dice", int64(3)) }, ""},
	{"seats-too-many", "more seats than the rules allow", func(d *draft) { d.put(0, "seats", int64(7)) }, ""},
	{"seats-too-few", "fewer seats than were taken", func(d *draft) { d.put(0, "seats", int64(2)) }, ""},
	{"turn-seconds", "turns of no time", func(d *draft) { d.put(0, "turn_seconds", int64(0)) }, ""},
}

var rosterFaults = []fault{
	{"roster-seat", "a seat left out", func(d *draft) { d.put(d.find("join", 1), "seat", int64(2)) }, ""},
	{"roster-name", "two players of one name", func(d *draft) { d.put(d.find("join", 1), "name", "ann") }, ""},
	{"roster-after-start", "a player who joins after the start", func(d *draft) {
		d.insert(d.find("act", 0), object("join", seat(3), record.Member{Name: "name", Value: "dan"}))
	}, ""},
	{"roster-player-added", "a player added before the start", func(d *draft) {
		d.insert(d.find("start", 0), object("join", seat(3), record.Member{Name: "name", Value: "dan"}))
	}, ""},
	{"roster-player-removed", "a player taken out", func(d *draft) { d.remove(d.find("join", -1)) }, ""},
	{"roster-start-by", "a start by nobody at the table", func(d *draft) { d.put(d.find("start", 0), "by", int64(3)) }, ""},
	{"roster-alone", "a game of one", func(d *draft) {
		d.lines = append(d.lines[:2:2], d.lines[d.find("start", 0):]...)
		d.renumber()
	}, ""},
	{"roster-start-twice", "a second start", func(d *draft) {
		d.insert(d.find("act", 0), object("start", record.Member{Name: "by", Value: int64(0)}))
	}, ""},
	{"nonce-other", "other words than were given", func(d *draft) { d.put(d.find("nonce", 0), "nonce", "purple otter 42") }, ""},
	{"nonce-later-other", "other words of the second player, which leave the first one's dice", func(d *draft) {
		d.put(d.find("nonce", 1), "nonce", "pot")
	}, ""},
	{"nonce-removed", "a player's words taken out", func(d *draft) { d.remove(d.find("nonce", 0)) }, ""},
	{"nonce-added", "words that were not given", func(d *draft) {
		d.insert(d.find("start", 0), object("nonce", seat(2), record.Member{Name: "nonce", Value: "x"}))
	}, ""},
	{"nonce-seat", "words credited to another seat", func(d *draft) { d.put(d.find("nonce", 1), "seat", int64(2)) }, ""},
	{"nonce-order", "words in another order", func(d *draft) {
		i, k := d.find("nonce", 0), d.find("nonce", 1)
		moved := d.lines[i]
		d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
		d.lines = append(d.lines[:k:k], append([]record.Object{moved}, d.lines[k:]...)...)
		d.renumber()
		d.put(k, "t", d.get(k-1, "t"))
	}, ""},
	{"nonce-twice", "words given twice", func(d *draft) {
		d.insert(d.find("start", 0), object("nonce", seat(0), record.Member{Name: "nonce", Value: "x"}))
	}, ""},
	{"nonce-unseated", "words of nobody at the table", func(d *draft) {
		d.insert(d.find("start", 0), object("nonce", seat(3), record.Member{Name: "nonce", Value: "x"}))
	}, ""},
	{"nonce-after-start", "words given after the start", func(d *draft) {
		d.insert(d.find("act", 0), object("nonce", seat(2), record.Member{Name: "nonce", Value: "x"}))
	}, ""},
	{"nonce-empty", "words that are none", func(d *draft) { d.put(d.find("nonce", 0), "nonce", "") }, ""},
}
