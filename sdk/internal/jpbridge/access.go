package jpbridge

import (
	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// policy returns what a host grants, in the words of [access]; nil for nil.
func policy(w *wire.AccessPolicy) *access.Policy {
	if w == nil {
		return nil
	}
	p := new(access.Policy)
	for _, r := range w.FS {
		p.FS = append(p.FS, access.FSRule{
			Path: r.LexicalPath, External: r.External, Target: orZero(r.ApprovedTarget),
			Read: orZero(r.Read), Execute: orZero(r.Execute),
			Write: orZero(r.Write), Create: r.Create, Update: r.Update, Delete: r.Delete,
		})
	}
	for _, r := range w.Net {
		p.Net = append(p.Net, access.NetRule{
			Host: r.Host, Scheme: orZero(r.Scheme), Port: r.Port, PathPrefix: orZero(r.PathPrefix), Allow: r.Allow,
		})
	}
	for _, r := range w.Env {
		p.Env = append(p.Env, access.EnvRule{Name: r.Name, Read: r.Read})
	}
	return p
}

func orZero[T any](p *T) (zero T) {
	if p == nil {
		return zero
	}
	return *p
}
