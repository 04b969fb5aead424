// Command dudo-bot-croupier is croupier as a plugin: an example of a bot in a
// file of its own. Dudo has croupier built in and does not need it.
package main

import "dudo.example/plugins/bots/croupier"

func main() { croupier.Serve() }
