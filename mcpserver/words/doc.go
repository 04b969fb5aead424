// Package words decides which text of strangers goes any further: the names they take, what they say at the table and the
// words that they mix into their dice. Such text ends up in logs, terminals, pages and in what other players' agents read, so
// it is checked once, where it comes in, and afterwards means the same everywhere.
//
// # Names
//
// A name is 1 to 24 ASCII letters, digits, '.', '_' and '-', and begins with a letter or digit. ASCII, because two names that
// look alike are told apart by code points alone otherwise, and the tables of look-alikes over all scripts grow with every
// version of Unicode. What remains alike is folded by [Fold]: a name is unique at a table if its fold is. Words that speak for
// the server, for another program or for nobody are reserved in every spelling that folds to them. The names of house bots
// are the caller's to reserve: they differ from server to server.
//
// # Talk and nonces
//
// Both are letters of any script, numbers, punctuation, symbols and the plain space, with at most two marks on top of each
// other. Refused are controls (line breaks among them), zero-width and bidi characters, tags, variation selectors, fillers that
// show nothing, private use and what Unicode has not assigned. They are refused and not stripped: text that was changed on the
// way no longer is what its author said, and a filter that removes can be made to put together what it was to remove.
//
// Talk is brought into NFC, which changes bytes and no character. A nonce has to be in NFC already, because its bytes are
// hashed and its player compares them.
//
// Every error is a [*machine.Refusal]. Its sentence says what to do instead and repeats nothing of the text.
package words

import "dudo.example/core/machine"

// CodeBadName is the code of a refused name. Refused talk and nonces have play.CodeBadText.
const CodeBadName = "bad_name"

func refuse(code, sentence string) error { return &machine.Refusal{Code: code, Sentence: sentence} }
