package access_test

import (
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
)

func TestURLs(t *testing.T) {
	github := []access.NetRule{{Host: "api.github.com", Allow: true}, {Host: "API.github.com", PathPrefix: "/admin"}}
	ported := []access.NetRule{{Host: "h", Scheme: "HTTP", Port: new(uint16(8080)), PathPrefix: "/api/v1", Allow: true}}
	for _, tc := range []struct {
		name  string
		rules []access.NetRule
		url   string
		want  bool
	}{
		{"other host", github, "https://example.com/", false},
		{"host as a prefix", github, "https://api.github.com.evil.com/", false},
		{"host as a suffix", github, "https://evil-api.github.com/", false},
		{"subdomain", github, "https://x.api.github.com/", false},
		{"host in userinfo", github, "https://api.github.com@evil.com/", false},
		{"host in path", github, "https://evil.com/api.github.com", false},
		{"trailing dot", github, "https://api.github.com./", false},
		{"other port", github, "https://api.github.com:8443/", false},
		{"port of another scheme", github, "https://api.github.com:80/", false},
		{"port out of range", github, "https://api.github.com:70000/", false},
		{"refused path", github, "https://api.github.com/admin", false},
		{"refused below", github, "https://api.github.com/admin/users", false},
		{"refused, encoded", github, "https://api.github.com/%61dmin/users", false},
		{"refused, dots", github, "https://api.github.com/x/../admin", false},
		{"refused, encoded dots", github, "https://api.github.com/x/%2e%2e/admin", false},
		{"refused, doubled slash", github, "https://api.github.com//admin", false},
		{"refused, encoded slash", github, "https://api.github.com/x/..%2fadmin", false},
		{"refused, backslash", github, `https://api.github.com/x\..\admin`, false},
		{"refused, encoded backslash", github, "https://api.github.com/x%5C..%5Cadmin", false},
		{"refused, with a parameter", github, "https://api.github.com/admin;x=1/users", false},
		{"refused, with an encoded parameter", github, "https://api.github.com/admin%3bx", false},
		{"refused, dots with a parameter", github, "https://api.github.com/x/..;/admin", false},
		{"refused, encoded twice", github, "https://api.github.com/%2561dmin", false},
		{"refused, dots encoded twice", github, "https://api.github.com/x/%252e%252e/admin", false},
		{"refused, NUL", github, "https://api.github.com/admin%00.txt", false},
		{"refused, other case of host and scheme", github, "HTTPS://API.GITHUB.COM/admin", false},
		{"refused, other spelling of the port", github, "https://api.github.com:0443/admin", false},
		{"refused, userinfo", github, "https://me:secret@api.github.com/admin", false},
		{"refused by an encoded rule", []access.NetRule{{Host: "h", Allow: true}, {Host: "h", PathPrefix: "/caf%C3%A9"}}, "http://h/café/x", false},
		{"rule with an encoded slash", []access.NetRule{{Host: "h", PathPrefix: "/projects/a%2Fb", Allow: true}}, "http://h/projects/a/b", false},
		{"encoded host", github, "https://api%E2%80%A4github.com/", false},
		{"mapped address", []access.NetRule{{Host: "127.0.0.1", Allow: true}}, "http://[::ffff:127.0.0.1]/", false},
		{"parameter outside an allowed path", ported, "http://h:8080/api/v1/..;/..;/admin", false},
		{"no host", github, "/repos", false},
		{"opaque", github, "https:api.github.com/repos", false},
		{"file", github, "file:///etc/passwd", false},
		{"not ASCII", []access.NetRule{{Host: "münchen.de", Allow: true}}, "https://münchen.de/", false},
		{"a refusal not ASCII", []access.NetRule{{Host: "xn--mnchen-3ya.de", Allow: true}, {Host: "münchen.de"}}, "https://xn--mnchen-3ya.de/", false},
		{"zone", []access.NetRule{{Host: "fe80::1", Allow: true}}, "http://[fe80::1%25eth0]/", false},
		{"address spelled otherwise", []access.NetRule{{Host: "127.0.0.1", Allow: true}}, "http://0x7f.1/", false},
		{"star is no wildcard", []access.NetRule{{Host: "*", Allow: true}}, "http://a/", false},
		{"other scheme", ported, "https://h:8080/api/v1", false},
		{"no port", ported, "http://h/api/v1", false},
		{"shorter path", ported, "http://h:8080/api", false},
		{"path as a string prefix", ported, "http://h:8080/api/v10", false},
		{"later wins a tie", []access.NetRule{{Host: "h", Allow: true}, {Host: "h"}}, "http://h/", false},
		{"port beats none", []access.NetRule{{Host: "h", Port: new(uint16(80))}, {Host: "h", Allow: true}}, "http://h/", false},

		{"no rules", nil, "http://anything:1/at/../all", true},
		{"host", github, "https://api.github.com/repos", true},
		{"case", github, "HTTPS://API.GitHub.com/repos", true},
		{"port of the scheme", github, "https://api.github.com:443/repos", true},
		{"neighbour of a refused path", github, "https://api.github.com/administration", true},
		{"root", github, "https://api.github.com", true},
		{"parameters without a rule for paths", []access.NetRule{{Host: "h", Allow: true}}, "http://h/a;b/%252e", true},
		{"encoded rule", []access.NetRule{{Host: "h", PathPrefix: "/caf%c3%a9", Allow: true}}, "http://h/caf%C3%A9", true},
		{"exact", ported, "http://h:8080/api/v1", true},
		{"below", ported, "http://H:8080/api/v1/x?y#z", true},
		{"address", []access.NetRule{{Host: "[::1]", Allow: true}}, "http://[0:0::1]/", true},
		{"scheme and port against path", []access.NetRule{{Host: "h", Scheme: "http", Port: new(uint16(80)), Allow: true}, {Host: "h", PathPrefix: "/a"}}, "http://h/a", true},
		{"star is a host", []access.NetRule{{Host: "a", Allow: true}, {Host: "*"}}, "http://a/", true},
	} {
		u, err := url.Parse(tc.url)
		must(t, err)
		p := &access.Policy{Net: tc.rules}
		if got := p.AllowsURL(u); got != tc.want {
			t.Errorf("%s: AllowsURL(%s) = %t", tc.name, tc.url, got)
		}
		if err := p.CheckURL(u); (err == nil) != tc.want || err != nil && fault.CodeOf(err) != fault.PermissionDenied {
			t.Errorf("%s: CheckURL(%s) = %v", tc.name, tc.url, err)
		}
	}
}

func TestInvalidURLs(t *testing.T) {
	var none *access.Policy
	if !none.AllowsURL(&url.URL{}) || none.CheckURL(nil) != nil {
		t.Error("no policy refuses a URL")
	}
	p := &access.Policy{Net: []access.NetRule{{Host: "h", Allow: true}}}
	if p.CheckURL(nil) == nil {
		t.Error("a nil URL is allowed")
	}
	u, err := url.Parse("http://me:hunter2@evil/x?token=hunter2")
	must(t, err)
	if err := p.CheckURL(u); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v tells a secret", err)
	}
}

func TestVariables(t *testing.T) {
	rules := []access.EnvRule{
		{Name: "GITHUB_TOKEN", Read: true}, {Name: "AWS_*", Read: true}, {Name: "AWS_SECRET_ACCESS_KEY"},
		{Name: "TIE", Read: true}, {Name: "TIE*"}, {Name: "LATE*", Read: true}, {Name: "LATE*"},
		{Name: "A*B", Read: true}, {Name: "LONG_*"}, {Name: "LONG_X*", Read: true},
	}
	p := &access.Policy{Env: rules}
	for name, want := range map[string]bool{
		"HOME": false, "GITHUB_TOKEN_LOG": false, "GITHUB": false, "AWS_SECRET_ACCESS_KEY": false, "AWS": false, "TIE_2": false,
		"LATE": false, "LATE_2": false, "AxB": false, "": false, "AWS_=": false, "AWS_\x00": false, "LONG_Y": false,
		"GITHUB_TOKEN": true, "AWS_": true, "AWS_REGION": true, "AWS_SECRET_ACCESS_KEY_ID": true, "TIE": true, "LONG_XY": true,
	} {
		if got := p.AllowsEnv(name); got != want {
			t.Errorf("AllowsEnv(%q) = %t", name, got)
		}
		if err := p.CheckEnv(name); (err == nil) != want || err != nil && fault.CodeOf(err) != fault.PermissionDenied {
			t.Errorf("CheckEnv(%q) = %v", name, err)
		}
	}
	var none *access.Policy
	if !none.AllowsEnv("HOME") || !new(access.Policy).AllowsEnv("HOME") || none.CheckEnv("") == nil {
		t.Error("without rules a variable is refused, or one without a name allowed")
	}
}

// However a server interprets a path, an allowed URL does not lead to a denied path.
func FuzzDeniedPath(f *testing.F) {
	for _, path := range []string{"/admin;x", "/x/..;/admin", "/%2561dmin", "/x/%252e%252e/admin", `/x\..\admin`, "//admin", "/x%2f..%2fadmin", "/./admin", "/admin%00", "/x;a/../admin"} {
		f.Add(path)
	}
	p := &access.Policy{Net: []access.NetRule{{Host: "h", Allow: true}, {Host: "h", PathPrefix: "/admin"}}}
	parameters := regexp.MustCompile(`;[^/]*`)
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse("http://h" + text)
		if err != nil || u.Host != "h" || !p.AllowsURL(u) {
			return
		}
		for _, own := range []string{u.Path, u.EscapedPath()} {
			for range 3 {
				own, _, _ = strings.Cut(own, "\x00")
				own = strings.ReplaceAll(parameters.ReplaceAllString(own, ""), `\`, "/")
				if clean := path.Clean("/" + own); clean == "/admin" || strings.HasPrefix(clean, "/admin/") {
					t.Fatalf("%q is allowed, but may lead to %s", u, clean)
				}
				if again, err := url.PathUnescape(own); err == nil {
					own = again
				}
			}
		}
	})
}
