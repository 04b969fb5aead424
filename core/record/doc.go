// Package record is what a table leaves behind: events in one canonical form, the hash chain through them, the receipts that
// the server signs, and the [Log] that keeps them.
//
// Everything is the log. Views, clocks and results are computed from a table's events, the record that a player downloads is
// these lines, and a verifier derives them again. The log is public at every moment: hands stand in it only as commitments until
// their showdown, and the seed only in the last event.
//
// A line is one JSON object of the form of RFC 8785, with integers only. There is one line for one value, so a reader
// compares bytes; it never repairs. [Parse] reads an event, [Event.Encode] writes it, [Head.Next] chains it.
package record
