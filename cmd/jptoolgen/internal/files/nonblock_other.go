//go:build !unix

package files

// nonblock is zero because opening a file does not block on these systems.
const nonblock = 0
