//go:build !unix

package sdk

import "os"

// takeStdout returns the real standard output and points os.Stdout at standard
// error, so that a stray print cannot break into the protocol.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}
