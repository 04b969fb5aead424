package front

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/server"
)

// Defaults of a [Config].
const (
	DefaultMaxBody           = 8 << 10 // bytes
	DefaultRequestsPerMinute = 120
)

// A Config says whom a [Front] serves and how much. The zero value serves
// loopback names with the default limits.
type Config struct {
	// Hosts are the Host names answered to besides loopback ones, without a
	// port: "dudo.example". A page that rebinds its own name to our address
	// sends that name and is refused. Origins are not looked at: any page may
	// play, without credentials.
	Hosts []string

	// TrustedProxies are the networks whose X-Forwarded-For is believed. A
	// peer without an IP address is no proxy.
	TrustedProxies []netip.Prefix

	// RequestsPerMinute is how many requests one client (see [Block]) may
	// send a minute, and in one burst. Zero means
	// [DefaultRequestsPerMinute], a negative number no limit.
	RequestsPerMinute int

	// Connections is how many connections are open at once, and
	// AddrConnections how many of one client. Zero means
	// [DefaultConnections] and [DefaultAddrConnections]. See [Front.Bound].
	Connections     int
	AddrConnections int

	// MaxBody is the longest body in bytes. Zero means [DefaultMaxBody].
	MaxBody int64

	// Log receives faults: where a panic came from, and the text of an
	// error that a handler returned. Nil means [slog.Default].
	Log *slog.Logger

	// Observe, if not nil, is told of every answer, once for each message of
	// a batch. It is called on the request's goroutine and must be quick.
	Observe func(Result)

	// Now is the clock of the rate limit. Nil means [time.Now].
	Now func() time.Time
}

// A Result is one answer, for metrics. Its strings come from fixed sets, so
// they can be labels.
type Result struct {
	Method   string        // a method of MCP; "other" if unknown, "" if none was read
	Tool     string        // a tool's name in tools/call; "other" if there is none such
	Era      string        // protocol version; "" if none was established
	Status   int           // HTTP status; 499 if the client left first
	Code     int           // JSON-RPC error code, 0 if none
	Refusal  string        // what the tool gave to [Refused]; "refused" if it only set isError
	Duration time.Duration // from the end of the header to the reply
}

// A Front answers MCP over HTTP. Mount it at the one path it serves.
type Front struct {
	cfg    Config
	served atomic.Pointer[served]
	limit  *limiter
	hosts  map[string]bool
	seq    atomic.Int64 // ids of the messages handed to mcp-go
	routed http.Handler
}

// served is a server with mcp-go's transport for it.
type served struct {
	mcp       *server.MCPServer
	transport *server.StreamableHTTPServer
}

// New returns the front of a server made by [NewMCP]. It adds a middleware to
// mcp's tools, so a server belongs to one Front.
func New(cfg Config, mcp *server.MCPServer) *Front {
	cfg.MaxBody = cmp.Or(cfg.MaxBody, DefaultMaxBody)
	cfg.RequestsPerMinute = cmp.Or(cfg.RequestsPerMinute, DefaultRequestsPerMinute)
	cfg.Connections = cmp.Or(cfg.Connections, DefaultConnections)
	cfg.AddrConnections = cmp.Or(cfg.AddrConnections, DefaultAddrConnections)
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Observe == nil {
		cfg.Observe = func(Result) {}
	}
	f := &Front{cfg: cfg, hosts: hostSet(cfg.Hosts), limit: newLimiter(cfg.RequestsPerMinute, cfg.Now)}
	f.Swap(mcp)
	f.routed = f.chain(http.HandlerFunc(f.serve), rpcDenier{f}, http.MethodPost)
	return f
}

// Swap puts a server in the place of the one before, whole: each request is
// answered by one of them, and those in progress by the one they came to.
// Clients learn of it when what [CacheTTL] lets them keep is stale: there is
// no stream to tell them on.
func (f *Front) Swap(mcp *server.MCPServer) {
	mcp.Use(noteRefusal)
	f.served.Store(&served{mcp, server.NewStreamableHTTPServer(mcp,
		server.WithStateLess(true),                  // else a call without a session is 404
		server.WithDisableStreaming(true),           // no GET stream
		server.WithDisableLocalhostProtection(true), // it breaks behind a proxy; hostAllowed does it
		server.WithStreamableHTTPProtocolVersions(versions...),
		server.WithStreamableHTTPLogger(f.cfg.Log),
	)})
}

// ServeHTTP answers one request at the MCP path.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) { f.routed.ServeHTTP(w, r) }
