//go:build race

package rules_test

// raceEnabled says whether the tests run with the race detector.
const raceEnabled = true
