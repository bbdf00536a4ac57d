// Package card serves a card of a server, which clients can read before they connect, and a catalog with the card.
// Only servers that ask for them serve them:
//
//	card.Use(s, card.Card{Name: "com.example/notes", URL: "https://tools.example.com/mcp"})
//
// The formats are drafts: SEP-2127 with the schema v1 of the extension for server cards
// (https://github.com/modelcontextprotocol/experimental-ext-server-card, commit
// 56ab90b19c91fb57855cdb014d2d7597974531b0), and version 1.0 of https://github.com/Agent-Card/ai-catalog. They may
// change with a new version of this package. The card does not list tools, resources and prompts.
package card

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/internal/engine/wires"
)

const (
	schema  = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json"
	catalog = "/.well-known/ai-catalog.json"
	suffix  = "/server-card"
	mcp     = "/mcp" // the path of MCP in a server that [sdk.Server.Run] serves

	typeCard    = "application/mcp-server-card+json"
	typeCatalog = "application/ai-catalog+json"
	longest     = 100 // the maximum length of a title and a description, in characters
)

var isName = lazyregexp.New(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`)

// A Card is what a contract does not say about a server.
type Card struct {
	// Name is a domain in reverse order, a slash and a name, such as "com.example/notes".
	Name string
	// URL is where clients reach MCP, such as "https://tools.example.com/mcp".
	URL string
	// Description has at most 100 characters; "" means the first sentence of the contract's.
	Description string
	// Token means that callers need a bearer token.
	Token bool

	title string
}

// Use serves the card of s at /mcp/server-card, and a catalog at /.well-known/ai-catalog.json, to everyone, if
// [sdk.Server.Run] serves s over HTTP. It returns the handler for programs that serve HTTP themselves: for the path
// of the URL followed by /server-card, and for that of the catalog. If the card is invalid, s does not start, and Use
// returns the reason.
func Use(s *sdk.Server, c Card) (http.Handler, error) {
	if err := c.complete(s); err != nil {
		s.OnStart(func(context.Context) error { return err })
		return nil, err
	}
	at, _ := url.Parse(c.URL) // complete has parsed it
	one, all := document(typeCard, c.card(s)), document(typeCatalog, c.catalog(at))
	s.Route(mcp+suffix, true, one)
	s.Route(catalog, true, all)
	mux := http.NewServeMux()
	mux.Handle(strings.TrimSuffix(at.EscapedPath(), "/")+suffix, one)
	mux.Handle(catalog, all)
	return mux, nil
}

// complete checks c and sets what is missing.
func (c *Card) complete(s *sdk.Server) error {
	contract := s.Contract()
	c.title = cmp.Or(contract.Title, s.Name())
	if c.Description == "" {
		c.Description = phrase.Summary(contract.Description, longest)
	}
	u, err := url.Parse(c.URL)
	shown := c.URL
	if err == nil {
		shown = u.Redacted()
	}
	switch {
	case !isName().MatchString(c.Name) || len(c.Name) > 200:
		return fmt.Errorf("server card: name %q must be a domain in reverse order and a name, such as com.example/notes", c.Name)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("server card: URL %q must be that of MCP, such as https://tools.example.com/mcp", shown)
	case c.Description == "" || utf8.RuneCountInString(c.Description) > longest:
		return fmt.Errorf("server card: the description must have 1 to %d characters", longest)
	}
	return nil
}

func (c *Card) card(s *sdk.Server) any {
	type input struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		IsRequired  bool   `json:"isRequired"`
		IsSecret    bool   `json:"isSecret"`
	}
	type remote struct {
		Type     string   `json:"type"`
		URL      string   `json:"url"`
		Headers  []input  `json:"headers,omitempty"`
		Versions []string `json:"supportedProtocolVersions"`
	}
	at := remote{Type: "streamable-http", URL: c.URL, Versions: wires.Versions}
	if c.Token {
		at.Headers = []input{{"Authorization", "Bearer, a space and the token.", true, true}}
	}
	return struct {
		Schema      string   `json:"$schema"`
		Name        string   `json:"name"`
		Version     string   `json:"version"`
		Description string   `json:"description"`
		Title       string   `json:"title"`
		Remotes     []remote `json:"remotes"`
	}{schema, c.Name, s.Version(), c.Description, phrase.Clip(c.title, longest-1), []remote{at}}
}

func (c *Card) catalog(at *url.URL) any {
	type entry struct {
		Identifier  string `json:"identifier"`
		DisplayName string `json:"displayName"`
		Type        string `json:"type"`
		URL         string `json:"url"`
	}
	_, name, _ := strings.Cut(c.Name, "/")
	return struct {
		SpecVersion string  `json:"specVersion"`
		Entries     []entry `json:"entries"`
	}{"1.0", []entry{{
		"urn:air:" + at.Hostname() + ":" + name, c.title, typeCard, strings.TrimSuffix(c.URL, "/") + suffix,
	}}}
}

// document returns a handler that serves a document to everyone, including pages of other sites.
func document(kind string, v any) http.Handler {
	text, _ := json.Marshal(v) // strings and booleans can always be encoded
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Allow-Headers", "Content-Type")
		switch r.Method {
		case http.MethodOptions:
			w.WriteHeader(http.StatusNoContent)
		case http.MethodGet, http.MethodHead:
			h.Set("Content-Type", kind)
			h.Set("Cache-Control", "public, max-age=3600")
			h.Set("Content-Length", strconv.Itoa(len(text)))
			if r.Method == http.MethodGet {
				_, _ = w.Write(text) // the client may have disconnected
			}
		default:
			h.Set("Allow", "GET, HEAD, OPTIONS")
			w.WriteHeader(http.StatusMethodNotAllowed)
		}
	})
}
