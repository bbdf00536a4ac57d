package engine

import (
	"context"
	"strconv"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// subscribe handles resources/subscribe, of versions with sessions.
func (r *Request) subscribe() {
	l := r.session.listener()
	if l == nil || !r.session.engine.Subscribes(r.caller) {
		r.refuse()
		return
	}
	uri, err := r.subscribed()
	if err != nil {
		r.fail(err)
		return
	}
	s, known := l.hub.source(r.caller, uri)
	if s == nil {
		r.fail(r.unwatched(uri, known))
		return
	}
	if f := r.mayHear(uri); f != nil {
		r.failIntercepted(f)
		return
	}
	if err := l.subscribe(uri, s); err != nil {
		r.fail(err)
		return
	}
	l.wait(&r.span)
	r.succeed()
}

// subscribed returns the URI of a request to subscribe or unsubscribe.
func (r *Request) subscribed() (string, *rpc.Error) {
	uri, ok := subjectURI(r.Message)
	if !ok {
		return "", rpc.Invalid(`"uri" must be a string, the URI of a resource`)
	}
	if len(uri) > uris.MaxLength {
		return "", rpc.Invalid(`"uri" is longer than ` + strconv.Itoa(uris.MaxLength) + " bytes")
	}
	return uri, nil
}

// unwatched returns the error for a URI that cannot be subscribed to. known means that the caller may read it.
func (r *Request) unwatched(uri string, known bool) *rpc.Error {
	shown := phrase.Clip(uri, rpc.MaxShown)
	if known {
		return rpc.Invalid("resource " + strconv.Quote(shown) + " does not report changes; read it again instead")
	}
	return &rpc.Error{Code: rpc.CodeNoResource, Message: "not_found: there is no resource " + strconv.Quote(shown)}
}

// mayHear asks the interceptors whether the caller may subscribe to a resource.
func (r *Request) mayHear(uri string) *fault.Error {
	e := r.session.engine
	if len(e.Rules.Interceptors) == 0 {
		return nil
	}
	run := &handler.Run{Rules: e.Rules, Offer: &handler.Offer{Kind: handler.Resource, Action: handler.Subscribe, URI: uri}}
	run.ID, run.Caller, run.Log = e.newID(), r.caller, e.Log
	name := uri
	if o, _ := e.resourceAt(r.caller, uri); o != nil {
		run.Contract, run.Offer.Resource, name = o.view, o.resource, o.resource.Name
	}
	err := run.Intercept(&r.span, string(handler.Resource), name, func(context.Context) error { return nil })
	if err == nil {
		return nil
	}
	return fault.From(err)
}

// unsubscribe handles resources/unsubscribe. A subscription that does not exist is no error.
func (r *Request) unsubscribe() {
	l := r.session.listener()
	if l == nil || !r.session.engine.Subscribes(r.caller) {
		r.refuse()
		return
	}
	uri, err := r.subscribed()
	if err != nil {
		r.fail(err)
		return
	}
	l.unsubscribe(uri)
	r.succeed()
}

// subscribeAll is like subscribe, but lets go-sdk serve resources of the program.
func (r *Request) subscribeAll() {
	uri, _ := subjectURI(r.Message)
	if l := r.session.listener(); l != nil && len(uri) <= uris.MaxLength {
		if s, known := l.hub.source(r.caller, uri); s != nil || known {
			r.subscribe()
			return
		}
	}
	if f := r.mayHear(uri); f != nil {
		r.failIntercepted(f)
		return
	}
	r.relay()
}

// unsubscribeAll is like unsubscribe, but lets go-sdk serve resources of the program.
func (r *Request) unsubscribeAll() {
	uri, _ := subjectURI(r.Message)
	if l := r.session.listener(); l != nil && l.unsubscribe(uri) {
		r.succeed()
		return
	}
	r.relay()
}

// listener returns what tells the client of a session about changes, or nil if nothing does.
func (s *Session) listener() *listener {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.told != nil:
		return s.told
	case s.engine.hub == nil || s.out == nil || s.alone || s.ended:
		return nil
	}
	ready := func() bool { return true }
	if out, ok := s.out.(interface{ Connected() bool }); ok {
		ready = out.Connected
	}
	s.told = s.engine.hub.listen(s.caller, func(uri string) error {
		method, params := noteOf(uri, nil)
		return s.Send(message(0, method, params))
	}, ready)
	s.told.open()
	return s.told
}

// hearLists makes the client hear of changes of the list of resources, which clients of versions with sessions do not
// ask for.
func (s *Session) hearLists() {
	if l := s.listener(); l != nil {
		l.hearLists()
	}
}

// Connected is called when the client can receive messages that belong to no request again.
func (s *Session) Connected() {
	s.mu.Lock()
	l := s.told
	s.mu.Unlock()
	if l != nil {
		l.wake()
	}
}
