//go:build !unix

package files

// nonblock is nothing where opening a file waits for nobody.
const nonblock = 0
