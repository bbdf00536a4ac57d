// Package otel traces and measures a server with OpenTelemetry. Only servers that import it link OpenTelemetry.
//
//	func main() {
//		s := notes.NewServer(&notes.Notes{})
//		otel.Use(s)
//		sdk.Main(s)
//	}
//
// Spans and the metric mcp.server.operation.duration have the names and attributes of the conventions for MCP in
// https://github.com/open-telemetry/semantic-conventions-genai. Their status is development: names may change with a
// new version of this package, which follows commit 5c50d346f1c9e8f745889f7777a412991564b334 of model/mcp. In addition,
// jptool.fault.code is the code of a fault. Arguments, results, options and answers are never recorded.
//
// The parent of a span is the traceparent in _meta, or else the current span, the traceparent header of the HTTP
// request, or, for the rounds of a call, the span of its first round, whose id the sealed state of the call contains.
// So all rounds of a call are in one trace. If _meta has a traceparent, other spans are linked.
//
// The context of a handler contains its span. Spans of the handler's own belong to the provider of that span:
//
//	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer("notes").Start(ctx, "index")
//	defer span.End()
package otel

import (
	"context"
	"errors"
	"os"
	"sync"

	"go.opentelemetry.io/contrib/exporters/autoexport"
	api "go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/internal/operation"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const scope = "github.com/jptool/jptool/sdk/otel"

// Use traces and measures the requests to s, and calls in the same process, as the environment variables of
// OpenTelemetry say, such as OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER, OTEL_METRICS_EXPORTER and
// OTEL_TRACES_SAMPLER. It must be called before s serves. If the variables name neither an exporter nor an endpoint, or
// if OTEL_SDK_DISABLED is true, Use does nothing. A server that [sdk.Server.Run] runs does not start if they are
// invalid; for other servers, the error goes to OpenTelemetry's error handler.
//
// Use returns a function that sends what is buffered and shuts down. [sdk.Server.Run] calls it, too.
func Use(s *sdk.Server) (shutdown func(context.Context) error) {
	t := &telemetry{}
	if os.Getenv("OTEL_SDK_DISABLED") != "true" {
		t.traces, t.measures = isOn("TRACES"), isOn("METRICS")
	}
	if !t.traces && !t.measures {
		return func(context.Context) error { return nil }
	}
	t.observes(s)
	s.OnStart(func(context.Context) error { return t.start() })
	s.OnStop(func(ctx context.Context) { _ = t.shutdown(ctx) }) // the exporter reports what it could not send
	return t.shutdown
}

// UseProviders is like [Use], but uses providers of the program, which shuts them down. Either may be nil.
func UseProviders(s *sdk.Server, spans trace.TracerProvider, metrics metric.MeterProvider) {
	(&telemetry{tracers: spans, meters: metrics}).observes(s)
}

// observes makes t observe s.
func (t *telemetry) observes(s *sdk.Server) {
	t.names, t.server, t.version = operation.Of(s.Contract()), s.Name(), s.Version()
	t.propagator = propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
	t.fields = fieldsOf(t.propagator.Fields())
	s.Observe(t.observe)
}

// isOn reports whether the environment names an exporter or an endpoint for a signal.
func isOn(signal string) bool {
	if exporter := os.Getenv("OTEL_" + signal + "_EXPORTER"); exporter != "" {
		return exporter != "none"
	}
	return os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_"+signal+"_ENDPOINT") != ""
}

// A telemetry observes a server.
type telemetry struct {
	names            *operation.Names
	server, version  string
	propagator       propagation.TextMapPropagator
	fields           fields // of the propagator
	traces, measures bool

	opening  sync.Once
	failed   error // why the exporters cannot be opened
	tracers  trace.TracerProvider
	meters   metric.MeterProvider
	tracer   trace.Tracer // nil if spans are off
	duration metric.Float64Histogram
	sets     sync.Map // of *attributeSet, by operation.Key
	ends     []func(context.Context) error
}

// start opens the exporters that the environment names.
func (t *telemetry) start() error {
	t.opening.Do(func() {
		if t.failed = t.open(context.Background()); t.failed != nil {
			api.Handle(t.failed)
		}
	})
	return t.failed
}

func (t *telemetry) open(ctx context.Context) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	if t.tracers != nil {
		t.tracer = t.tracers.Tracer(scope)
	}
	if t.meters == nil {
		return nil
	}
	var err error
	t.duration, err = t.meters.Meter(scope).Float64Histogram(operation.Duration, metric.WithUnit("s"),
		metric.WithDescription("The duration of a request or a notification."),
		metric.WithExplicitBucketBoundaries(operation.Bounds...))
	return err
}

// connect creates the providers that the environment configures.
func (t *telemetry) connect(ctx context.Context) error {
	if t.tracers != nil || t.meters != nil {
		return nil
	}
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", t.server), attribute.String("service.version", t.version),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return err
	}
	if t.traces {
		exporter, err := autoexport.NewSpanExporter(ctx)
		if err != nil {
			return err
		}
		p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
		t.tracers, t.ends = p, append(t.ends, p.Shutdown)
	}
	if t.measures {
		reader, err := autoexport.NewMetricReader(ctx)
		if err != nil {
			return err
		}
		p := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithResource(about))
		t.meters, t.ends = p, append(t.ends, p.Shutdown)
	}
	return nil
}

func (t *telemetry) shutdown(ctx context.Context) error {
	var errs []error
	for _, end := range t.ends {
		errs = append(errs, end(ctx))
	}
	return errors.Join(errs...)
}

// An attributeSet is what a key determines.
type attributeSet struct {
	key    operation.Key
	name   string // of the span
	list   []attribute.KeyValue
	record []metric.RecordOption
}

// attributes returns the attributes of a key, which are computed once.
func (t *telemetry) attributes(k operation.Key) *attributeSet {
	if known, ok := t.sets.Load(k); ok {
		return known.(*attributeSet)
	}
	a := &attributeSet{key: k, name: k.Method}
	if target := k.Target(); target != "" {
		a.name += " " + target
	}
	for _, one := range k.Attributes() {
		a.list = append(a.list, attribute.String(one.Key, one.Value))
	}
	a.record = []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(a.list...))}
	t.sets.Store(k, a)
	return a
}

func (t *telemetry) observe(e *handler.Event) {
	if t.start() != nil {
		return
	}
	switch e.Moment {
	case handler.Received:
		t.received(e)
	case handler.Began:
		t.began(e)
	case handler.Answered:
		answered(e)
	case handler.Ended:
		t.ended(e)
	case handler.Replied:
		t.replied(e)
	}
}
