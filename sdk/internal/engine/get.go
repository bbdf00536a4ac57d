package engine

import (
	"strconv"

	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// get handles resources/read and prompts/get.
func (r *Request) get() {
	if err := r.invalid(); err != nil {
		r.fail(err)
		return
	}
	if r.Contract == nil {
		r.fail(r.Failure(r.missing()))
		return
	}
	r.serve()
}

// invalid returns an error for params that name neither a resource nor a prompt.
func (r *Request) invalid() *rpc.Error {
	if r.Message.Method == rpc.MethodPrompt {
		if r.Message.Name == nil {
			return rpc.Invalid(`"name" must be a string, the name of a prompt`)
		}
		return nil
	}
	uri, isString := rpc.Unquote(r.Message.URI)
	switch {
	case !isString:
		return rpc.Invalid(`"uri" must be a string, the URI of a resource`)
	case len(uri) > uris.MaxLength:
		return rpc.Invalid(`"uri" is longer than ` + strconv.Itoa(uris.MaxLength) + " bytes")
	}
	return nil
}

// missing returns the fault for a resource or prompt that does not exist, or that the caller may not see.
func (r *Request) missing() *fault.Error {
	if r.Offer.Kind == handler.Resource {
		return fault.New(fault.NotFound, "there is no resource %.200q", r.Offer.URI)
	}
	e := r.session.engine
	return e.offered().unknownPrompt(e.Trust, r.caller, string(r.Message.Name))
}
