package tables

// The codes of the lobby's refusals, besides those of the packages play and machine.
const (
	CodeNoTable        = "no_such_table"
	CodeNoToken        = "unknown_token"
	CodeNoBot          = "no_such_bot"
	CodeBotUnavailable = "bot_unavailable"
	CodeNoRules        = "no_such_rules"
	CodeBadSetting     = "bad_setting"
	CodeNeedPlayers    = "need_players"
	CodeTooManyTables  = "too_many_tables"
	CodeTooManyNew     = "too_many_new_tables"
	CodeTooManyWaiters = "too_many_waiters"
	CodeServerFull     = "server_full"
	CodeMovedOn        = "moved_on"
	CodeClosing        = "server_closing"
)

func refuse(code, sentence string) error { return &Refusal{Code: code, Sentence: sentence} }

func noTable() error {
	return refuse(CodeNoTable, "There is no such table, or it is private; call list_tables, or create_table.")
}

func noToken() error {
	return refuse(CodeNoToken, "That token holds no seat now. If its game is over, get_state with table shows how it ended; join_table finds another.")
}

func noRules() error {
	return refuse(CodeNoRules, "There are no such rules here; list_tables names those on offer.")
}
