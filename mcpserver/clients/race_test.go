//go:build race

package clients_test

// raceDetector says that the tests run with the race detector, so the programs do as well.
const raceDetector = true
