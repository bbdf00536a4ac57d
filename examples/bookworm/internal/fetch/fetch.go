// Package fetch sends HTTP requests with limits on time, size, attempts and hosts.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"
)

// Config configures a [Client]. Zero durations mean the defaults.
type Config struct {
	// Agent is the User-Agent header, which crates.io requires.
	Agent string
	// Bases are the prefixes of allowed request URLs. Redirects may point to their hosts.
	Bases []*url.URL
	// Hosts are additional hosts to which redirects may point, with https on the default port.
	Hosts []string
	// Connect limits the time to connect (default 10 s). Timeout limits one attempt of a request whose response
	// is read completely (default 30 s). Stall limits the time during which a stream may deliver too little data
	// (default 15 s).
	Connect, Timeout, Stall time.Duration
	// Backoff is the delay before the second attempt (default 500 ms). It grows with each further
	// attempt.
	Backoff time.Duration
	// Limiter limits the rate of requests; nil means no limit.
	Limiter *rate.Limiter
}

const (
	tries        = 3
	maxRedirects = 5
	maxWait      = time.Minute       // maximum Retry-After that the client honors
	longest      = 150 * time.Second // limit for all attempts of Get and Head, including the delays between them
)

// untilKey is the context key for the end time that [Within] sets.
type untilKey struct{}

// Within returns a context that ends after d. Get and Head requests end at that time even if they run in a
// context without the deadline ([context.WithoutCancel]), and no attempt waits beyond that time.
func Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	until := time.Now().Add(d)
	return context.WithDeadline(context.WithValue(ctx, untilKey{}, until), until)
}

// bound returns a context for all attempts of a request.
func bound(ctx context.Context) (context.Context, context.CancelFunc) {
	end := time.Now().Add(longest)
	if until, ok := ctx.Value(untilKey{}).(time.Time); ok && until.Before(end) {
		end = until
	}
	return context.WithDeadline(ctx, end)
}

// timeLeft returns the maximum time that the client can wait before the next attempt.
func timeLeft(ctx context.Context) time.Duration {
	limit := maxWait
	if until, ok := ctx.Value(untilKey{}).(time.Time); ok {
		limit = min(limit, time.Until(until))
	}
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline))
	}
	return limit
}

// A Client sends requests. It is safe for concurrent use.
type Client struct {
	config Config
	http   *http.Client
}

// New returns a client.
func New(c Config) *Client {
	for _, d := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&c.Connect, 10 * time.Second}, {&c.Timeout, 30 * time.Second}, {&c.Stall, 15 * time.Second}, {&c.Backoff, 500 * time.Millisecond},
	} {
		if *d.value <= 0 {
			*d.value = d.standard
		}
	}
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: c.Connect}).DialContext,
		TLSHandshakeTimeout:    c.Connect,
		ResponseHeaderTimeout:  c.Timeout,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		ForceAttemptHTTP2:      true,
	}
	client := &Client{config: c}
	client.http = &http.Client{Transport: transport, CheckRedirect: client.follow}
	return client
}

// follow rejects redirects to other hosts and redirect loops.
func (c *Client) follow(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return &RefusedError{Reason: fmt.Sprintf("redirected more than %d times", maxRedirects)}
	}
	if !c.isAllowed(r.URL) {
		return &RefusedError{Reason: fmt.Sprintf("redirected to %s://%s, which is not a host of crates.io or docs.rs", r.URL.Scheme, r.URL.Host)}
	}
	return nil
}

func (c *Client) isAllowed(u *url.URL) bool {
	if u.User != nil {
		return false
	}
	for _, base := range c.config.Bases {
		if u.Scheme == base.Scheme && u.Host == base.Host {
			return true
		}
	}
	return u.Scheme == "https" && (u.Port() == "" || u.Port() == "443") && slices.Contains(c.config.Hosts, u.Hostname())
}

// A Reply is a response whose body was read completely. Its status is 200 or 304.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Get sends a GET request and returns the response. limit is the maximum size of the body in bytes, after
// decompression. Get returns a [RefusedError] for status 206, and a [StatusError] for any status except 200, 206
// and 304. If an error is temporary, Get makes up to three attempts. It honors Retry-After
// unless that exceeds the time that is left; see [Within].
func (c *Client) Get(ctx context.Context, address string, header http.Header, limit int64) (*Reply, error) {
	ctx, cancel := bound(ctx)
	defer cancel()
	var reply *Reply
	err := c.Try(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
		defer cancel()
		response, err := c.send(ctx, http.MethodGet, address, header)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if response.StatusCode == http.StatusPartialContent {
			return &RefusedError{Reason: "unexpected partial response"}
		}
		body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
		switch {
		case err != nil:
			return err
		case int64(len(body)) > limit:
			return &RefusedError{Reason: fmt.Sprintf("the response has more than %d bytes", limit)}
		}
		reply = &Reply{Status: response.StatusCode, Header: response.Header, Body: body}
		return nil
	})
	return reply, err
}

// Head sends a HEAD request and returns the response, which has no body. It returns the same errors as
// [Client.Get].
func (c *Client) Head(ctx context.Context, address string) (*http.Response, error) {
	ctx, cancel := bound(ctx)
	defer cancel()
	var head *http.Response
	err := c.Try(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
		defer cancel()
		response, err := c.send(ctx, http.MethodHead, address, nil)
		if err != nil {
			return err
		}
		head = response
		return response.Body.Close()
	})
	return head, err
}

// Stream sends a GET request once and returns the response. The caller closes its body. For a status other than
// 200, 206 and 304, Stream returns a [StatusError]. Reading the body fails with [ErrStalled] if it delivers less
// than a kilobyte per second for the duration Stall.
func (c *Client) Stream(ctx context.Context, address string, header http.Header) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	response, err := c.send(ctx, http.MethodGet, address, header)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	response.Body = watch(response.Body, c.config.Stall, cancel, ctx)
	return response, nil
}

func (c *Client) send(ctx context.Context, method, address string, header http.Header) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, &RefusedError{Reason: "invalid URL", Err: err}
	}
	if !c.isAllowed(request.URL) {
		return nil, &RefusedError{Reason: fmt.Sprintf("%s://%s is not a host of crates.io or docs.rs", request.URL.Scheme, request.URL.Host)}
	}
	if header != nil {
		request.Header = header.Clone()
	}
	request.Header.Set("User-Agent", c.config.Agent)
	if c.config.Limiter != nil {
		if err := c.config.Limiter.Wait(ctx); err != nil {
			// Wait returns its own error if waiting would exceed the deadline of ctx.
			return nil, cmp.Or(ctx.Err(), context.DeadlineExceeded)
		}
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusNotModified:
		return response, nil
	}
	defer response.Body.Close()
	// The content of an error page is not used; reading a little of it keeps the connection reusable.
	_, _ = io.CopyN(io.Discard, response.Body, 64<<10)
	return nil, &StatusError{Code: response.StatusCode, Host: request.URL.Host, RetryAfter: retryAfter(response.Header, time.Now())}
}

// Try calls f up to three times while the error from f may be temporary.
func (c *Client) Try(ctx context.Context, f func() error) error {
	exponential := backoff.NewExponentialBackOff()
	exponential.InitialInterval = c.config.Backoff
	wait := &retryPause{BackOff: exponential}
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := f()
		if err == nil {
			return struct{}{}, nil
		}
		wait.asked = 0
		if status, ok := errors.AsType[*StatusError](err); ok {
			wait.asked = status.RetryAfter
		}
		if !isRetryable(err) || ctx.Err() != nil || timeLeft(ctx) < wait.asked {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(tries), backoff.WithMaxElapsedTime(0), backoff.WithNotify(func(err error, wait time.Duration) {
		slog.Info("request failed, trying again", "after", wait, "error", err)
	}))
	if permanent, ok := errors.AsType[*backoff.PermanentError](err); ok {
		err = permanent.Unwrap()
	}
	return err
}

// A retryPause waits for the delay that the server requested, but at least for the delay of
// BackOff.
type retryPause struct {
	backoff.BackOff
	asked time.Duration
}

// NextBackOff returns the next delay.
func (p *retryPause) NextBackOff() time.Duration { return max(p.asked, p.BackOff.NextBackOff()) }
