package tools

// Compact is compact, for tests.
var Compact = compact
