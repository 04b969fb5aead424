package front

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/rs/cors"
)

// Guard puts what protects the MCP path before another route that is read with
// GET: the Host check, the rate limit (one count for all routes of a Front), CORS
// for any origin, recovery, [RequestID] and [ClientAddr]. Other verbs are 405.
// Its refusals have the form of [Error].
func (f *Front) Guard(next http.Handler) http.Handler {
	return f.chain(next, plainDenier{}, http.MethodGet, http.MethodHead)
}

// chain is the way of a request to a handler that answers the given verbs.
func (f *Front) chain(next http.Handler, d denier, verbs ...string) http.Handler {
	next = f.limited(next, d)
	next = onlyVerbs(next, d, verbs)
	next = crossOrigin(verbs).Handler(next)
	next = f.onlyHosts(next, d)
	return f.recovered(f.identified(next), d)
}

// identified gives the request its id and its client's address.
func (f *Front) identified(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := request{id: newRequestID(), addr: clientAddr(r, f.cfg.TrustedProxies)}
		w.Header().Set("X-Request-Id", req.id)
		if len(r.TransferEncoding) > 0 {
			// A length besides may have hidden another request in the body from a proxy. net/http does not tell, and goes on.
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, req)))
	})
}

func (f *Front) onlyHosts(next http.Handler, d denier) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hostAllowed(f.hosts, r.Host) {
			d.deny(w, rejectStatus(http.StatusForbidden, "The Host header does not name this server; use localhost, or a name that its operator has allowed."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// crossOrigin lets pages of any origin in, without credentials. Authorization is
// not among the headers, so no page can be tricked into sending a key here.
func crossOrigin(verbs []string) *cors.Cors {
	return cors.New(cors.Options{
		AllowedOrigins: []string{"*"},
		AllowedMethods: verbs,
		AllowedHeaders: []string{
			"Accept", "Content-Type", "Last-Event-ID",
			mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderSessionID,
		},
		ExposedHeaders:       []string{"Retry-After", "X-Request-Id"},
		MaxAge:               7200, // seconds; as long as browsers keep one
		OptionsSuccessStatus: http.StatusNoContent,
	})
}

// onlyVerbs answers 405 to other verbs, and OPTIONS that is no preflight.
func onlyVerbs(next http.Handler, d denier, verbs []string) http.Handler {
	allow := strings.Join(append(slices.Clone(verbs), http.MethodOptions), ", ")
	rej := rejectStatus(http.StatusMethodNotAllowed, "Use "+strings.Join(verbs, " or ")+" here.")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(verbs, r.Method) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", allow)
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		d.deny(w, rej)
	})
}

func (f *Front) limited(next http.Handler, d denier) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wait, ok := f.limit.take(ClientAddr(r.Context()), 1); !ok {
			rej, after := rejectLimited(wait)
			w.Header().Set("Retry-After", after)
			d.deny(w, rej)
			return
		}
		next.ServeHTTP(w, r)
	})
}
