package front_test

import "strings"

const (
	noMethod   = "Unknown method: tools are called by the method tools/call, with a name and arguments."
	noTool     = "Unknown tool: tools/list names the tools."
	badVersion = "Unsupported protocol version: choose one of data.supported."
	nameHeader = "The header Mcp-Name does not agree with the body's params."
	methHeader = "The header Mcp-Method does not agree with the body's method."
	versHeader = "The header MCP-Protocol-Version does not agree with the protocol version in _meta."
)

func initialize(v string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + v + `","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
}

func legacyCases() []wire {
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	has := func(v string) []string {
		return []string{`"protocolVersion":"` + v + `"`, `"instructions":"Say something to echo."`, `"serverInfo":{"name":"test","version":"1.0.0"}`, `"capabilities":{"tools":{}}`}
	}
	cases := []wire{
		{name: "bare call", body: bareCall, status: 200, reply: emptyReply},
		{name: "bare list", body: list, status: 200, has: []string{`"name":"echo"`, `"name":"wait"`}},
		{name: "call without arguments", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret"}}`, status: 200, reply: textReply("1", "secret")},
		{name: "call with arguments null", body: call("secret", "null"), status: 200, reply: textReply("1", "secret")},
		{name: "call with a session of somebody's", fields: []string{"Mcp-Session-Id", "stolen"}, body: call("who", "{}"), status: 200, reply: textReply("1", "127.0.0.1 content-type")},
		{name: "call with a cookie and a key", fields: []string{"Cookie", "a=b", "Authorization", "Bearer x"}, body: call("who", "{}"), status: 200, reply: textReply("1", "127.0.0.1 content-type")},
		{name: "initialize with 2026-07-28", body: initialize(v0728), status: 200, has: has("2025-11-25")},
		{name: "initialize with 2024-11-05", body: initialize("2024-11-05"), status: 200, has: has("2025-11-25")},
		{name: "initialize with nonsense", body: initialize("next"), status: 200, has: has("2025-11-25")},
		{name: "initialize with an old header", fields: version("2024-11-05"), body: initialize("2025-06-18"), status: 200, has: has("2025-06-18")},
		{name: "initialize without params", body: `{"jsonrpc":"2.0","id":1,"method":"initialize"}`, status: 200, has: has("2025-03-26")},
		{name: "initialize with params of other types", body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`, status: 200, reply: errorReply("1", "-32602", "The params do not have the form that this method takes.")},
		{name: "ping", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 200, reply: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "unknown method", body: `{"jsonrpc":"2.0","id":1,"method":"<script>"}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "tool as a method", body: `{"jsonrpc":"2.0","id":1,"method":"echo"}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "resources", body: `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "subscribe", body: `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:b"}}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "log level", body: `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"debug"}}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "discover without its era", body: `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "listen without its era", body: `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{}}}`, status: 200, reply: errorReply("1", "-32601", noMethod)},
		{name: "old era, other method in the header", fields: []string{"Mcp-Method", "tools/list"}, body: bareCall, status: 400, reply: errorReply("1", "-32020", methHeader)},
		{name: "old era, other name in the header", fields: []string{"Mcp-Name", "secret"}, body: bareCall, status: 400, reply: errorReply("1", "-32020", nameHeader)},
		{name: "old era in _meta", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}}`, status: 200, reply: `{"jsonrpc":"2.0","id":1,"result":{}}`},
	}
	for _, v := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		cases = append(
			cases,
			wire{name: "initialize " + v, body: initialize(v), status: 200, has: has(v)},
			wire{name: "initialize with header " + v, fields: version(v), body: initialize(v), status: 200, has: has(v)},
			wire{name: "list " + v, fields: version(v), body: list, status: 200, has: []string{`"name":"echo"`}},
			wire{name: "call " + v, fields: version(v), body: bareCall, status: 200, reply: emptyReply},
			wire{name: "unknown tool " + v, fields: version(v), body: call("<b>", "{}"), status: 200, reply: errorReply("1", "-32602", noTool)},
		)
	}
	return cases
}

func statelessCases() []wire {
	msg := func(method, params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
	}
	callBody := msg("tools/call", meta+`,"name":"echo","arguments":{"q":1}`)
	served := []string{`"resultType":"complete"`, `"io.modelcontextprotocol/serverInfo":{"name":"test","version":"1.0.0"}`}
	no := func(code, text string) string { return errorReply("1", code, text) }
	cases := []wire{
		{
			name: "discover", fields: modern("server/discover"), body: msg("server/discover", meta), status: 200,
			has: append([]string{`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]`, `"ttlMs":60000`, `"cacheScope":"public"`, `"instructions":"Say`}, served...),
		},
		{name: "modern list", fields: modern("tools/list"), body: msg("tools/list", meta), status: 200, has: append([]string{`"ttlMs":60000`, `"cacheScope":"public"`, `"name":"echo"`}, served...)},
		{name: "modern call", fields: modern("tools/call", "Mcp-Name", "echo"), body: callBody, status: 200, has: append([]string{`{\"q\":1}`}, served...)},
		{name: "modern call, name in Base64", fields: modern("tools/call", "Mcp-Name", "=?base64?ZWNobw==?="), body: callBody, status: 200, has: served},
		{name: "modern call, white space around the name", fields: modern("tools/call", "Mcp-Name", "  echo  "), body: callBody, status: 200, has: served},
		{name: "modern call, fields in small letters", fields: []string{"mcp-protocol-version", v0728, "mcp-method", "tools/call", "mcp-name", "echo"}, body: callBody, status: 200, has: served},
		{name: "modern call with a session", fields: modern("tools/call", "Mcp-Name", "echo", "Mcp-Session-Id", "x"), body: callBody, status: 200, has: served},
		{name: "modern call, unknown tool", fields: modern("tools/call", "Mcp-Name", "nope"), body: msg("tools/call", meta+`,"name":"nope"`), status: 400, reply: no("-32602", noTool)},
		{name: "method differs", fields: modern("tools/list", "Mcp-Name", "echo"), body: callBody, status: 400, reply: no("-32020", methHeader)},
		{name: "method in capitals", fields: modern("TOOLS/CALL", "Mcp-Name", "echo"), body: callBody, status: 400, reply: no("-32020", methHeader)},
		{name: "name differs", fields: modern("tools/call", "Mcp-Name", "secret"), body: callBody, status: 400, reply: no("-32020", nameHeader)},
		{name: "name in capitals", fields: modern("tools/call", "Mcp-Name", "ECHO"), body: callBody, status: 400, reply: no("-32020", nameHeader)},
		{name: "name in broken Base64", fields: modern("tools/call", "Mcp-Name", "=?base64?ZWNobw=?="), body: callBody, status: 400, reply: errorReply("null", "-32020", "The header Mcp-Name is not valid Base64.")},
		{name: "no method field", fields: append(version(v0728), "Mcp-Name", "echo"), body: callBody, status: 400, reply: no("-32020", "Protocol version 2026-07-28 needs the header Mcp-Method.")},
		{name: "no name field", fields: modern("tools/call"), body: callBody, status: 400, reply: no("-32020", "This method needs the header Mcp-Name.")},
		{name: "no version field", fields: []string{"Mcp-Method", "tools/call", "Mcp-Name", "echo"}, body: callBody, status: 400, reply: no("-32020", "Protocol version 2026-07-28 needs the header MCP-Protocol-Version.")},
		{name: "no fields at all", body: callBody, status: 400, reply: no("-32020", "Protocol version 2026-07-28 needs the header MCP-Protocol-Version.")},
		{name: "method field twice", fields: modern("tools/call", "Mcp-Method", "tools/list"), body: callBody, status: 400, reply: errorReply("null", "-32020", "The header Mcp-Method was sent more than once.")},
		{name: "version field twice", fields: append(version(v0728), version("2025-11-25")...), body: callBody, status: 400, reply: errorReply("null", "-32020", "The header Mcp-Protocol-Version was sent more than once.")},
		{name: "no _meta", fields: modern("tools/list"), body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, status: 400, reply: no("-32602", "The params need _meta with io.modelcontextprotocol/protocolVersion.")},
		{name: "no version in _meta", fields: modern("tools/list"), body: msg("tools/list", `"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}`), status: 400, reply: no("-32602", "The params need _meta with io.modelcontextprotocol/protocolVersion.")},
		{name: "version in _meta of another type", fields: modern("tools/list"), body: msg("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":20260728}`), status: 400, reply: no("-32602", "The protocol version in _meta must be a string.")},
		{name: "no capabilities in _meta", fields: modern("tools/list"), body: msg("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`), status: 400, reply: no("-32602", "The params need _meta with io.modelcontextprotocol/clientCapabilities, an object.")},
		{name: "capabilities of another type", fields: modern("tools/list"), body: msg("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}`), status: 400, reply: no("-32602", "The params need _meta with io.modelcontextprotocol/clientCapabilities, an object.")},
		{name: "old version in the header, new in _meta", fields: []string{"MCP-Protocol-Version", "2025-11-25"}, body: callBody, status: 400, reply: no("-32020", versHeader)},
		{name: "new version in the header, old in _meta", fields: modern("ping"), body: msg("ping", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`), status: 400, reply: no("-32020", versHeader)},
		{name: "resume", fields: modern("tools/call", "Mcp-Name", "echo", "Last-Event-ID", "7"), body: callBody, status: 400, reply: no("-32020", "Streams cannot be resumed: send the request again without Last-Event-ID.")},
		{name: "modern response", fields: version(v0728), body: `{"jsonrpc":"2.0","id":1,"result":{}}`, status: 400, reply: no("-32600", "This server sends no requests, so it takes no responses.")},
		{name: "modern initialize without _meta", fields: modern("initialize"), body: initialize(v0728), status: 400, reply: no("-32602", "The params need _meta with io.modelcontextprotocol/protocolVersion.")},
	}
	for _, method := range []string{
		"initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "subscriptions/listen",
		"resources/list", "prompts/list", "completion/complete", "tasks/get", "tasks/list", "sampling/createMessage", "unknown/method",
	} {
		cases = append(cases, wire{name: "modern " + method, fields: modern(method), body: msg(method, meta), status: 404, reply: no("-32601", noMethod)})
	}
	return cases
}

func versionCases() []wire {
	unsupported := func(id, v string) string {
		return strings.TrimSuffix(errorReply(id, "-32022", badVersion), "}}") +
			`,"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"],"requested":"` + v + `"}}}`
	}
	inMeta := func(v string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"` + v + `","io.modelcontextprotocol/clientCapabilities":{}}}}`
	}
	cases := []wire{
		{name: "version in _meta alone, unknown", body: inMeta("1999-01-01"), status: 400, reply: unsupported("1", "1999-01-01")},
		{name: "version in the header alone, unknown", fields: version("2025-01-01"), body: bareCall, status: 400, reply: unsupported("1", "2025-01-01")},
		{name: "initialize with a version of the future in the header", fields: version("2099-01-01"), body: initialize("2025-11-25"), status: 400, reply: unsupported("1", "2099-01-01")},
		{name: "header known, _meta unknown", fields: modern("tools/list"), body: inMeta("v999.0.0"), status: 400, reply: errorReply("1", "-32020", versHeader)},
		{name: "notification of an unknown version", fields: version("2099-01-01"), body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 400, reply: unsupported("null", "2099-01-01")},
		{name: "version too long to repeat", fields: version(strings.Repeat("9", 65)), body: bareCall, status: 400, reply: unsupported("1", "")},
		{name: "version with a space inside", fields: version("2025-11-25 2026-07-28"), body: bareCall, status: 400, reply: unsupported("1", "2025-11-25 2026-07-28")},
	}
	for _, v := range []string{"2024-11-05", "2024-10-07", "2025-11-24", "2026-07-29", "2027-01-01", "v999.0.0", "DRAFT-2026"} {
		cases = append(cases, wire{name: "version " + v, fields: append(version(v), "Mcp-Method", "tools/list"), body: inMeta(v), status: 400, reply: unsupported("1", v)})
	}
	return cases
}

func batchCases() []wire {
	req := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	pong := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":{}}` }
	note := `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	of := func(n int, f func(string) string) string {
		var all []string
		for i := range n {
			all = append(all, f(string(rune('1'+i))))
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	no := func(code, text string) string { return errorReply("null", code, text) }
	size := "A batch has 1 to 8 messages."
	late := "Batches belong to protocol version 2025-03-26: send the messages one by one."
	return []wire{
		{name: "batch of one", body: of(1, req), status: 200, reply: of(1, pong)},
		{name: "batch of eight", body: of(8, req), status: 200, reply: of(8, pong)},
		{name: "batch with its header", fields: version("2025-03-26"), body: of(2, req), status: 200, reply: of(2, pong)},
		{name: "batch of nine", body: of(9, req), status: 400, reply: no("-32600", size)},
		{name: "batch of none", body: "[]", status: 400, reply: no("-32600", size)},
		{name: "batch with a notification", body: "[" + note + "," + req(`"a"`) + "]", status: 200, reply: "[" + pong(`"a"`) + "]"},
		{name: "batch of notifications", body: "[" + note + "," + note + "]", status: 202},
		{name: "batch with nonsense", body: "[1," + req("2") + ",{}]", status: 200, reply: "[" + no("-32600", notMessage) + "," + pong("2") + "," + no("-32600", `The member jsonrpc must be "2.0".`) + "]"},
		{name: "batch in a batch", body: "[[" + req("1") + "]]", status: 200, reply: "[" + no("-32600", notMessage) + "]"},
		{name: "batch of calls", body: "[" + bareCall + "," + strings.Replace(call("nope", "{}"), `"id":1`, `"id":2`, 1) + "]", status: 200, reply: "[" + emptyReply + "," + errorReply("2", "-32602", noTool) + "]"},
		{name: "batch with initialize", body: "[" + initialize("2025-03-26") + "]", status: 200, reply: "[" + errorReply("1", "-32600", "Send initialize alone, not in a batch.") + "]"},
		{name: "batch with a modern message", body: `[{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + meta + `}}]`, status: 200, reply: "[" + errorReply("1", "-32020", "Batches belong to protocol version 2025-03-26: send this message alone.") + "]"},
		{name: "batch with a method in the header", fields: []string{"Mcp-Method", "ping"}, body: of(1, req), status: 400, reply: no("-32020", "A batch has no one method: send it without Mcp-Method and Mcp-Name.")},
		{name: "batch of 2025-06-18", fields: version("2025-06-18"), body: of(2, req), status: 400, reply: no("-32600", late)},
		{name: "batch of 2025-11-25", fields: version("2025-11-25"), body: of(2, req), status: 400, reply: no("-32600", late)},
		{name: "batch of 2026-07-28", fields: version(v0728), body: of(2, req), status: 400, reply: no("-32600", late)},
		{name: "batch of an unknown version", fields: version("2099-01-01"), body: of(2, req), status: 400, has: []string{`"id":null,"error":{"code":-32022`, `"requested":"2099-01-01"`}},
	}
}

func notificationCases() []wire {
	note := func(method, params string) string {
		return `{"jsonrpc":"2.0","method":"` + method + `","params":{` + params + `}}`
	}
	return []wire{
		{name: "initialized", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		{name: "initialized 2025-06-18", fields: version("2025-06-18"), body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		{name: "cancelled", body: note("notifications/cancelled", `"requestId":1`), status: 202},
		{name: "cancelled 2026-07-28", fields: modern("notifications/cancelled"), body: note("notifications/cancelled", `"requestId":1`), status: 202},
		{name: "cancelled without Mcp-Method", fields: version(v0728), body: note("notifications/cancelled", `"requestId":1`), status: 202},
		{name: "notification with another Mcp-Method", fields: modern("tools/list"), body: note("notifications/cancelled", `"requestId":1`), status: 400, reply: errorReply("null", "-32020", methHeader)},
		{name: "notification with params as an array", body: `{"jsonrpc":"2.0","method":"notifications/x","params":[1]}`, status: 400, reply: errorReply("null", "-32602", "The params must be an object.")},
		{name: "unknown notification", body: note("notifications/<x>", ``), status: 202},
		{name: "call without an id", body: `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"panic"}}`, status: 202},
		{name: "response", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, status: 202},
		{name: "error response", body: `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"x"}}`, status: 202},
		{name: "response without an id", body: `{"jsonrpc":"2.0","result":{}}`, status: 400, reply: errorReply("null", "-32600", notMessage)},
	}
}

func toolCases() []wire {
	return []wire{
		{name: "refusal", body: call("refuse", "{}"), status: 200, reply: `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"It is not your turn."}],"isError":true}}`},
		{name: "fault of a tool", body: call("fail", "{}"), status: 200, has: []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error, reference `}},
		{name: "panic of a tool", body: call("panic", "{}"), status: 200, has: []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error, reference `}},
		{name: "panic of another route", verb: "GET", path: "/panic", status: 500, has: []string{`{"error":"Internal error, reference `}},
	}
}
