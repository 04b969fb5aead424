// Package nodejs has a bot that is not written in Go, to be read and copied: the file
// dudo-bot-plain. The Go side of this package is only its test.
package nodejs
