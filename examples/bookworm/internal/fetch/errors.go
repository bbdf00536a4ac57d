package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// A StatusError is an answer whose status is none that was asked for.
type StatusError struct {
	// Code is the HTTP status, Host who answered.
	Code int
	Host string
	// RetryAfter is how long the server wants to be left alone, 0 if it does not say.
	RetryAfter time.Duration
}

// Error names the host and the status.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answers %d %s", e.Host, e.Code, http.StatusText(e.Code))
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(" and asks to wait %s", e.RetryAfter.Round(time.Second))
	}
	return strings.TrimSpace(text)
}

// A RefusedError is a request that was not made, or an answer that was not taken,
// because of a limit of this package. It does not pass by itself.
type RefusedError struct {
	Reason string
	Err    error
}

// Error says what was refused.
func (e *RefusedError) Error() string { return "refused: " + e.Reason }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// ErrStalled is a stream that brings nothing, or next to nothing.
var ErrStalled = errors.New("the transfer has stalled")

// IsStatus reports whether err is an answer with that status.
func IsStatus(err error, code int) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && status.Code == code
}

// Transient reports whether err may pass by itself: a time-out, a lost connection,
// a status of 429 or from 500 on.
func Transient(err error) bool {
	return again(err) || TimedOut(err)
}

// TimedOut reports whether err is a limit of time that was reached.
func TimedOut(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// again reports whether another try may bring more. After a try that took all its
// time it does not.
func again(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.Code == http.StatusTooManyRequests || status.Code >= 500
	}
	var (
		refused     *RefusedError
		certificate *tls.CertificateVerificationError
		unknown     x509.UnknownAuthorityError
		record      tls.RecordHeaderError
	)
	switch {
	case err == nil, errors.Is(err, context.Canceled), TimedOut(err), errors.As(err, &refused),
		errors.As(err, &certificate), errors.As(err, &unknown), errors.As(err, &record):
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

// retryAfter returns what a header asks for: seconds, or a date (RFC 9110, 10.2.3).
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
