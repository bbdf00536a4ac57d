package sdk

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/internal/seal"
	"github.com/jptool/jptool/sdk/internal/trust"
)

// An origin tells where callers come from.
type origin bool

const (
	local   origin = false // the caller started the server
	network origin = true  // anyone who can reach the address may call
)

// policy returns the policy for callers from the given origin.
func (s *Server) policy(o Options, from origin) (*trust.Policy, error) {
	p := &trust.Policy{
		Server: s.Name(), Trusted: from == local || o.TrustHTTP,
		HideErrors: o.ErrorText == HideErrorText || o.ErrorText == AutoErrorText && from == network,
		Options:    o.ToolOptions, Pins: o.ToolPins, Timeout: o.CallTimeout, MaxRounds: o.MaxRounds,
		Interceptors: s.interceptors,
	}
	keys, err := o.keys()
	switch {
	case err != nil:
		return nil, err
	case keys != nil:
		p.Cursors = func() *seal.Ring { return keys }
	case !p.Trusted:
		p.Cursors = sync.OnceValue(seal.NewRing)
	default:
		// The caller could start the program itself, so it could learn any key. The next process
		// of the program must be able to open the cursors of this one.
		p.Cursors = sync.OnceValue(func() *seal.Ring {
			sum, err := s.contract.Sum()
			if err != nil {
				return seal.NewRing() // its cursors are valid in this process only
			}
			return seal.RingOf(sum.Contract)
		})
	}
	if from == network && o.JP != "" && !o.TrustHTTP {
		return nil, fmt.Errorf("--jp over HTTP needs --http-trust-caller: JP's protocol lets a caller choose the root, the options and the answers of a call")
	}
	if o.Root == "" {
		// If the working directory is not suitable for files, tools that need a directory report
		// it.
		p.Root, _ = access.WorkingDir()
		return p, nil
	}
	root, err := filepath.Abs(o.Root)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, fmt.Errorf("--root %q: %w", o.Root, err)
	}
	p.Root, p.Fence = root, true
	return p, nil
}
