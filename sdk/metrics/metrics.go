// Package metrics serves the durations of requests to Prometheus. Only servers that import it link its client.
//
//	func main() {
//		s := notes.NewServer(&notes.Notes{})
//		metrics.Use(s)
//		sdk.Main(s)
//	}
//
// The histogram mcp_server_operation_duration_seconds is the metric that package sdk/otel describes, with the names
// that OpenTelemetry gives it in Prometheus. The metrics of the process and of Go's runtime are served, too.
package metrics

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/internal/operation"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

const path = "/metrics"

// Use measures the requests to s. It must be called before s serves.
//
// A server that [sdk.Server.Run] serves over HTTP serves the metrics at /metrics, to callers that have a token if it needs
// one. With --metrics-address, it serves them only there, without a token, even if the server uses stdio. Use returns the handler
// for programs that serve the metrics themselves.
func Use(s *sdk.Server) http.Handler {
	registry := prometheus.NewRegistry()
	m := &measure{names: operation.Of(s.Contract()), durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    strings.ReplaceAll(operation.Duration, ".", "_") + "_seconds",
		Help:    "The duration of a request or a notification.",
		Buckets: operation.Bounds,
	}, labels())}
	registry.MustRegister(m.durations, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	s.Observe(m.observe)
	serve := promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry})
	address, elsewhere := "", atomic.Bool{}
	s.Flags().StringVar(&address, "metrics-address", "",
		"serve metrics at `HOST:PORT`, without a token (default: at /metrics of --http, with the token)")
	s.Route(path, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if elsewhere.Load() {
			http.NotFound(w, r)
			return
		}
		serve.ServeHTTP(w, r)
	}))
	s.OnStart(func(ctx context.Context) error {
		if address == "" {
			return nil
		}
		elsewhere.Store(true)
		return listen(ctx, address, serve)
	})
	return serve
}

// listen serves metrics at an address of its own until ctx is done.
func listen(ctx context.Context, address string, serve http.Handler) error {
	if _, _, err := net.SplitHostPort(address); err != nil {
		return fmt.Errorf("invalid --metrics-address %q: must be HOST:PORT, such as 127.0.0.1:9090", address)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("--metrics-address: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+path, serve)
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	context.AfterFunc(ctx, func() { _ = server.Close() }) // the process ends
	go func() { _ = server.Serve(l) }()                   // returns when the server is closed
	return nil
}

// labels returns the names of all labels.
func labels() (names []string) {
	for _, a := range operation.All() {
		names = append(names, strings.ReplaceAll(a, ".", "_"))
	}
	return names
}

// A measure observes a server.
type measure struct {
	names     *operation.Names
	durations *prometheus.HistogramVec
	observers sync.Map // of prometheus.Observer, by operation.Key
}

// An op is a request in progress.
type op struct {
	key   operation.Key
	kind  handler.Kind
	began time.Time
	ran   atomic.Pointer[error] // the outcome of its run
}

type opKey struct{}

func (m *measure) observe(e *handler.Event) {
	o, _ := e.Context.Value(opKey{}).(*op)
	switch {
	case e.Moment == handler.Received:
		o = &op{key: m.names.Begin(e.Request), kind: e.Request.Kind, began: time.Now()}
		e.Context = context.WithValue(e.Context, opKey{}, o)
	case o == nil:
	case e.Moment == handler.Began && o.kind == handler.Prompt && o.key.Prompt == "":
		o.key.Prompt = e.Run.Tool() // the contract has it
	case e.Moment == handler.Ended:
		ran := e.Err
		o.ran.Store(&ran)
	case e.Moment == handler.Replied:
		var ran error
		if p := o.ran.Load(); p != nil {
			ran = *p
		}
		m.names.End(&o.key, ran, e.Err)
		m.observer(o.key).Observe(time.Since(o.began).Seconds())
	}
}

// observer returns the observer of a key, which is found once.
func (m *measure) observer(k operation.Key) prometheus.Observer {
	if o, ok := m.observers.Load(k); ok {
		return o.(prometheus.Observer)
	}
	values := prometheus.Labels{}
	for _, name := range labels() {
		values[name] = ""
	}
	for _, a := range k.Attributes() {
		values[strings.ReplaceAll(a.Key, ".", "_")] = a.Value
	}
	o := m.durations.With(values)
	m.observers.Store(k, o)
	return o
}
