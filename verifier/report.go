package verifier

import (
	"encoding/json"
	"fmt"

	"dudo.example/core/record"
)

// Report is what a record proves and what it does not, as far as it could be derived again. Text in it that comes from the
// record has gone through [Plain].
type Report struct {
	GID    string `json:"gid"`
	Origin string `json:"origin"`
	Events int    `json:"events"` // lines of the file, without the receipt
	Start  int64  `json:"start"`  // time of the first event in milliseconds since 1970
	Finish int64  `json:"finish"` // time of the last event that was derived again

	Rules   Rules    `json:"rules"`
	Players []Player `json:"players"`
	Rounds  []Round  `json:"rounds"` // those derived again to their end
	Ending  *Ending  `json:"ending"` // nil if the record did not get there
	Receipt Receipt  `json:"receipt"`
	Kept    []Kept   `json:"kept_receipts"`

	// Unfinished says that nothing is wrong with the record but that its game was not over when the server signed it, so that nothing
	// could be derived again. Failure says so too.
	Unfinished bool `json:"unfinished,omitempty"`

	Failure   *Failure `json:"failure"`    // nil if the record is verified
	Proved    []string `json:"proved"`     // empty if it is refuted
	NotProved []string `json:"not_proved"` // empty if it is refuted
}

// Verified reports whether the whole record was derived again and every receipt that could be checked is true.
func (r *Report) Verified() bool { return r.Failure == nil }

// Rules are the rules of the game.
type Rules struct {
	Game    string         `json:"game"`
	SHA256  string         `json:"sha256"`
	Known   bool           `json:"known"` // one of the files shipped with this program
	Options map[string]int `json:"options"`
}

// Player is who held a seat, by the server's account.
type Player struct {
	Seat  int    `json:"seat"`
	Name  string `json:"name"`
	Bot   bool   `json:"bot"`
	Nonce bool   `json:"nonce"` // their own words are in their dice
	Place int    `json:"place,omitempty"`
	Pay   *int   `json:"payoff,omitempty"`
}

// Round is what happened from one deal to the next; a game that begins without a deal begins with round 0. Where some dice are rolled
// again in a round, what follows stands by itself under the same number.
type Round struct {
	Round int    `json:"round"`
	First int64  `json:"first"` // event
	Last  int64  `json:"last"`
	Moves int    `json:"moves"`
	By    int    `json:"by"`   // seat of the last move or timeout; -1 if there was none
	Move  string `json:"move"` // its action; empty for a timeout
	// Dealt are the values that not everybody saw once the round was dealt, by variable and seat: hands, for players to hold
	// against what they were shown. They are missing from the rounds that come after very many values.
	Dealt map[string][][]int `json:"dealt,omitempty"`
	Facts json.RawMessage    `json:"facts,omitempty"` // of its last show, as the object that stands in the record
	Text  string             `json:"text"`            // in words
}

// Ending is how the game ended.
type Ending struct {
	Reason  string `json:"reason"`
	Places  []int  `json:"places,omitempty"`
	Payoffs []int  `json:"payoffs,omitempty"`
}

// Receipt is what became of the receipt at the end of the file.
type Receipt struct {
	Present bool   `json:"present"`
	N       int64  `json:"n"`       // the event it is of, once it agrees with the record
	Checked bool   `json:"checked"` // with a key of the user's
	Key     string `json:"key"`     // that key
	KeyFrom string `json:"key_from"`
}

// Where a key came from.
const (
	KeyGiven  = "given"  // [Options.Key]
	KeyPinned = "pinned" // [Options.Pins]
)

// Kept is a receipt of the user's that agrees with the record.
type Kept struct {
	N       int64 `json:"n"`
	Checked bool  `json:"checked"` // its signature, with a key of the user's
}

func newReport(events int) *Report {
	return &Report{Events: events, Players: []Player{}, Rounds: []Round{}, Kept: []Kept{}}
}

func (r *Report) ended(e record.End) {
	r.Ending = &Ending{Reason: e.Reason, Places: e.Places, Payoffs: e.Payoffs}
	for i := range r.Players {
		if i < len(e.Places) {
			r.Players[i].Place = e.Places[i]
		}
		if i < len(e.Payoffs) {
			r.Players[i].Pay = &e.Payoffs[i]
		}
	}
}

// name is who holds a seat.
func (r *Report) name(seat int) string {
	if seat < 0 || seat >= len(r.Players) {
		return fmt.Sprintf("seat %d", seat)
	}
	return r.Players[seat].Name
}
