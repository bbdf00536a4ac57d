package streamable

import (
	"net/http"

	"github.com/jptool/jptool/sdk/internal/rpc"
)

// A Route is a handler for a path beside that of MCP.
type Route struct {
	Handler http.Handler
	// Public means that requests need neither a token nor a host name of the server, and that every page may send
	// them. Other requests are admitted as those of MCP are.
	Public bool
}

func (h *Handler) serveRoute(w http.ResponseWriter, r *http.Request, route Route) {
	if !route.Public {
		if !h.admits(w, r) {
			return
		}
		if denied := h.guard(r); denied != nil {
			denied.answer(w)
			return
		}
	}
	route.Handler.ServeHTTP(w, r)
}

// guard returns the reason to refuse a request for a route that is not public, or nil.
func (h *Handler) guard(r *http.Request) (denied *Denial) {
	switch {
	case h.Guard != nil:
		denied = h.Guard(r)
	case h.Admit != nil:
		_, denied = h.Admit(r, h.name)
	}
	return denied
}

// admits reports whether a request has the token and the names that it needs. If not, it answers the request.
func (h *Handler) admits(w http.ResponseWriter, r *http.Request) bool {
	if !h.isAuthorized(r) {
		w.Header().Set("Www-Authenticate", "Bearer") // required by RFC 9110, section 11.6.1
		refuse(w, http.StatusUnauthorized, rpc.BadRequest("the request has no valid bearer token"))
		return false
	}
	if name := repeatedHeader(r.Header); name != "" {
		refuse(w, http.StatusBadRequest, mismatch("the "+name+" header "+moreThanOnce))
		return false
	}
	if reason := h.reasonToReject(r); reason != "" {
		refuse(w, http.StatusForbidden, rpc.BadRequest(reason))
		return false
	}
	return true
}

// Unready makes the probe of readiness fail, while the handler still serves requests.
func (h *Handler) Unready() { h.unready.Store(true) }
