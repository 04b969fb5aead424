// Package tools is what an agent reads and calls: the MCP tools, their texts and schemas, the reading of arguments and the
// writing of results. It knows no rules. What a lobby's rule files say (about, doc, bounds) becomes server instructions,
// descriptions and schemas here, so that words and rules cannot drift apart.
//
// # Tools
//
// Five are always there: list_tables, create_table, join_table, start_game and get_state. Each action of the rule files is one
// more (bid, challenge, spot_on, …). Actions of the same name in several files are one tool with the widest bounds; what a
// table's own rules then say is up to the table. The order is the five, then bid, challenge and spot_on, then others by name,
// whatever files there are.
//
// A dozen games have more options than an agent wants to read before it plays. create_table shows those of the default game and
// those that most games have; the others are accepted in the same way, or in its argument options, and so is the name of a
// preset. list_tables with a game tells all of them, and so does the refusal of an option that the game has not.
//
// The tools are made of a lobby as it is at one moment; when what is on offer has changed they are made anew ([New]). Actions of
// rules that are not on offer, but of a table that is still played at, stay tools until its game is over.
//
// Instructions have at most [MaxText] bytes and a description [MaxDescription], because clients cut or refuse longer ones, and
// begin with what a player cannot do without: the loop and the default rules. An action's description shows a move that a worked
// example of the rule file has proven.
//
// Every tool has a title and all four annotations. None is destructive or open to the world. get_state counts as read-only:
// all that it can write is the caller's own nonce, if it brings one.
//
// # Arguments
//
// Schemas are for the model that fills them in; what arrives is read again here, strictly by name and kindly by form. An
// argument that the tool does not take is refused with the list of those it takes. 2, 2.0 and "2" are the same integer, true
// and "true" the same boolean, and an optional argument that is null or "" is absent. The first thing wrong gives one sentence,
// which repeats nothing of what was sent.
//
// # Results
//
// A result is one block of text with compact JSON. structuredContent stays empty, because some clients show the model only
// that. An error is isError and one plain sentence that says what to do instead; its code is in _meta, for programs. A fault
// is told as "Internal error" with a reference, under which the log has it once.
package tools
