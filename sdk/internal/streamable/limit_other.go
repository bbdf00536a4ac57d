//go:build !unix

package streamable

// mostConns returns how many connections are open at once.
func mostConns() int { return bound }
