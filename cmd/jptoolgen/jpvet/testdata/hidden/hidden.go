// Package hidden changes things behind interfaces.
package hidden

import (
	"context"
	"io"
	"os"
	"strings"
)

// Files is a store.
type Files interface {
	Look(name string) error
	Forget(name string) error
}

type disk struct{}

func (*disk) Look(name string) error   { _, err := os.Stat(name); return err }
func (*disk) Forget(name string) error { return os.Remove(name) } // want `JP715: os.Remove has a side effect, but tool look declares readonly=true`

// Known is a store in memory.
type Known interface {
	Delete(name string)
}

type memory map[string]bool

func (m memory) Delete(name string) { delete(m, name) }

// Remote is implemented elsewhere.
type Remote interface {
	Delete(name string) error
	Deleted(name string) error
	Fetch(name string) error
}

// Server is the server of this package.
//
//jp:server clients=mcp
type Server struct {
	files  Files
	known  Known
	remote Remote
	local  interface{ Remove(string) error }
	out    io.Writer
}

// Look reads files.
//
//jp:tool readonly=true
func (s *Server) Look(_ context.Context) error {
	s.known.Delete("x")
	_ = s.remote.Fetch("x")
	_ = s.remote.Deleted("x")
	_, _ = io.Copy(s.out, strings.NewReader("x"))
	_ = s.files.Look("x")
	_ = s.files.Forget("x")
	_ = s.remote.Delete("x") // want `JP715: Remote.Delete has a side effect, but tool look declares readonly=true`
	_ = s.local.Remove("x")  // want `JP715: interface.Remove has a side effect, but tool look declares readonly=true`
	return nil
}

// Change may change things.
//
//jp:tool
func (s *Server) Change(_ context.Context) error {
	_ = s.remote.Delete("x")
	_ = s.files.Forget("x")
	return nil
}
