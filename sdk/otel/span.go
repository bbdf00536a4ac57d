package otel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/operation"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// An op is a request, or a call in the same process, that is observed.
type op struct {
	request *handler.Request // nil for a call in the same process
	key     operation.Key
	began   time.Time
	late    bool // the span is not in the context of the request

	mu    sync.Mutex
	span  trace.Span    // nil until it is known to which trace it belongs
	set   *attributeSet // of the key with which the span began; nil without a span
	links []trace.Link  // of the span that begins later
	run   *handler.Run  // nil until it begins
	ran   error         // the outcome of the run
}

type opKey struct{}

func opOf(ctx context.Context) *op {
	o, _ := ctx.Value(opKey{}).(*op)
	return o
}

const longest = 1024 // the maximum length of a value that a client chooses

// received begins the span of a request. If the request continues a call whose client sends no trace, the span
// begins with the run, which knows the trace of the earlier rounds.
func (t *telemetry) received(e *handler.Event) {
	o := &op{request: e.Request, key: t.names.Begin(e.Request), began: time.Now()}
	ctx, sent := t.parent(e, o)
	ctx = context.WithValue(ctx, opKey{}, o)
	if o.late = !sent && e.Request.Continues; !o.late {
		ctx = t.begin(ctx, o)
	}
	e.Context = ctx
}

// parent returns the context with the parent of the span of a request, and whether the client sent the parent.
func (t *telemetry) parent(e *handler.Event, o *op) (_ context.Context, sent bool) {
	ctx := e.Context
	around := trace.SpanContextFromContext(ctx)
	if t.fields.inHeader(e.Request.Header) {
		outer := context.Background()
		if !around.IsValid() {
			outer = ctx
		}
		own := t.propagator.Extract(outer, propagation.HeaderCarrier(e.Request.Header))
		if sent = trace.SpanContextFromContext(own).IsValid(); !around.IsValid() {
			ctx, around = own, trace.SpanContextFromContext(own)
		}
	}
	own := t.fields.inMeta(e.Request.Meta)
	if own == nil {
		return ctx, sent
	}
	ctx = t.propagator.Extract(ctx, own)
	if parent := trace.SpanContextFromContext(ctx); !parent.Equal(around) {
		if sent = true; around.IsValid() {
			o.links = append(o.links, trace.Link{SpanContext: around})
		}
	}
	return ctx, sent
}

// begin begins the span of a request.
func (t *telemetry) begin(ctx context.Context, o *op) context.Context {
	if t.tracer == nil {
		return ctx
	}
	set, s := t.attributes(o.key), starts.Get().(*start)
	defer s.free()
	s.list = appendDetails(append(s.list, set.list...), o.request)
	s.options = append(s.options, isServer, trace.WithAttributes(s.list...))
	if o.links != nil {
		s.options = append(s.options, trace.WithLinks(o.links...))
	}
	if o.request.Continues {
		s.options = append(s.options, trace.WithTimestamp(o.began))
	}
	ctx, span := t.tracer.Start(ctx, set.name, s.options...)
	o.mu.Lock()
	o.span, o.set = span, set
	o.mu.Unlock()
	return ctx
}

var isServer = trace.WithSpanKind(trace.SpanKindServer)

// A start is what a span begins with. OpenTelemetry copies it.
type start struct {
	list    []attribute.KeyValue
	options []trace.SpanStartOption
}

var starts = sync.Pool{New: func() any { return new(start) }}

func (s *start) free() {
	clear(s.list)
	clear(s.options)
	s.list, s.options = s.list[:0], s.options[:0]
	starts.Put(s)
}

// appendDetails appends the attributes of a request that only its span has.
func appendDetails(list []attribute.KeyValue, r *handler.Request) []attribute.KeyValue {
	add := func(key, value string) {
		if value != "" {
			list = append(list, attribute.String(key, phrase.Clip(value, longest)))
		}
	}
	add(operation.KeyID, r.ID)
	add(operation.KeyURI, r.URI)
	if r.Session != "" { // whoever has the id itself can use the session
		digest := sha256.Sum256([]byte(r.Session))
		add(operation.KeySession, hex.EncodeToString(digest[:8]))
	}
	if host, port, err := net.SplitHostPort(r.Peer); err == nil {
		add(operation.KeyClient, host)
		if n, err := strconv.Atoi(port); err == nil {
			list = append(list, attribute.Int(operation.KeyClientPort, n))
		}
	}
	return list
}

// began begins the span of a run without a request, or of a request that continues an earlier one.
func (t *telemetry) began(e *handler.Event) {
	o := opOf(e.Context)
	if o == nil || !o.owns(e.Run) {
		t.beganAlone(e)
		return
	}
	first := spanContextOf(e.Run.Trace)
	if o.request.Kind == handler.Prompt { // its name is known only if the contract has it
		o.mu.Lock()
		o.key.Prompt = e.Run.Tool()
		o.mu.Unlock()
		if span := o.current(); span != nil {
			span.SetName(o.key.Method + " " + o.key.Prompt)
			span.SetAttributes(attribute.String(operation.KeyPrompt, o.key.Prompt))
		}
	}
	if span := o.current(); span == nil {
		if first.IsValid() {
			if around := trace.SpanContextFromContext(e.Context); around.IsValid() {
				o.links = append(o.links, trace.Link{SpanContext: around})
			}
			e.Context = trace.ContextWithRemoteSpanContext(e.Context, first)
		}
		e.Context = t.begin(e.Context, o)
	} else if first.IsValid() && first.TraceID() != span.SpanContext().TraceID() {
		span.AddLink(trace.Link{SpanContext: first})
	}
}

// owns reports whether a run is that of the request, and not of a call that its handler makes in the same process.
func (o *op) owns(r *handler.Run) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.run == nil {
		o.run = r
	}
	return o.run == r
}

func (o *op) current() trace.Span {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.span
}

// beganAlone begins the span of a run that is not a request: of a call in the same process, or of a command that runs
// one tool. The environment of the process may contain its parent.
func (t *telemetry) beganAlone(e *handler.Event) {
	if t.tracer == nil {
		return
	}
	o, ctx := &op{run: e.Run, began: time.Now()}, e.Context
	if !trace.SpanContextFromContext(ctx).IsValid() {
		ctx = t.propagator.Extract(ctx, environment{})
	}
	ctx = context.WithValue(ctx, opKey{}, o)
	ctx, o.span = t.tracer.Start(ctx, operation.ExecuteTool+" "+e.Run.Tool(), trace.WithAttributes(
		attribute.String(operation.KeyOperation, operation.ExecuteTool), attribute.String(operation.KeyTool, e.Run.Tool()),
	))
	e.Context = ctx
}

// An environment reads the context of a trace from the environment of the process, where the names of variables are
// those of the headers in upper case.
type environment struct{}

func (environment) Get(key string) string {
	return os.Getenv(strings.ToUpper(strings.ReplaceAll(key, "-", "_")))
}
func (environment) Set(string, string) {}
func (environment) Keys() []string     { return nil }

// answered adds a question to the span. Neither its text nor the answer is recorded.
func answered(e *handler.Event) {
	o := opOf(e.Context)
	if o == nil {
		return
	}
	span := o.current()
	if span == nil || !span.IsRecording() {
		return
	}
	how := "pending"
	if e.Err == nil {
		how = map[question.Action]string{
			question.Accept: "accept", question.Decline: "decline", question.Cancel: "cancel",
		}[e.Action]
	} else if tool.Asks(e.Err) == nil {
		how = string(fault.From(e.Err).Code)
	}
	span.AddEvent("question", trace.WithAttributes(
		attribute.String("jptool.question.key", e.Question.Ref.Key), attribute.String("jptool.question.answer", how),
		attribute.Bool("jptool.question.known", e.Known),
	))
}

// ended keeps the outcome of a run. The next round of a call that asks belongs to the trace of the first.
func (t *telemetry) ended(e *handler.Event) {
	o := opOf(e.Context)
	if o == nil || !o.owns(e.Run) {
		return
	}
	o.mu.Lock()
	o.ran = e.Err
	span, alone := o.span, o.request == nil
	o.mu.Unlock()
	if span != nil && e.Run.Trace == "" && tool.Asks(e.Err) != nil {
		e.Run.Trace = traceOf(span.SpanContext())
	}
	if !alone || span == nil {
		return
	}
	if f := fault.From(e.Err); f != nil && tool.Asks(e.Err) == nil {
		code := t.names.Code(f)
		span.SetAttributes(attribute.String(operation.KeyError, code), attribute.String(operation.KeyFault, code))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// replied ends the span of a request, and records its duration.
func (t *telemetry) replied(e *handler.Event) {
	o := opOf(e.Context)
	if o == nil {
		return
	}
	if o.current() == nil {
		t.begin(e.Context, o)
	}
	o.mu.Lock()
	key, span, set, ran := o.key, o.span, o.set, o.ran
	o.mu.Unlock()
	message := t.names.End(&key, ran, e.Err)
	if t.duration != nil {
		ctx := e.Context
		if span != nil && o.late {
			ctx = trace.ContextWithSpan(ctx, span) // for exemplars
		}
		if set == nil || set.key != key {
			set = t.attributes(key)
		}
		t.duration.Record(ctx, time.Since(o.began).Seconds(), set.record...)
	}
	if span == nil {
		return
	}
	if span.IsRecording() && key != o.key {
		begun := o.key
		for _, a := range key.Attributes() {
			if a.Key == operation.KeyError || a.Key == operation.KeyStatus || a.Key == operation.KeyFault {
				span.SetAttributes(attribute.String(a.Key, a.Value))
			}
		}
		if key.Error != begun.Error {
			span.SetStatus(codes.Error, phrase.Clip(message, longest))
		}
	}
	span.End()
}

// traceOf returns a span as a traceparent, and spanContextOf reads one.
func traceOf(s trace.SpanContext) string {
	if !s.IsValid() {
		return ""
	}
	return "00-" + s.TraceID().String() + "-" + s.SpanID().String() + "-" + s.TraceFlags().String()
}

func spanContextOf(traceparent string) trace.SpanContext {
	if traceparent == "" {
		return trace.SpanContext{}
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": traceparent})
	return trace.SpanContextFromContext(ctx)
}
