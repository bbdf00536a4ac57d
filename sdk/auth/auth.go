// Package auth authenticates the HTTP callers of a server: with JWTs of an authorization server, or with tokens in a
// file. Only servers that use the package link what it needs.
package auth

import (
	"cmp"
	"errors"
	"os"

	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Flags adds the flags --auth-issuer, --auth-audience and --auth-tokens to a server, and returns it. Environment
// variables such as NOTES_AUTH_ISSUER, for a server with the name notes, have the same effect. Without any of them,
// callers are not authenticated. Flags also adds --caller-rate and --caller-calls, which limit the calls of each caller.
//
//	func main() { sdk.Main(auth.Flags(notes.NewServer(&notes.Notes{}))) }
func Flags(s *sdk.Server) *sdk.Server {
	define := func(flag, help string) func() string {
		variable := (&manifest.Tool{Shared: []string{flag}}).Variable(s.Name(), flag)
		value := s.Flags().String(flag, "", help+" (or the environment variable "+variable+")")
		return func() string { return cmp.Or(*value, os.Getenv(variable)) }
	}
	issuer := define("auth-issuer", "`URL` of the authorization server whose JWTs HTTP callers must send")
	audience := define("auth-audience", "`URL` of this server, such as https://tools.example.com/mcp, or another name, for which tokens must be issued")
	file := define("auth-tokens", "`file` with the tokens of HTTP callers, one caller a line: NAME TOKEN SCOPE…")
	perMinute := s.Flags().Int("caller-rate", 0, "maximum `number` of calls per minute of each caller to each tool (default: no limit)")
	atOnce := s.Flags().Int("caller-calls", 0, "maximum `number` of concurrent calls of each caller to each tool (default: no limit)")
	s.Limit(func() sdk.Quota {
		if *perMinute <= 0 && *atOnce <= 0 {
			return nil
		}
		return NewQuota(*perMinute, *atOnce)
	})
	s.Authenticate(func() (*sdk.Auth, error) { return configure(issuer(), audience(), file()) })
	return s
}

func configure(issuer, audience, file string) (*sdk.Auth, error) {
	switch {
	case issuer != "" && audience == "":
		return nil, errors.New("--auth-issuer requires --auth-audience: without it, tokens for other servers would be valid for this one")
	case issuer == "" && audience != "":
		return nil, errors.New("--auth-audience requires --auth-issuer")
	case issuer == "" && file == "":
		return nil, nil
	}
	a := &sdk.Auth{}
	if isURL(audience) {
		a.Resource = audience
	} else {
		a.Audience = audience
	}
	var known *Tokens
	if file != "" {
		var err error
		if known, err = ReadTokens(file); err != nil {
			return nil, err
		}
		a.Verifier = known
	}
	if issuer != "" {
		jwt, err := NewIssuer(issuer)
		if err != nil {
			return nil, err
		}
		a.Servers = []string{issuer}
		a.Verifier = jwt
		if known != nil {
			a.Verifier = either{known, jwt}
		}
	}
	return a, nil
}
