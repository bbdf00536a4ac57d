//go:build !linux

package stdio

// inputEnded returns false: on this system, only reading detects the end of input.
func inputEnded(any) bool { return false }

// ReaderGone returns false: on this system, only writing detects that the output is not read.
func ReaderGone(any) bool { return false }
