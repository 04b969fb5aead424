package store

import (
	"fmt"
	"log/slog"
	"strings"
)

// logger hands Badger's words to slog. What Badger finds worth saying of its
// normal work is detail here; it prints keys at worst, never values.
type logger struct{ to *slog.Logger }

func (l logger) Errorf(format string, args ...any)   { l.to.Error(say(format, args)) }
func (l logger) Warningf(format string, args ...any) { l.to.Warn(say(format, args)) }
func (l logger) Infof(format string, args ...any)    { l.to.Debug(say(format, args)) }
func (l logger) Debugf(string, ...any)               {}

func say(format string, args []any) string {
	return "badger: " + strings.TrimSpace(fmt.Sprintf(format, args...))
}
