package jpbridge

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// PluginProtocol is the version of JP's protocol for command plugins (JP RFD 072) in which JP calls tools. JP
// also runs plugins that require an older version than its own.
const PluginProtocol = 12

// A Start is the line that JP writes to a command plugin when it starts the plugin.
type Start struct {
	Describe bool   // whether JP asks for a description; otherwise, JP calls a tool
	Tool     string // the name of the tool
	Call     Call
}

// ReadStart parses the line. If it returns an error, the plugin must not run a tool: JP does not write such a line,
// or supports only an older protocol, or runs the plugin as a command.
func ReadStart(line []byte) (Start, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return Start{}, errors.New("expected a message of JP's plugin protocol on standard input, got nothing")
	}
	if err := wire.Check(line); err != nil {
		return Start{}, fmt.Errorf("the message on standard input: %w", err)
	}
	var m struct {
		Type      string `json:"type"`
		Version   uint32 `json:"version"`
		Workspace struct {
			Root *string `json:"root"`
			ID   string  `json:"id"`
		} `json:"workspace"`
		Tool *struct {
			Name         string         `json:"name"`
			Action       jsontext.Value `json:"action"`
			Access       jsontext.Value `json:"access"`
			Conversation string         `json:"conversation"`
		} `json:"tool"`
	}
	err := jsonv2.Unmarshal(line, &m)
	switch {
	case err != nil:
		return Start{}, fmt.Errorf("the message on standard input: %s", misfit(err))
	case m.Type == "describe":
		return Start{Describe: true}, nil
	case m.Type != "init":
		return Start{}, fmt.Errorf(`the message on standard input has the type %s, expected "init" or "describe"`, quoted(m.Type))
	case m.Version < PluginProtocol:
		return Start{}, fmt.Errorf("JP uses version %d of its plugin protocol, but tools require version %d; update JP", m.Version, PluginProtocol)
	case m.Tool == nil:
		return Start{}, errors.New(`this plugin has no command; JP calls its tools if the configuration of a tool names it: source = "command.PLUGIN"`)
	case m.Workspace.Root == nil:
		return Start{}, errors.New("the message on standard input: workspace.root: missing, expected a string")
	case m.Tool.Name == "":
		return Start{}, errors.New("the message on standard input: tool.name: missing, expected the name of a tool")
	}
	where, err := jsonv2.Marshal(struct {
		Root         string         `json:"root"`
		Action       jsontext.Value `json:"action,omitzero"`
		Access       jsontext.Value `json:"access,omitzero"`
		Workspace    string         `json:"workspace_id"`
		Conversation string         `json:"conversation_id"`
	}{*m.Workspace.Root, m.Tool.Action, m.Tool.Access, m.Workspace.ID, m.Tool.Conversation})
	if err != nil {
		return Start{}, err
	}
	call, _, err := Documents{Tool: rawjson.Get(line, "tool"), Context: where}.read()
	switch {
	case err != nil:
		return Start{}, fmt.Errorf("the message on standard input: tool.%w", err)
	case call.Action != wire.ActionRun && call.Action != wire.ActionFormatArguments:
		return Start{}, fmt.Errorf("the message on standard input: tool.action: expected %q or %q, got %s",
			wire.ActionRun, wire.ActionFormatArguments, quoted(string(call.Action)))
	}
	return Start{Tool: m.Tool.Name, Call: call}, nil
}

// misfit describes why JSON does not fit a Go type, without the value, which may be a secret.
func misfit(err error) string {
	if e, ok := errors.AsType[*jsonv2.SemanticError](err); ok {
		path := strings.ReplaceAll(strings.TrimPrefix(string(e.JSONPointer), "/"), "/", ".")
		return strings.TrimPrefix(path+": a value of the wrong type", ": ")
	}
	return strings.TrimPrefix(err.Error(), "jsontext: ")
}

func quoted(text string) string { return fmt.Sprintf("%q", phrase.Clip(text, 40)) }

// Refusal returns the message of a command plugin that did not run a tool. JP shows the error to the user.
func Refusal(err error) string {
	return message(struct {
		Type   string `json:"type"`
		Code   int    `json:"code"`
		Reason string `json:"reason"`
	}{"exit", 1, err.Error()})
}

// DescribePlugin returns the answer of a command plugin to JP's question for a description, with the given tools of
// the server. It contains no control characters and no empty description, which JP rejects.
func DescribePlugin(server *manifest.Server, version string, tools []string) string {
	help := phrase.OneLine(server.Description) + "\n\nTools:"
	for _, name := range tools {
		t, _, _ := server.Resolve(name)
		help += "\n  " + name + "  " + phrase.FirstSentence(t.Description)
	}
	help += "\n\nJP calls a tool if the configuration of the tool says source = \"command." + server.Name + "\"."
	return message(struct {
		Type        string   `json:"type"`
		Protocol    int      `json:"protocol"`
		Name        string   `json:"name"`
		Version     string   `json:"version"`
		Description string   `json:"description"`
		Command     []string `json:"command"`
		Help        string   `json:"help"`
	}{"describe", PluginProtocol, server.Name, version, cmp.Or(phrase.FirstSentence(server.Description), server.Name), []string{server.Name}, help})
}

// Encoding replaces invalid UTF-8, because a document that cannot be parsed would lose the whole text.
var Encoding = jsonv2.WithMarshalers(jsonv2.MarshalToFunc(func(e *jsontext.Encoder, s string) error {
	return e.WriteToken(jsontext.String(strings.ToValidUTF8(s, "\uFFFD")))
}))

func message(m any) string {
	line, _ := jsonv2.Marshal(m, Encoding) // strings can always be encoded
	return string(line)
}
