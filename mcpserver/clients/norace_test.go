//go:build !race

package clients_test

// raceDetector says that the tests run without the race detector, and so do the programs.
const raceDetector = false
