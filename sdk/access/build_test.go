//go:build unix

package access_test

import (
	"os"
	"os/exec"
	"testing"
)

// The package can be built for systems that lack Unix system calls.
func TestBuildsForSystemsWithoutSystemCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("make test-all builds for other systems")
	}
	t.Parallel()
	for _, goos := range []string{"wasip1", "js"} {
		cmd := exec.CommandContext(t.Context(), "go", "build", ".")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH=wasm")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", goos, err, out)
		}
	}
}
