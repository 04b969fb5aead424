package bot_test

import "dudo.example/plugins/bot"

// A whole bot: it makes the first legal move, always.
func Example() {
	bot.Serve(bot.Info{Name: "Timid", Version: "1.0"}, func(bot.SeatInfo) bot.Player {
		return bot.DecideFunc(func(v bot.View) bot.Move {
			return v.Legal()[0]
		})
	})
}
