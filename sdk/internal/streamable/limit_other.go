//go:build !unix

package streamable

// maxConns returns how many connections may be open at once.
func maxConns() int { return bound }
