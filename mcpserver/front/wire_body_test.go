package front_test

import "strings"

const (
	notJSON    = "The body is not valid JSON: send one JSON-RPC message."
	notUTF8    = "The body is not valid UTF-8."
	twice      = "An object in the body has the same member twice: names must differ by more than case."
	wrongCase  = "A member's name has the wrong case: protocol members are written as in the specification."
	notMessage = "A message is a JSON object with jsonrpc, id, method and params."
	badID      = "The id must be a string or an integer."
	tooDeep    = "The body is nested too deeply: at most 16 levels."
	hasNUL     = "A string in the body has a NUL character."
	loneHalf   = "A string in the body has half of a surrogate pair."
)

func memberCases() []wire {
	no := func(code, text string) string { return errorReply("null", code, text) }
	withID := func(code, text string) string { return errorReply("1", code, text) }
	msg := func(members string) string { return `{"jsonrpc":"2.0","id":1,` + members + `}` }
	deep := func(n int) string { // n levels of arrays below three objects
		return call("echo", `{"a":`+strings.Repeat("[", n)+strings.Repeat("]", n)+`}`)
	}
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(`,"` + strings.Repeat("a", i+1) + `":1`)
		}
		return call("secret", "{"+b.String()[1:]+"}")
	}
	return []wire{
		{name: "empty body", status: 400, reply: no("-32700", notJSON)},
		{name: "half a body", body: bareCall[:40], status: 400, reply: no("-32700", notJSON)},
		{name: "two messages in a row", body: bareCall + bareCall, status: 400, reply: no("-32700", notJSON)},
		{name: "byte order mark", body: "\ufeff" + bareCall, status: 400, reply: no("-32700", notJSON)},
		{name: "comment", body: "/**/" + bareCall, status: 400, reply: no("-32700", notJSON)},
		{name: "trailing comma", body: `{"jsonrpc":"2.0",}`, status: 400, reply: no("-32700", notJSON)},
		{name: "invalid UTF-8", body: call("echo", "{\"a\":\"\xff\"}"), status: 400, reply: no("-32700", notUTF8)},
		{name: "surrogates as UTF-8", body: call("echo", "{\"a\":\"\xed\xa0\x80\"}"), status: 400, reply: no("-32700", notUTF8)},
		{name: "lone surrogate", body: call("echo", `{"a":"\ud800"}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "surrogates the wrong way round", body: call("echo", `{"a":"\udc00\ud800"}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "lone low surrogate", body: call("echo", `{"a":"x\udc00y"}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "high surrogate before another escape", body: call("echo", `{"a":"\ud83c\n"}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "two high surrogates", body: call("echo", `{"a":"\ud83c\ud83c\udfb2"}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "lone surrogate in a name", body: call("echo", `{"\udfb2":1}`), status: 400, reply: no("-32700", loneHalf)},
		{name: "surrogate pair", body: call("echo", `{"a":"\ud83c\udfb2"}`), status: 200, reply: textReply("1", `{"a":"🎲"}`)},
		{name: "escaped NUL", body: call("echo", `{"a":"x\u0000"}`), status: 400, reply: no("-32600", hasNUL)},
		{name: "raw NUL", body: call("echo", "{\"a\":\"x\x00\"}"), status: 400, reply: no("-32700", notJSON)},
		{name: "null", body: `null`, status: 400, reply: no("-32600", notMessage)},
		{name: "number", body: `7`, status: 400, reply: no("-32600", notMessage)},
		{name: "string", body: `"tools/list"`, status: 400, reply: no("-32600", notMessage)},
		{name: "empty object", body: `{}`, status: 400, reply: no("-32600", `The member jsonrpc must be "2.0".`)},
		{name: "no jsonrpc", body: `{"id":1,"method":"ping"}`, status: 400, reply: withID("-32600", `The member jsonrpc must be "2.0".`)},
		{name: "jsonrpc 1.0", body: `{"jsonrpc":"1.0","id":1,"method":"ping"}`, status: 400, reply: withID("-32600", `The member jsonrpc must be "2.0".`)},
		{name: "jsonrpc as a number", body: `{"jsonrpc":2.0,"id":1,"method":"ping"}`, status: 400, reply: withID("-32600", `The member jsonrpc must be "2.0".`)},
		{name: "no method", body: `{"jsonrpc":"2.0","id":1}`, status: 400, reply: withID("-32600", notMessage)},
		{name: "method and result", body: msg(`"method":"ping","result":{}`), status: 400, reply: withID("-32600", notMessage)},
		{name: "method of another type", body: msg(`"method":7`), status: 400, reply: withID("-32600", "The method must be a string.")},
		{name: "method null", body: msg(`"method":null`), status: 400, reply: withID("-32600", "The method must be a string.")},
		{name: "params as an array", body: msg(`"method":"tools/call","params":["echo"]`), status: 200, reply: withID("-32602", "The params must be an object.")},
		{name: "params null", body: msg(`"method":"ping","params":null`), status: 200, reply: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "arguments as an array", body: call("echo", `[1]`), status: 200, reply: withID("-32602", "The arguments must be an object.")},
		{name: "arguments as text", body: call("echo", `"{}"`), status: 200, reply: withID("-32602", "The arguments must be an object.")},
		{name: "modern arguments as text", fields: modern("tools/call", "Mcp-Name", "echo"), body: call("echo", `"{}"`), status: 400, reply: withID("-32602", "The arguments must be an object.")},
		{name: "name of another type", body: msg(`"method":"tools/call","params":{"name":["echo"]}`), status: 200, reply: withID("-32602", "The name in params must be a string.")},
		{name: "name null", body: msg(`"method":"tools/call","params":{"name":null}`), status: 200, reply: withID("-32602", "The name in params must be a string.")},
		{name: "_meta of another type", body: msg(`"method":"tools/call","params":{"name":"echo","_meta":[]}`), status: 200, reply: withID("-32602", "The member _meta of params must be an object.")},
		{name: "same member twice", body: msg(`"method":"tools/list","method":"tools/call"`), status: 400, reply: no("-32600", twice)},
		{name: "same name twice", body: msg(`"method":"tools/call","params":{"name":"echo","name":"secret"}`), status: 400, reply: no("-32600", twice)},
		{name: "same name twice, once escaped", body: msg(`"method":"tools/call","params":{"name":"echo","n\u0061me":"secret"}`), status: 400, reply: no("-32600", twice)},
		{name: "member twice but for case", body: msg(`"method":"tools/list","Method":"tools/call"`), status: 400, reply: no("-32600", twice)},
		{name: "member twice but for a long s", body: msg(`"params":{"name":"echo"},"paramſ":{"name":"secret"},"method":"tools/call"`), status: 400, reply: no("-32600", twice)},
		{name: "member twice but for a Kelvin sign", body: call("echo", `{"k":1,"K":2}`), status: 400, reply: no("-32600", twice)},
		{name: "argument twice but for case", body: call("echo", `{"face":1,"Face":2}`), status: 400, reply: no("-32600", twice)},
		{name: "member twice, far down", body: call("echo", `{"a":[{"b":{"c":1,"C":2}}]}`), status: 400, reply: no("-32600", twice)},
		{name: "member in other letters", body: msg(`"Method":"tools/list"`), status: 400, reply: withID("-32600", wrongCase)},
		{name: "params with a long s alone", body: msg(`"method":"tools/call","paramſ":{"name":"secret"}`), status: 400, reply: withID("-32600", wrongCase)},
		{name: "name in other letters", body: msg(`"method":"tools/call","params":{"Name":"secret"}`), status: 400, reply: withID("-32600", wrongCase)},
		{name: "arguments in other letters", body: msg(`"method":"tools/call","params":{"name":"echo","argumentſ":{}}`), status: 400, reply: withID("-32600", wrongCase)},
		{name: "escaped member", body: msg(`"m\u0065thod":"tools\/call","params":{"n\u0061me":"\u0065cho","arguments":{"q":1}}`), status: 200, reply: textReply("1", `{"q":1}`)},
		{name: "unknown member", body: msg(`"method":"ping","traceparent":"x"`), status: 200, reply: `{"jsonrpc":"2.0","id":1,"result":{}}`},
		{name: "deepest", body: deep(13), status: 200, has: []string{`[[[[[[[[[[[[[]]]]]]]]]]]]]`}},
		{name: "too deep", body: deep(14), status: 400, reply: no("-32600", tooDeep)},
		{name: "far too deep", body: deep(3000), status: 400, reply: no("-32600", tooDeep)},
		{name: "most members", body: many(64), status: 200, reply: textReply("1", "secret")},
		{name: "too many members", body: many(65), status: 400, reply: no("-32600", "An object in the body has too many members: at most 64.")},
		{name: "number beyond floating point", body: call("echo", `{"a":1e999}`), status: 400, reply: no("-32600", "A number in the body is too large.")},
		{name: "numbers as they were", body: call("echo", `{"a": 2.0, "b":-0, "c":12345678901234567890, "d":1E2 ,"e":0.10}`), status: 200, reply: textReply("1", `{"a":2.0,"b":-0,"c":12345678901234567890,"d":1E2,"e":0.10}`)},
		{name: "text as it was", body: call("echo", `{"say":"a \"b\" <c> & \u00e9 \n/\/"}`), status: 200, has: []string{`\"say\":\"a \\\"b\\\" \u003cc\u003e \u0026 é \\u000a//\"`}},
	}
}

func idCases() []wire {
	ping := func(id string) string { return `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` }
	var cases []wire
	for _, id := range []string{`0`, `-1`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"a"`, `"1"`, `"é<>&"`, `"{\"id\":2}"`} {
		cases = append(cases, wire{name: "id " + id, body: ping(id), status: 200, reply: `{"jsonrpc":"2.0","id":` + id + `,"result":{}}`})
	}
	for _, id := range []string{`null`, `true`, `1.5`, `1.0`, `1e3`, `[]`, `[1]`, `{}`, `{"a":1}`} {
		cases = append(cases, wire{name: "id " + id, body: ping(id), status: 400, reply: errorReply("null", "-32600", badID)})
	}
	return append(
		cases,
		wire{name: "id in an error", body: `{"jsonrpc":"2.0","id":"x-7","method":"nope"}`, status: 200, reply: errorReply(`"x-7"`, "-32601", noMethod)},
		wire{name: "id in other letters", body: `{"jsonrpc":"2.0","ID":1,"method":"tools/list"}`, status: 400, reply: errorReply("null", "-32600", wrongCase)},
	)
}
