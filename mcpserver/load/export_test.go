package load

// DriftOf is the drift of samples, for tests.
func DriftOf(samples []Sample) *Drift { return drift(samples) }
