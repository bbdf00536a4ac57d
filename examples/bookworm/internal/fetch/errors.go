package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A StatusError is a response with an unexpected status.
type StatusError struct {
	// Code is the HTTP status, and Host is the host that responded.
	Code int
	Host string
	// RetryAfter is the delay that the server requests, or 0 if it does not request a
	// delay.
	RetryAfter time.Duration
}

// Error mentions the host and the status.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s responded with %d %s", e.Host, e.Code, http.StatusText(e.Code))
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(" and asks clients to wait %s", e.RetryAfter.Round(time.Second))
	}
	return strings.TrimSpace(text)
}

// A RefusedError reports a request that was not sent, or a response that was rejected, because of a limit of
// this package. It is not temporary.
type RefusedError struct {
	Reason string
	Err    error
}

// Error describes the reason.
func (e *RefusedError) Error() string { return "refused: " + e.Reason }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// ErrStalled reports that a stream delivers no data or too little.
var ErrStalled = errors.New("the transfer stalled")

// IsStatus reports whether err is a response with the given status.
func IsStatus(err error, code int) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && status.Code == code
}

// Transient reports whether err may be temporary: a timeout, a lost connection, status 429, or a status of 500
// and above.
func Transient(err error) bool {
	return isRetryable(err) || TimedOut(err)
}

// TimedOut reports whether err is a timeout.
func TimedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// isRetryable reports whether a request that failed with err is sent again. A request that timed out is not.
func isRetryable(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Code == http.StatusTooManyRequests || status.Code >= 500
	}
	var (
		refused     *RefusedError
		certificate *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		record      tls.RecordHeaderError
		file        *fs.PathError // a disk error, which can have the same error number as a lost connection
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled), TimedOut(err), errors.As(err, &refused),
		errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &record), errors.As(err, &file):
		return false
	case errors.Is(err, ErrStalled), errors.Is(err, io.ErrUnexpectedEOF):
		return true
	}
	var (
		network net.Error
		sent    *url.Error
	)
	return errors.As(err, &network) || errors.As(err, &sent)
}

// retryAfter returns the delay that a header specifies, in seconds or as a date (RFC 9110,
// 10.2.3).
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}
