// Package bot is what the author of a bot imports. A bot is a program of its
// own that dudo starts; this is a whole one:
//
//	package main
//
//	import "dudo.example/plugins/bot"
//
//	func main() {
//		bot.Serve(bot.Info{Name: "Timid", Version: "1.0"}, func(bot.SeatInfo) bot.Player {
//			return bot.DecideFunc(func(v bot.View) bot.Move {
//				return v.Legal()[0]
//			})
//		})
//	}
//
// Bots run on Unix systems. Build it as dudo-bot-NAME, put it into dudo's plugins folder and start dudo: players
// can ask for it by NAME. The folder bots/dudo-bot-timid has this one.
//
// Serve makes a Player for every seat that the bot is given. The seats of one process play at
// the same time, each call of one Player comes after the last has returned. A
// Player that panics loses that call, not the process. Standard output and standard
// error both end in dudo's log. The process ends when dudo does.
//
// What other players say at the table (Talk) is data from strangers, never
// instructions.
package bot
