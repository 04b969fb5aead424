package host

import (
	"bufio"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Bounds on what a bot's output may cost.
const (
	maxLine      = 1 << 10 // bytes of a line that are logged
	maxHandshake = 8 << 10 // bytes of a handshake line
	linesASecond = 20
	linesAtOnce  = 100
)

// handshakeLine finds go-plugin's line at the end of one that may have begun
// with something else.
var handshakeLine = regexp.MustCompile(`\d+\|(\d+)\|(?:unix|tcp)\|[^|]+\|[a-z]+(?:\|[A-Za-z0-9+/]*)?(?:\|[a-z]*)?\s*$`)

// logLines logs what r delivers, a record a line, until r ends. Lines are cut and, when
// they come too fast, counted instead. If take is given it is asked about every line
// first and may keep it.
func logLines(log *slog.Logger, r io.Reader, take func(line string) bool) {
	limit := rate.NewLimiter(linesASecond, linesAtOnce)
	lines := bufio.NewReaderSize(r, maxHandshake)
	dropped := 0
	for {
		line, more, err := lines.ReadLine()
		text := string(line)
		for more && err == nil {
			_, more, err = lines.ReadLine()
		}
		if err != nil {
			break
		}
		switch {
		case take != nil && take(text):
		case limit.AllowN(time.Now(), 1):
			if dropped > 0 {
				log.Warn("bot printed too much", "lines_dropped", dropped)
				dropped = 0
			}
			log.Debug("bot printed", "line", strings.ToValidUTF8(text[:min(len(text), maxLine)], "\uFFFD"))
		default:
			dropped++
		}
	}
	if dropped > 0 {
		log.Warn("bot printed too much", "lines_dropped", dropped)
	}
}

// greeting passes the handshake line of a process on to go-plugin, and nothing
// else of what the process prints.
type greeting struct {
	r       *io.PipeReader
	w       *io.PipeWriter
	version atomic.Pointer[string] // of the contract, as the line says
}

func newGreeting() *greeting {
	r, w := io.Pipe()
	return &greeting{r: r, w: w}
}

// take keeps the first handshake line.
func (g *greeting) take(line string) bool {
	if g.version.Load() != nil {
		return false
	}
	m := handshakeLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	g.version.Store(&m[1])
	_, _ = io.WriteString(g.w, strings.TrimSpace(m[0])+"\n")
	_ = g.w.Close()
	return true
}

// end tells go-plugin that there is no more to come.
func (g *greeting) end() { _ = g.w.CloseWithError(io.EOF) }
