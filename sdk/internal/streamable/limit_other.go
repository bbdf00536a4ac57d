//go:build !unix

package streamable

// maxConns returns how many connections may be open at the same time.
func maxConns() int { return bound }
