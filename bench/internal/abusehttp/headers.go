package abusehttp

import (
	"slices"
	"strings"

	"github.com/jptool/jptool/bench/internal/request"
)

// drop returns the header fields without the named field.
func drop(fields []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(fields), func(f string) bool {
		return strings.HasPrefix(strings.ToLower(f), strings.ToLower(name)+":")
	})
}

// set returns the header fields with a new value for the named field.
func set(fields []string, name, value string) []string {
	rest := drop(fields, name)
	if len(rest) == len(fields) {
		return fields
	}
	return append(rest, name+": "+value)
}

// headers returns valid calls with unusual header fields.
func headers(era request.Era) []exchange {
	body := replaceInCall(era, "", "")
	h := func(name string, fields func([]string) []string, j judge) exchange {
		return exchange{group: "headers", name: name, body: body, fields: fields, judge: j}
	}
	to := func(name, value string) func([]string) []string {
		return func(f []string) []string { return append(drop(f, name), name+": "+value) }
	}
	without := func(name string) func([]string) []string { return func(f []string) []string { return drop(f, name) } }
	foreign := h("different host", nil, status(403, 421))
	foreign.host = "evil.example"
	local := h("host localhost", nil, wantGood(id))
	local.host = "localhost"
	all := []exchange{
		h("Content-Type text/plain", to("Content-Type", "text/plain"), status(400, 415)),
		h("missing Content-Type", without("Content-Type"), status(400, 415)),
		h("Content-Type with a charset", to("Content-Type", "application/json; charset=utf-8"), wantGood(id)),
		h("Accept text/html", to("Accept", "text/html"), status(400, 406)),
		foreign, local,
		h("different origin", to("Origin", "http://evil.example"), status(403)),
		h("null origin", to("Origin", "null"), status(403)),
		{group: "headers", name: "method PUT", verb: "PUT", body: body, judge: status(405)},
	}
	if era == request.Sessions {
		return append(all,
			h("an unknown session", to(request.SessionHeader, "4711"), status(404)),
			h("an unknown version", to("MCP-Protocol-Version", "1999-01-01"), status(400)),
			exchange{group: "headers", name: "DELETE of an unknown session", verb: "DELETE",
				fields: to(request.SessionHeader, "4711"), judge: status(404)},
		)
	}
	mismatch := fails(-32020, id, 400)
	return append(all,
		h("a version that differs from the body", to("MCP-Protocol-Version", "2025-11-25"), mismatch),
		h("missing version", without("MCP-Protocol-Version"), mismatch),
		h("a method that differs from the body", to("Mcp-Method", "tools/list"), mismatch),
		h("missing method", without("Mcp-Method"), mismatch),
		h("a name that differs from the body", to("Mcp-Name", "search_2"), mismatch),
		h("missing name", without("Mcp-Name"), mismatch),
		h("name in base64", to("Mcp-Name", "=?base64?c2VhcmNoXzE=?="), wantGood(id)),
		h("different name in base64", to("Mcp-Name", "=?base64?c2VhcmNoXzI=?="), mismatch),
		h("name in malformed base64", to("Mcp-Name", "=?base64?c2Vhc!!!?="), mismatch),
	)
}
