//go:build !linux

package stdio

import "io"

// hungUp returns false: on this system only reading detects the end of input.
func hungUp(io.Reader) bool { return false }
