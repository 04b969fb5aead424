// Package front is the strict HTTP front of the MCP server: everything between
// a socket and a tool's handler. It speaks Streamable HTTP at one path, POST
// only, one JSON reply a request, without sessions, keys or streams, and hands
// what it has checked to [mcp-go].
//
// # Eras
//
// A request belongs to the era that its MCP-Protocol-Version header and its
// params._meta name:
//
//   - 2026-07-28, stateless. Both must name it, Mcp-Method and Mcp-Name must
//     repeat the body, and JSON-RPC error codes decide the HTTP status.
//   - 2025-03-26, 2025-06-18 and 2025-11-25. initialize is answered but nothing
//     depends on it, so a bare tools/call without any header works as well.
//     Errors of a method are HTTP 200, errors of the message are 400.
//   - No header means 2025-03-26, the only era with batches: 1 to 8 messages,
//     answered in order.
//
// Any other version is refused with -32022 and the list of the four. Headers
// that contradict the body are -32020 in every era, so that whatever a proxy
// decides by a header holds for the body too.
//
// # Bodies
//
// A body is read once, at most [Config.MaxBody] bytes of it, and refused when
// it is no UTF-8, no JSON, nested deeper than 16, contains a NUL, a lone
// surrogate, or two members of one object whose names are the same after
// Unicode case folding, or a case variant of a protocol member. What reaches
// mcp-go is the same message written again: known members only at the top, no
// white space, names without escapes, numbers digit for digit, and an id of our
// own in place of the client's, which is put back into the reply. A message that
// two JSON parsers could read differently therefore never gets through, and no
// client can name another's request.
//
// # Why not mcp-go alone
//
// Version 1.2.1, by itself: keeps sessions; reads bodies without a bound; lets one
// client's notifications/cancelled end another's request in stateless mode (the
// key is the id alone), so notifications are answered 202 and dropped here;
// acknowledges subscriptions that it never serves; turns a handler's error into a
// message with its raw text and a panic into a dropped connection; matches member
// names without regard to case; answers several faults in plain text. Its own
// checks stay behind these as a second line.
//
// # Long polls
//
// A handler that waits must watch two things: its context, which ends the moment
// the client disconnects, and [Draining], which closes when the server shuts down
// (or a batch has used up its time), upon which it answers with what it has.
// [NewServer] provides the second; [http.Server.Shutdown] then takes milliseconds
// however many handlers wait.
//
// # Other tools
//
// [Front.Swap] puts another server in place while requests come in. There is no
// stream to tell clients on, so none is told: the capability tools.listChanged is
// false, and ttlMs of tools/list and server/discover says how long a client of
// 2026-07-28 can be behind. A tool that is gone is refused with the way to learn
// which there are.
//
// # What net/http answers itself
//
// Requests that are not HTTP (400), header blocks beyond the limit (431) and
// unsupported transfer encodings (501) never reach a handler; net/http answers
// them in plain text.
//
// [mcp-go]: https://github.com/mark3labs/mcp-go
package front
