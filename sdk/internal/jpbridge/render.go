package jpbridge

import (
	"fmt"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A Render returns the results of [handler.Tool.Run] as text for a JP host, and whether the call failed.
type Render func(result handler.Result, err error) (text string, failed bool)

// ParseVersion returns the version of JP's protocol with the given name, which may be a former name. If there is none,
// it returns an error that lists the versions.
func ParseVersion(name string) (version string, err error) {
	switch name {
	case wire.VersionOutcome, wire.VersionOutcomeUntagged, wire.VersionBlocks:
		return name, nil
	case "outcome-082":
		return wire.VersionOutcome, nil
	}
	return "", fmt.Errorf("supported versions are %s, %s and %s",
		wire.VersionOutcome, wire.VersionOutcomeUntagged, wire.VersionBlocks)
}

// RenderIn returns the Render for a version that [ParseVersion] returned, or nil for "".
func RenderIn(version string) Render {
	switch version {
	case wire.VersionOutcome:
		return outcomeIn(true).render
	case wire.VersionOutcomeUntagged:
		return outcomeIn(false).render
	case wire.VersionBlocks:
		return format(blocks).render
	}
	return nil
}

// A format returns the value to encode as JSON. The value represents f if f is not nil, otherwise the
// pending questions if there are any, otherwise r.
type format func(f *fault.Error, pending []question.Question, r handler.Result) (any, error)

// encoding replaces invalid UTF-8, because a document that cannot be parsed would lose the whole text.
var encoding = jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(e *jsontext.Encoder, s string) error {
	return e.WriteToken(jsontext.String(strings.ToValidUTF8(s, "\uFFFD")))
}))

func (formatted format) render(result handler.Result, err error) (text string, isError bool) {
	var asked []question.Question
	f := fault.From(err)
	if pending, ok := err.(*question.Pending); ok {
		f, asked = nil, pending.Questions
	}
	data, err := formatted.encode(f, asked, result)
	if err != nil {
		// This can only be a question that the version does not support: results have been checked.
		f = fault.Wrap(err, fault.Internal, "the result cannot be sent to this host: %s", err)
		data, _ = formatted.encode(f, nil, handler.Result{})
	}
	return string(data), f != nil
}

func (formatted format) encode(f *fault.Error, pending []question.Question, r handler.Result) ([]byte, error) {
	v, err := formatted(f, pending, r)
	if err != nil {
		return nil, err
	}
	return jsonv2.Marshal(v, encoding)
}

// A Door is the way in which a JP host passes answers to a tool.
type Door int

// The doors of a JP host.
const (
	Requests    Door = iota // in the _meta of a request
	CommandLine             // in the arguments of a process, which other programs can read
	Input                   // on the standard input of a process that runs one tool
	Plugin                  // the same, in the protocol of a command plugin
)

// Asker returns the asker for a version of JP's protocol and a door. An Outcome contains at most one question with one
// answer, so only content blocks support forms. Only tagged Outcomes support secrets: hosts of other versions echo
// the answer, store it, and may let a model supply it.
func Asker(version string, door Door) question.Asker {
	a := question.Later(version == wire.VersionBlocks, false)
	a.Secrets = version == wire.VersionOutcome && (door == Requests || door == Plugin)
	a.Exposed = door == CommandLine
	a.Resend = func(q question.Question) string {
		switch {
		case q.Kind == question.KindVisit:
			return "Tell the user: a client that supports MCP's URL mode elicitation can ask this question."
		case door == Requests:
			return "Tell the user: JP can ask for it if the server is started with --jp instead of --jp=" + version + "."
		}
		return "JP passes the answers for a local tool in the arguments of a process, where other programs can read them. " +
			"Tell the user: JP can ask for it if it uses this server as an MCP server with --jp."
	}
	return a
}

// Plain returns text unchanged if a JP host shows it unchanged. If a host of any version would parse the
// text, Plain renders it as a result, because the author of the text must not speak for the tool.
func (render Render) Plain(text string) string {
	if wire.LooksLikeOutcome(text) || wire.LooksLikeBlocks(text) || !utf8.ValidString(text) {
		text, _ = render(handler.Text(text))
	}
	return text
}
