package verifier

import "fmt"

// Check names what was checked.
type Check string

// The checks, in the order in which they are made for an event.
const (
	CheckForm       Check = "canonical form" // the line is canonical
	CheckEvent      Check = "event"          // it is an event of the format
	CheckTruncated  Check = "truncated"      // the record goes on to its end
	CheckEnd        Check = "end"            // and not beyond
	CheckNumber     Check = "number"         // events are numbered from 0
	CheckTime       Check = "time"           // times never go back
	CheckSeed       Check = "seed"           // the last event has a seed
	CheckCommitment Check = "commitment"     // which is the one committed to
	CheckOrigin     Check = "origin"
	CheckGID        Check = "gid"
	CheckKey        Check = "server key" // the record names the server's key
	CheckDigest     Check = "digest"     // the rules are those of the digest
	CheckRules      Check = "rules"      // they load and work
	CheckGame       Check = "game"       // and are of the game named
	CheckOptions    Check = "options"    // options are all there and as the rules resolve them
	CheckSeats      Check = "seats"
	CheckRoster     Check = "roster"    // who sits down, and when the game starts
	CheckNonce      Check = "nonce"     // one for each seat at the most, before the start
	CheckOrder      Check = "order"     // this type of event can stand here
	CheckTurn       Check = "turn"      // the seat may act
	CheckMove       Check = "move"      // the move is legal
	CheckLate       Check = "late move" // a move comes at or before the deadline
	CheckEarly      Check = "early timeout"
	CheckTimeout    Check = "timeout"
	CheckDeal       Check = "deal" // deals are numbered from 1
	CheckHC         Check = "hc"   // the commitment to a hand is that of the seed
	CheckCount      Check = "count"
	CheckHandKey    Check = "key" // the key that opens a hand is that of the seed
	CheckHand       Check = "hand"
	CheckFact       Check = "fact"
	CheckPlaces     Check = "places"
	CheckPayoffs    Check = "payoffs"
	CheckReason     Check = "reason"
	CheckReceipt    Check = "receipt"   // there is one where one is needed, and it is of the last event
	CheckChain      Check = "chain"     // its head is the head of these events
	CheckSignature  Check = "signature" // the server signed it
	CheckKept       Check = "kept receipt"
)

// Checks lists every check.
func Checks() []Check {
	return []Check{
		CheckForm, CheckEvent, CheckTruncated, CheckEnd, CheckNumber, CheckTime, CheckSeed, CheckCommitment, CheckOrigin, CheckGID,
		CheckKey, CheckDigest, CheckRules, CheckGame, CheckOptions, CheckSeats, CheckRoster, CheckNonce, CheckOrder, CheckTurn,
		CheckMove, CheckLate, CheckEarly, CheckTimeout, CheckDeal, CheckHC, CheckCount, CheckHandKey, CheckHand, CheckFact,
		CheckPlaces, CheckPayoffs, CheckReason, CheckReceipt, CheckChain, CheckSignature, CheckKept,
	}
}

// WholeFile is the Event of a failure that is not one event's, such as a receipt's.
const WholeFile = -1

// Failure is the first thing that is wrong with a record.
type Failure struct {
	Event    int64  `json:"event"` // its place in the file, from 0; WholeFile if it is none's
	Check    Check  `json:"check"`
	Member   string `json:"member,omitempty"` // of the event, such as hc.1
	Want     string `json:"want"`
	Got      string `json:"got"`
	Sentence string `json:"sentence"`
}

func (f *Failure) Error() string {
	at := "the file"
	if f.Event >= 0 {
		at = fmt.Sprintf("event %d", f.Event)
	}
	check := string(f.Check)
	if f.Member != "" && f.Member != check {
		check += " (" + f.Member + ")"
	}
	return fmt.Sprintf("%s, %s: want %s, got %s: %s", at, check, f.Want, f.Got, f.Sentence)
}

// fail makes a failure whose event is filled in by whoever knows it.
func fail(check Check, want, got any, sentence string, args ...any) *Failure {
	return &Failure{Check: check, Want: show(want), Got: show(got), Sentence: fmt.Sprintf(sentence, args...)}
}

// show writes a value of a record's for people: short and without anything that a terminal obeys.
func show(v any) string {
	s := fmt.Sprint(v)
	if s == "" {
		return `""`
	}
	return Plain(s, 160)
}
