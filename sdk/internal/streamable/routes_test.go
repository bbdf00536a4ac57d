package streamable

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/jptool/jptool/sdk/internal/engine"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A route that is not public is served only to callers that every way of authentication admits. A public one is served
// to everyone.
func TestRoutes(t *testing.T) {
	const secret = "a-secret-of-some-length"
	ofKnown := func(r *http.Request, _ string) (c handler.Caller, _ *Denial) {
		if c.Subject = r.Header.Get("User"); c.Subject == "" {
			return c, &Denial{Status: http.StatusUnauthorized, Reason: "the caller is unknown"}
		}
		return c, nil
	}
	guard := func(r *http.Request) *Denial {
		_, denied := ofKnown(r, "")
		return denied
	}
	none, token, user := http.Header{}, http.Header{"Authorization": {"Bearer " + secret}}, http.Header{"User": {"alice"}}
	both := http.Header{"Authorization": token["Authorization"], "User": user["User"]}
	type request struct {
		header http.Header
		want   int
	}
	for name, tt := range map[string]struct {
		options  Options
		requests []request
	}{
		"no authentication": {Options{}, []request{{none, 200}}},
		"token": {Options{Token: secret}, []request{
			{none, 401}, {user, 401}, {http.Header{"Authorization": {secret}}, 401},
			{http.Header{"Authorization": {"Bearer " + secret + "x"}}, 401},
			{http.Header{"Authorization": {"Bearer " + secret, "Bearer x"}}, 400}, {token, 200},
		}},
		"admit": {Options{Admit: ofKnown}, []request{{none, 401}, {token, 401}, {user, 200}}},
		"guard": {Options{Guard: guard}, []request{{none, 401}, {token, 401}, {user, 200}}},
		"token and admit": {
			Options{Token: secret, Admit: ofKnown}, []request{{none, 401}, {user, 401}, {token, 401}, {both, 200}},
		},
		"token and guard": {
			Options{Token: secret, Guard: guard}, []request{{none, 401}, {user, 401}, {token, 401}, {both, 200}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			testInBubble(t, engine.Options{}, tt.options, func(t *testing.T, s *server) {
				for _, r := range tt.requests {
					for _, public := range []bool{false, true} {
						served := false
						one := httptest.NewRequest(http.MethodGet, "/extra", nil)
						one.Header = r.header
						w := httptest.NewRecorder()
						s.h.serveRoute(w, one, Route{Public: public, Handler: http.HandlerFunc(
							func(w http.ResponseWriter, _ *http.Request) {
								served = true
								_, _ = io.WriteString(w, "extra")
							})})
						want := r.want
						if public {
							want = http.StatusOK
						}
						if w.Code != want || served != (want == http.StatusOK) {
							t.Errorf("public %t, header %v: status %d, served %t, want %d", public, r.header, w.Code, served, want)
						}
					}
				}
			})
		})
	}
}
