package front_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// net/http lets a connection that it closes early linger for 500 ms.
		goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}
