package front_test

import "strings"

const (
	onlyPost   = "Use POST here."
	badHost    = "The Host header does not name this server; use localhost, or a name that its operator has allowed."
	badType    = "The content type must be application/json, in UTF-8 and not compressed."
	tooLarge   = "The body is too large: send fewer or shorter messages."
	bareCall   = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}`
	emptyReply = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{}"}]}}`
)

func verbCases() []wire {
	allow := map[string]string{"Allow": "POST, OPTIONS"}
	no := errorReply("null", "-32600", onlyPost)
	return []wire{
		{name: "GET", verb: "GET", status: 405, header: allow, reply: no},
		{name: "GET for a stream", verb: "GET", fields: []string{"Accept", "text/event-stream"}, status: 405, header: allow, reply: no},
		{name: "GET of 2026-07-28", verb: "GET", fields: version(v0728), status: 405, header: allow, reply: no},
		{name: "DELETE", verb: "DELETE", status: 405, header: allow, reply: no},
		{name: "DELETE of a session", verb: "DELETE", fields: []string{"Mcp-Session-Id", "x"}, status: 405, header: allow, reply: no},
		{name: "HEAD", verb: "HEAD", status: 405, header: allow},
		{name: "PUT", verb: "PUT", body: bareCall, status: 405, header: allow, reply: no},
		{name: "PATCH", verb: "PATCH", body: bareCall, status: 405, header: allow, reply: no},
		{name: "TRACE", verb: "TRACE", status: 405, header: allow, reply: no},
		{name: "verb in small letters", verb: "post", body: bareCall, status: 405, header: allow, reply: no},
		{name: "OPTIONS that is no preflight", verb: "OPTIONS", status: 204, header: allow},
		{name: "another route", verb: "GET", path: "/healthz", status: 200, has: []string{"127.0.0.1"}},
		{
			name: "another route, wrong verb", verb: "POST", path: "/healthz", body: "{}", status: 405,
			header: map[string]string{"Allow": "GET, HEAD, OPTIONS", "Content-Type": "application/json"},
			reply:  `{"error":"Use GET or HEAD here."}`,
		},
		{
			name: "no route", verb: "GET", path: "/nowhere", status: 404,
			header: map[string]string{"Content-Type": "application/json"},
			reply:  `{"error":"There is nothing at this address."}`,
		},
	}
}

func hostCases() []wire {
	no := errorReply("null", "-32600", badHost)
	cases := []wire{
		{name: "host of a stranger, other route", verb: "GET", path: "/healthz", fields: []string{"Host", "evil.example"}, status: 403, reply: `{"error":"` + badHost + `"}`},
		{name: "host of a stranger, preflight", verb: "OPTIONS", fields: []string{"Host", "evil.example", "Origin", "http://evil.example", "Access-Control-Request-Method", "POST"}, status: 403, header: map[string]string{"Access-Control-Allow-Origin": ""}, reply: no},
	}
	for _, host := range []string{"localhost", "LOCALHOST:8787", "localhost.", "127.0.0.1:1", "127.9.9.9", "[::1]:8787", "[::1]", "dudo.example", "dudo.example:8787", "DUDO.example.", "play.example"} {
		cases = append(cases, wire{name: "host " + host, fields: []string{"Host", host}, body: bareCall, status: 200, reply: emptyReply})
	}
	for _, host := range []string{"evil.example", "localhost.evil.example", "evil-localhost", "dudo.example.evil", "192.168.1.1", "127.0.0.1.nip.io", "[::2]", "0.0.0.0", "xn--dudo"} {
		cases = append(cases, wire{name: "host " + host, fields: []string{"Host", host}, body: bareCall, status: 403, reply: no})
	}
	return cases
}

func corsCases() []wire {
	preflight := func(more ...string) []string {
		return append([]string{"Origin", "https://page.example", "Access-Control-Request-Method", "POST"}, more...)
	}
	allowed := map[string]string{
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Allow-Methods":     "POST",
		"Access-Control-Allow-Credentials": "",
		"Access-Control-Max-Age":           "7200",
	}
	refused := map[string]string{"Access-Control-Allow-Origin": "", "Access-Control-Allow-Headers": "", "Access-Control-Allow-Methods": ""}
	plain := map[string]string{
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Allow-Credentials": "",
		"Access-Control-Expose-Headers":    "Retry-After, X-Request-Id",
	}
	return []wire{
		{name: "preflight", verb: "OPTIONS", fields: preflight("Access-Control-Request-Headers", "content-type"), status: 204, header: allowed},
		{name: "preflight of 2026-07-28", verb: "OPTIONS", fields: preflight("Access-Control-Request-Headers", "accept,content-type,mcp-method,mcp-name,mcp-protocol-version"), status: 204, header: allowed},
		{name: "preflight with a session", verb: "OPTIONS", fields: preflight("Access-Control-Request-Headers", "content-type,last-event-id,mcp-session-id"), status: 204, header: allowed},
		{name: "preflight without fields", verb: "OPTIONS", fields: preflight(), status: 204, header: allowed},
		{name: "preflight with authorization", verb: "OPTIONS", fields: preflight("Access-Control-Request-Headers", "authorization,content-type"), status: 204, header: refused},
		{name: "preflight for DELETE", verb: "OPTIONS", fields: []string{"Origin", "https://page.example", "Access-Control-Request-Method", "DELETE"}, status: 204, header: refused},
		{name: "call from a page", fields: []string{"Origin", "https://page.example"}, body: bareCall, status: 200, header: plain, reply: emptyReply},
		{name: "call from no origin", fields: []string{"Origin", "null"}, body: bareCall, status: 200, header: plain, reply: emptyReply},
		{name: "error to a page", verb: "GET", fields: []string{"Origin", "https://page.example"}, status: 405, header: map[string]string{"Access-Control-Allow-Origin": ""}, reply: errorReply("null", "-32600", onlyPost)},
		{name: "bad body from a page", fields: []string{"Origin", "https://page.example"}, body: "{", status: 400, header: plain, reply: errorReply("null", "-32700", notJSON)},
		{name: "other route from a page", verb: "GET", path: "/healthz", fields: []string{"Origin", "https://page.example"}, status: 200, header: plain, has: []string{"127.0.0.1"}},
	}
}

func contentCases() []wire {
	no := errorReply("null", "-32600", badType)
	// A body of exactly n bytes.
	sized := func(n int) string {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret","arguments":{"pad":"`, `"}}}`
		return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
	}
	return []wire{
		{name: "type with charset", fields: []string{"Content-Type", "application/json; charset=UTF-8"}, body: bareCall, status: 200, reply: emptyReply},
		{name: "type in capitals", fields: []string{"Content-Type", "Application/JSON"}, body: bareCall, status: 200, reply: emptyReply},
		{name: "no type", fields: []string{"Content-Type", "-"}, body: bareCall, status: 415, reply: no},
		{name: "text", fields: []string{"Content-Type", "text/plain"}, body: bareCall, status: 415, reply: no},
		{name: "form", fields: []string{"Content-Type", "application/x-www-form-urlencoded"}, body: bareCall, status: 415, reply: no},
		{name: "type that only begins well", fields: []string{"Content-Type", "application/json-rpc"}, body: bareCall, status: 415, reply: no},
		{name: "another charset", fields: []string{"Content-Type", "application/json; charset=utf-16"}, body: bareCall, status: 415, reply: no},
		{name: "two types", fields: []string{"Content-Type", "application/json", "Content-Type", "text/plain"}, body: bareCall, status: 415, reply: no},
		{name: "broken type", fields: []string{"Content-Type", "application/json; ="}, body: bareCall, status: 415, reply: no},
		{name: "compressed", fields: []string{"Content-Encoding", "gzip"}, body: bareCall, status: 415, reply: no},
		{name: "accept nothing we have", fields: []string{"Accept", "text/html"}, body: bareCall, status: 200, reply: emptyReply},
		{name: "largest body", body: sized(8192), status: 200, reply: textReply("1", "secret")},
		{name: "body one byte too large", body: sized(8193), status: 413, header: map[string]string{"Connection": "close"}, reply: errorReply("null", "-32600", tooLarge)},
		{name: "body far too large", body: sized(1 << 20), status: 413, header: map[string]string{"Connection": "close"}, reply: errorReply("null", "-32600", tooLarge)},
		{name: "forwarded address", fields: []string{"X-Forwarded-For", "192.0.2.7, 10.1.2.3"}, body: call("who", "{}"), status: 200, has: []string{`"192.0.2.7 `}},
		{name: "forwarded address that was made up", fields: []string{"X-Forwarded-For", "198.51.100.1, 192.0.2.7"}, body: call("who", "{}"), status: 200, has: []string{`"192.0.2.7 `}},
		{name: "forwarded address in two fields", fields: []string{"X-Forwarded-For", "198.51.100.1", "X-Forwarded-For", "192.0.2.7,10.0.0.1"}, body: call("who", "{}"), status: 200, has: []string{`"192.0.2.7 `}},
		{name: "forwarded address of IPv6 with a port", fields: []string{"X-Forwarded-For", "[2001:db8::1]:4711"}, body: call("who", "{}"), status: 200, has: []string{`"2001:db8::1 `}},
		{name: "forwarded nonsense", fields: []string{"X-Forwarded-For", "192.0.2.7, unknown, 10.1.2.3"}, body: call("who", "{}"), status: 200, has: []string{`"10.1.2.3 `}},
	}
}
