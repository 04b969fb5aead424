//go:build !unix

package bot

// killGroup does nothing where there are no process groups.
func killGroup(int) {}

// ignoreSignals does nothing where a parent's signals do not reach a child.
func ignoreSignals() {}
