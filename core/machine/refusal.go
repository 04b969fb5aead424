package machine

import "fmt"

// Refusal is the rules' no. The position is unchanged. Its sentence is for the player: it says what to do instead.
type Refusal struct {
	Code     string // snake_case
	Sentence string
}

// The codes of the machine's refusals.
const (
	CodeGameOver      = "game_over"
	CodeNotYourTurn   = "not_your_turn"
	CodeUnknownAction = "unknown_action"
	CodeBadArgument   = "bad_argument"
	CodeIllegalMove   = "illegal_move"
)

func (r *Refusal) Error() string { return r.Code + ": " + r.Sentence }

func refuse(code, sentence string) *Refusal { return &Refusal{Code: code, Sentence: sentence} }

// outOfRange refuses parameter k of an action with the values that it takes in this position.
func (p *Position) outOfRange(a *Action, k int) *Refusal {
	f := p.begin(None)
	q := &a.Params[k]
	low, high := q.Low, q.High
	if q.Min != nil {
		low = max(low, q.Min(f))
	}
	if q.Max != nil {
		high = min(high, q.Max(f))
	}
	if low > high {
		return refuse(CodeBadArgument, fmt.Sprintf("No %s is possible now; use one listed under legal.", q.Name))
	}
	return refuse(CodeBadArgument, fmt.Sprintf("%s must be %d to %d.", q.Name, low, high))
}
