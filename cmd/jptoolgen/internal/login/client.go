package login

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// patience is the maximum time to wait for a response from an authorization server.
const patience = 30 * time.Second

// maxAnswer is the maximum size of a response from an authorization server, in bytes.
const maxAnswer = 1 << 20

// newClient returns a client that does not follow redirects. After a call to settle, the client
// does not connect to IP addresses that are nearer (see nearness) than all earlier addresses. A
// server on the internet must not make this machine send requests to itself or to its network. If a
// proxy is used, its address counts.
func newClient() (client *http.Client, settle func()) {
	g := &guard{}
	t := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: patience,
		DialContext: (&net.Dialer{Timeout: patience, Control: g.check}).DialContext,
	}
	return &http.Client{Timeout: patience, Transport: transport{t, g}, CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		return fmt.Errorf("the server redirects to %s://%s, but redirects are not followed", to.URL.Scheme, to.URL.Host)
	}}, func() { g.settled.Store(true) }
}

type transport struct {
	*http.Transport
	guard *guard
}

// RoundTrip reads the whole response of an authorization server. The response "null" is an error, because go-sdk would
// decode it to a nil pointer and dereference the pointer. The first response of the MCP server itself may be a
// stream, and is not read.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.Transport.RoundTrip(req)
	if err != nil || !t.guard.settled.Load() {
		return resp, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxAnswer:
		return nil, errors.New("the response is larger than 1 MiB")
	case string(bytes.TrimSpace(body)) == "null":
		return nil, errors.New("the response is null")
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

type guard struct {
	settled atomic.Bool
	mu      sync.Mutex
	nearest int
}

func (g *guard) check(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	near := nearness(at.Addr().Unmap())
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.settled.Load() && near > g.nearest {
		return fmt.Errorf("refused to connect to %s: the address is on this machine or its local network, but the server is not", at.Addr())
	}
	g.nearest = max(g.nearest, near)
	return nil
}

// shared is the address space of carriers, which private networks also use (RFC 6598).
var shared = netip.MustParsePrefix("100.64.0.0/10")

// nearness returns 2 for this machine, 1 for its network, and 0 for the internet.
func nearness(ip netip.Addr) int {
	switch {
	case ip.IsLoopback() || ip.IsUnspecified():
		return 2
	case ip.IsPrivate() || !ip.IsGlobalUnicast() || shared.Contains(ip):
		return 1
	}
	return 0
}
