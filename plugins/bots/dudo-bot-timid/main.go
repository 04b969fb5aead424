// Command dudo-bot-timid is the least bot there is, to be copied: it makes the first
// legal move, always. Build it into the plugins folder:
//
//	go build -o plugins-folder/ ./plugins/bots/dudo-bot-timid
package main

import "dudo.example/plugins/bot"

func main() {
	bot.Serve(bot.Info{Name: "Timid", Version: "1.0"}, func(bot.SeatInfo) bot.Player {
		return bot.DecideFunc(func(v bot.View) bot.Move {
			return v.Legal()[0]
		})
	})
}
