package engine

import (
	"cmp"
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Describer is an [Out] that describes its transport to the observer of the server. Other transports are pipes.
type Describer interface {
	Describe(*handler.Request)
}

// A sighting is a message as the observer sees it, with the event of each moment.
type sighting struct {
	handler.Request
	event handler.Event
}

// emit reports an event, and returns the context that it has then.
func (s *sighting) emit(o handler.Observer, at handler.Moment, ctx context.Context, err error) context.Context {
	s.event = handler.Event{Moment: at, Request: &s.Request, Context: ctx, Err: err}
	o(&s.event)
	s.Meta, s.Header = nil, nil
	return s.event.Context
}

// describe returns a message as the observer sees it.
func describe(m *rpc.Message, out Out, version string) *sighting {
	seen := &sighting{Request: handler.Request{
		Method: m.Method, ID: string(m.ID), Version: version, Continues: m.State != nil, Network: "pipe", Meta: m.Meta,
	}}
	if text, ok := rpc.Unquote(m.ID); ok {
		seen.ID = string(text)
	}
	if uri, ok := rpc.Unquote(m.URI); ok {
		seen.URI = string(uri)
	}
	if d, ok := out.(Describer); ok {
		d.Describe(&seen.Request)
	}
	return seen
}

// received reports the request to the observer, which must not be nil. The observer may replace the context.
func (r *Request) received() {
	r.seen = describe(r.Message, r.out, cmp.Or(r.Version, r.session.Version()))
	r.seen.Kind = handler.Kind(r.method.kind)
	if r.Contract != nil {
		r.seen.Name = r.Contract.Name
	}
	r.span.parent = r.seen.emit(r.session.engine.Rules.Observer, handler.Received, r.span.parent, nil)
}

// replied reports the end of the request to the observer, if there is one.
func (r *Request) replied(err error) {
	if r.seen != nil {
		r.seen.emit(r.session.engine.Rules.Observer, handler.Replied, r.span.parent, err)
	}
}

// observeNotification handles a notification, and reports it to the observer, if there is one.
func (s *Session) observeNotification(ctx context.Context, m *rpc.Message, out Out) {
	observer := s.engine.Rules.Observer
	if observer == nil {
		s.handleNotification(m)
		return
	}
	version := s.Version()
	if own := m.Version(); wires.Speaks(own) {
		version = own
	}
	seen := describe(m, out, version)
	ctx = seen.emit(observer, handler.Received, ctx, nil)
	s.handleNotification(m)
	seen.emit(observer, handler.Replied, ctx, nil)
}

// errFailed stands for a failure that only the result of go-sdk describes.
var errFailed = fault.New(fault.Internal, "the tool failed")

// outcome returns the failure that an answer reports, a question that it asks, or nil.
func outcome(a *rpc.Answer) error {
	if a.Error != nil {
		return a.Error
	}
	switch result := a.Result.(type) {
	case *wires.Outcome:
		if pending, asks := result.Err.(*question.Pending); asks {
			return pending
		}
		if f := fault.From(result.Err); f != nil {
			return f
		}
	case rpc.JSON:
		if string(rawjson.Get(jsontext.Value(result), "isError")) == "true" {
			return errFailed
		}
	}
	return nil
}
