//go:build !unix

package streamable

// mostConns returns how many connections may be open at once.
func mostConns() int { return bound }
