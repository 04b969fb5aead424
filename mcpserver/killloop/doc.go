// Package killloop holds the test that kills a server again and again, by SIGKILL at random moments, while eight players play
// over HTTP. It has no code besides.
//
// After each kill the server is started again on what it left, and every receipt that a player was ever given must be of the
// log as it is now: no answered event is lost or changed. Every move carries words of its own as talk, so that each can be found
// in the record: an answered move is there once, where its answer said; a move whose answer never came is there once or not at
// all. Every seat that was taken is kept, and every game goes on to its end and verifies with all its receipts.
//
//	go test ./mcpserver/killloop                    a few kills, in half a minute
//	go test ./mcpserver/killloop -killloop 200 -v   two hundred, in some minutes; -v prints what happened
package killloop
