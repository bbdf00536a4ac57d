package fetch

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// least is the minimum average rate of a stream in bytes per second.
const least = 1 << 10

// A watchedBody is a response body. Its request is canceled if the body delivers too little data
// for too long.
type watchedBody struct {
	io.ReadCloser
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	got    atomic.Int64
}

func watch(body io.ReadCloser, span time.Duration, cancel context.CancelCauseFunc, ctx context.Context) io.ReadCloser {
	w := &watchedBody{ReadCloser: body, ctx: ctx, cancel: cancel}
	enough := int64(span.Seconds() * least)
	var timer *time.Timer
	timer = time.AfterFunc(time.Hour, func() {
		if w.got.Swap(0) < enough {
			cancel(ErrStalled)
			return
		}
		timer.Reset(span)
	})
	timer.Reset(span)
	w.timer = timer
	return w
}

// Read reads from the body. It returns [ErrStalled] if the watch canceled the request.
func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.got.Add(int64(n))
	if err != nil && err != io.EOF && context.Cause(w.ctx) == ErrStalled {
		err = ErrStalled
	}
	return n, err
}

// Close cancels the request.
func (w *watchedBody) Close() error {
	w.timer.Stop()
	w.cancel(nil)
	return w.ReadCloser.Close()
}
