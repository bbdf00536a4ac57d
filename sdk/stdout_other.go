//go:build !unix

package sdk

import "os"

// takeStdout returns the real standard output and redirects os.Stdout to standard error.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
