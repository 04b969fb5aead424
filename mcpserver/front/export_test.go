package front

import (
	"net/netip"
	"time"
)

// Read shows what the front makes of a body that is one message: its canonical
// form, what mcp-go is handed, and what the checks looked at.
func Read(body []byte) (canon, handed []byte, method, name, version string, ok bool) {
	canon, rej := canonical(body)
	if rej != nil {
		return nil, nil, "", "", "", false
	}
	if canon[0] == '[' {
		return canon, nil, "", "", "", false
	}
	m, rej := parseMessage(canon)
	if rej != nil || !m.isRequest() {
		return canon, nil, "", "", "", false
	}
	return canon, envelope("1", m), m.method, m.name, m.version, true
}

// Limiter counts requests as a front does that allows so many a minute, and says whether another one of the address passes.
func Limiter(perMinute int, now func() time.Time) func(netip.Addr) bool {
	l := newLimiter(perMinute, now)
	return func(addr netip.Addr) bool {
		_, ok := l.take(addr, 1)
		return ok
	}
}
