package tables

import "time"

// clock is the lobby's time: what the wall clock said when the lobby opened, and how long ago that was by the machine's steady
// clock. So nobody who sets the wall clock while games are on takes a turn away from a player or gives one.
type clock struct {
	wall  int64 // Unix milliseconds
	began time.Time
}

func newClock(wall func() time.Time) clock {
	return clock{wall().UnixMilli(), time.Now()}
}

// now is in Unix milliseconds.
func (c clock) now() int64 { return c.wall + time.Since(c.began).Milliseconds() }

func (l *Lobby) now() int64 { return l.clock.now() }

// now is the time of the table's next event. It is ahead of the lobby's if the log was when the lobby opened, as the wall clock
// had been: a log's times never fall, and a turn is as long as ever.
func (t *table) now() int64 { return t.lobby.now() + t.ahead }

// when is the time of the machine at a time of the table.
func (t *table) when(at int64) time.Time {
	return time.Now().Add(time.Duration(at-t.now()) * time.Millisecond)
}
