package streamable

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/jptool/jptool/sdk/internal/engine"
)

// Serve serves the connections of l until the context of h is done. Requests for the path go to
// front, which passes those for h on. Serve returns shortly after a drain of one and a half
// seconds at the latest.
func (h *Handler) Serve(l net.Listener, path string, front http.Handler) error {
	server := &http.Server{
		Handler:           only(path, front),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       connContext,
		ErrorLog:          slog.NewLogLogger(h.Log.Handler(), slog.LevelDebug),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(&conns{Listener: l, most: mostConns(), crowd: h.crowd}) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-h.ending:
	}
	shut := make(chan error, 1)
	wait, cancel := context.WithTimeout(context.Background(), drain)
	defer cancel()
	go func() { shut <- server.Shutdown(wait) }()
	<-h.drained
	cancel()
	if err := <-shut; err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("ending HTTP: %w", err)
	}
	return server.Close()
}

// only refuses requests for other paths.
func only(path string, front http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			refuse(w, http.StatusNotFound, engine.BadRequest("unknown path; use "+path))
			return
		}
		front.ServeHTTP(w, r)
	})
}
