package host

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Outcome says in a word how a call of a bot ended: for events, logs and
// metrics.
type Outcome string

// The outcomes.
const (
	// OK: the bot answered, within bounds.
	OK Outcome = "ok"
	// Canceled: the caller gave up, or the seat or the host was closed.
	Canceled Outcome = "canceled"
	// NotFound: there is no such bot.
	NotFound Outcome = "not_found"
	// Unsupported: the bot does not play this game, or not this seat.
	Unsupported Outcome = "unsupported"
	// Unavailable: the bot failed too often and has a rest, or waits for its
	// restart for longer than the call may take.
	Unavailable Outcome = "unavailable"
	// Checksum: the bot's file is not the one that the host found at first.
	Checksum Outcome = "checksum"
	// Handshake: the process did not introduce itself as a bot.
	Handshake Outcome = "handshake"
	// Version: the bot speaks another version of the contract.
	Version Outcome = "version"
	// SlowStart: the process took too long to get ready.
	SlowStart Outcome = "slow_start"
	// Crashed: the process ended.
	Crashed Outcome = "crashed"
	// Timeout: no answer within the deadline.
	Timeout Outcome = "timeout"
	// Oversize: the answer was larger than 64 KiB.
	Oversize Outcome = "oversize"
	// BadReply: the answer could not be read or broke a bound.
	BadReply Outcome = "bad_reply"
	// Failed: the bot answered with an error, or panicked.
	Failed Outcome = "failed"
	// BadRequest: the caller's view, or rules, are larger than 512 KiB.
	BadRequest Outcome = "bad_request"
)

// Error is the error of every call of a bot.
type Error struct {
	// Bot is the name of the bot.
	Bot string
	// Outcome says what went wrong.
	Outcome Outcome
	// Err has the details; they are for the operator, not for players, since
	// a bot may have written a part of them.
	Err error
}

// Error names the bot, the outcome and the cause.
func (e *Error) Error() string { return fmt.Sprintf("bot %s: %s: %v", e.Bot, e.Outcome, e.Err) }

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// OutcomeOf is the outcome of a call that returned err; OK for nil.
func OutcomeOf(err error) Outcome {
	if err == nil {
		return OK
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Outcome
	}
	if errors.Is(err, context.Canceled) {
		return Canceled
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Timeout
	}
	return Failed
}

// errSeatUnknown is a bot's answer about a seat it does not know.
var errSeatUnknown = errors.New("the bot does not know the seat")

// maxMessage bounds what a log quotes of a bot's error, in bytes.
const maxMessage = 200

// callError makes an outcome of the error of a gRPC call under ctx.
func callError(ctx context.Context, err error) (Outcome, error) {
	s := status.Convert(err)
	message := s.Message()
	if len(message) > maxMessage {
		message = message[:maxMessage]
	}
	detail := fmt.Errorf("%s: %q", s.Code(), message)
	switch {
	case context.Cause(ctx) != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return Canceled, context.Cause(ctx)
	case ctx.Err() != nil:
		return Timeout, detail
	}
	switch s.Code() {
	case codes.DeadlineExceeded:
		return Timeout, detail
	case codes.Unavailable, codes.Canceled:
		return Crashed, detail
	case codes.ResourceExhausted:
		return Oversize, detail
	case codes.Unimplemented:
		return Version, detail
	case codes.Internal:
		return BadReply, detail
	case codes.NotFound:
		return Failed, fmt.Errorf("%w: %w", errSeatUnknown, detail)
	default:
		return Failed, detail
	}
}
