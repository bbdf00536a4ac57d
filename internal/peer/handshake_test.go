package peer

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// A server of an older version gets a session, however it responds to the first request of the newest version.
func TestOlderServers(t *testing.T) {
	for name, tc := range map[string]struct {
		refuse func(http.ResponseWriter, visit)
		wanted string // the requested version
	}{
		"method not found":          {func(w http.ResponseWriter, v visit) { v.fail(w, 200, string(v.ID), `{"code":-32601,"message":"no"}`) }, Sessions},
		"method not found, and 404": {func(w http.ResponseWriter, v visit) { v.fail(w, 404, string(v.ID), `{"code":-32601,"message":"no"}`) }, Sessions},
		"invalid request":           {func(w http.ResponseWriter, v visit) { v.fail(w, 400, "null", `{"code":-32600,"message":"no session"}`) }, Sessions},
		"invalid parameters":        {func(w http.ResponseWriter, v visit) { v.fail(w, 200, string(v.ID), `{"code":-32602,"message":"no"}`) }, Sessions},
		"a code of its own": {func(w http.ResponseWriter, v visit) {
			v.fail(w, 400, "null", `{"code":-32000,"message":"initialize first"}`)
		}, Sessions},
		"an older version": {func(w http.ResponseWriter, v visit) {
			v.fail(w, 400, string(v.ID), `{"code":-32022,"message":"no","data":{"supported":["2024-11-05","2025-06-18","1999-01-01"]}}`)
		}, "2025-06-18"},
		"an unsupported version":     {func(w http.ResponseWriter, v visit) { v.fail(w, 400, string(v.ID), `{"code":-32022,"message":"no"}`) }, Sessions},
		"older versions, discovered": {func(w http.ResponseWriter, v visit) { v.result(w, `{"supportedVersions":["2025-03-26"]}`) }, "2025-03-26"},
		"an empty result":            {func(w http.ResponseWriter, v visit) { v.result(w, `{}`) }, Sessions},
		"a list":                     {func(w http.ResponseWriter, v visit) { v.result(w, `[]`) }, Sessions},
		"400":                        {func(w http.ResponseWriter, _ visit) { w.WriteHeader(400) }, Sessions},
		"404":                        {func(w http.ResponseWriter, _ visit) { http.Error(w, "not found", 404) }, Sessions},
		"405":                        {func(w http.ResponseWriter, _ visit) { w.WriteHeader(405) }, Sessions},
		"500":                        {func(w http.ResponseWriter, _ visit) { http.Error(w, "<h1>oops", 500) }, Sessions},
		"a page":                     {func(w http.ResponseWriter, _ visit) { _, _ = w.Write([]byte("<h1>hello")) }, Sessions},
		"a stream that ends":         {func(w http.ResponseWriter, _ visit) { w.Header().Set("Content-Type", eventStream) }, Sessions},
		"nothing":                    {func(_ http.ResponseWriter, v visit) { v.hang() }, Sessions},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, v visit) {
				switch v.Method {
				case "server/discover":
					tc.refuse(w, v)
				case "initialize":
					if v.Params.ProtocolVersion != tc.wanted || v.header.Get("Mcp-Protocol-Version") != "" || v.header.Get("Mcp-Method") != "" {
						t.Errorf("initialize for %q, with %v", v.Params.ProtocolVersion, v.header)
					}
					v.result(w, fmt.Sprintf(old, "2025-03-26"))
				default:
					if got := v.header.Get("Mcp-Protocol-Version"); got != "2025-03-26" {
						t.Errorf("%s with version %q", v.Method, got)
					}
					w.WriteHeader(202)
				}
			})
			silence := patient
			if name == "nothing" {
				silence = impatient
			}
			session, err := s.dial(t, silence, Options{})
			if err != nil || session.Server().Protocol != "2025-03-26" || session.Server().Name != "old" {
				t.Fatalf("%v, %+v", err, session)
			}
			if got := s.methods(); got != "server/discover initialize notifications/initialized" {
				t.Errorf("sent %s", got)
			}
		})
	}
}

// The client does not request older versions from a server that supports the newest version.
func TestNewestServers(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		serve func(http.ResponseWriter, visit)
		sent  string
	}{
		"at once": {func(w http.ResponseWriter, v visit) { v.result(w, modern) }, "server/discover"},
		"after it refused the version once": {func() func(http.ResponseWriter, visit) {
			var refused atomic.Bool
			return func(w http.ResponseWriter, v visit) {
				if !refused.Swap(true) {
					v.fail(w, 400, string(v.ID), `{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}`)
					return
				}
				v.result(w, modern)
			}
		}(), "server/discover server/discover"},
		"that takes initialize for a greeting": {func(w http.ResponseWriter, v visit) {
			if v.Method == "server/discover" {
				v.fail(w, 404, string(v.ID), `{"code":-32601,"message":"no"}`)
				return
			}
			v.result(w, fmt.Sprintf(old, Rounds))
		}, "server/discover initialize"},
		"that starts slowly": {func() func(http.ResponseWriter, visit) {
			var started atomic.Bool
			return func(w http.ResponseWriter, v visit) {
				switch {
				case v.Method == "initialize":
					started.Store(true)
					v.fail(w, 400, string(v.ID), `{"code":-32600,"message":"no _meta"}`)
				case started.Load():
					v.result(w, modern)
				default:
					v.hang()
				}
			}
		}(), "server/discover initialize server/discover"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(w http.ResponseWriter, v visit) {
				if v.Method == "tools/list" {
					v.result(w, `{"tools":[]}`)
					return
				}
				tc.serve(w, v)
			})
			silence := patient
			if name == "that starts slowly" {
				silence = impatient
			}
			session, err := s.dial(t, silence, Options{})
			if err != nil || session.Server().Protocol != Rounds {
				t.Fatalf("%v, %+v", err, session)
			}
			if _, _, err := session.Tools(t.Context()); err != nil {
				t.Error(err)
			}
			if got := s.methods(); got != tc.sent+" tools/list" {
				t.Errorf("sent %s", got)
			}
			for _, v := range s.requests() {
				if v.Method == "initialize" {
					continue
				}
				if v.header.Get("Mcp-Protocol-Version") != Rounds || v.header.Get("Mcp-Method") != v.Method ||
					string(v.Params.Meta["io.modelcontextprotocol/protocolVersion"]) != `"2026-07-28"` ||
					v.Params.Meta["io.modelcontextprotocol/clientCapabilities"] == nil || v.Params.Meta["io.modelcontextprotocol/clientInfo"] == nil {
					t.Errorf("%s with %v and %v", v.Method, v.header, v.Params.Meta)
				}
			}
		})
	}
}

// Dial fails for these servers, with or without a session. The error says why, and sent lists the requests that
// the client tried.
func TestServersWithoutSessions(t *testing.T) {
	for name, tc := range map[string]struct {
		version string
		serve   func(http.ResponseWriter, visit)
		sent    string
		want    string
	}{
		"unauthorized": {"", func(w http.ResponseWriter, _ visit) { w.WriteHeader(401) }, "server/discover", "status 401"},
		"a header is wrong": {"", func(w http.ResponseWriter, v visit) {
			v.fail(w, 400, string(v.ID), `{"code":-32020,"message":"Mcp-Method"}`)
		}, "server/discover", "Mcp-Method (-32020)"},
		"a later version": {"", func(w http.ResponseWriter, v visit) {
			v.fail(w, 400, string(v.ID), `{"code":-32022,"message":"no","data":{"supported":["2027-01-01","2028-01-01"]}}`)
		}, "server/discover", `does not support MCP version 2026-07-28; it supports "2027-01-01", "2028-01-01"`},
		"a session is wanted": {Sessions, func(w http.ResponseWriter, v visit) { v.result(w, fmt.Sprintf(old, Rounds)) },
			"initialize", `does not support MCP version 2025-11-25; it supports "2026-07-28"`},
		"the newest is wanted": {Rounds, func(w http.ResponseWriter, v visit) {
			v.result(w, `{"supportedVersions":["2025-11-25"]}`)
		}, "server/discover", `does not support MCP version 2026-07-28; it supports "2025-11-25"`},
		"nothing at all": {"", func(w http.ResponseWriter, _ visit) { w.WriteHeader(500) }, "server/discover initialize", "status 500"},
		"silence": {"", func(_ http.ResponseWriter, v visit) { v.hang() },
			"server/discover initialize", "did not respond within 2s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, tc.serve)
			_, err := s.dial(t, impatient, Options{Version: tc.version})
			if err == nil || !strings.Contains(err.Error(), tc.want) || s.methods() != tc.sent {
				t.Errorf("%v, want %s; sent %s", err, tc.want, s.methods())
			}
		})
	}
}
