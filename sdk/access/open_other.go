//go:build !unix

package access

const openWithoutWaiting = 0
