package engine

import (
	"slices"

	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// checkScopes refuses a request whose caller lacks scopes that it needs. The error has all of them.
func (r *Request) checkScopes() *rpc.Error {
	if r.caller.Lacking != handler.Refuses {
		return nil
	}
	e := r.session.engine
	if r.Contract != nil {
		return lacksScopes(e.Trust.Needs(r.caller, r.Contract))
	}
	var uris, needs []string
	switch r.method.name {
	case rpc.MethodSubscribe:
		uri, _ := subjectURI(r.Message)
		uris = []string{uri}
	case rpc.MethodListen:
		wanted, _ := r.filter() // the handler of the method reports an error
		uris = wanted.URIs
	}
	for _, uri := range uris {
		if o, _ := e.resourceAt(r.caller, uri); o != nil {
			needs = append(needs, e.Trust.Needs(r.caller, o.view)...)
		}
	}
	slices.Sort(needs)
	return lacksScopes(slices.Compact(needs))
}

func lacksScopes(needs []string) *rpc.Error {
	if len(needs) == 0 {
		return nil
	}
	return rpc.LacksScopes(needs)
}
