package host

// Dir is the host's directory.
func Dir(h *Host) string { return h.dir.path }
