package wires

import (
	"errors"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/jp/jpbridge"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// A host is a version of JP's protocol: a way in which a JP host reads outcomes, which contain the questions. The host
// stores the answers, and sends them all in the next request.
type host struct {
	version string // the value of --jp
	former  string // a former name of the version, or ""
	// forms means that an outcome can contain several questions; secrets, that hosts hide secrets. Other hosts echo the
	// answer, store it, and may let a model supply it.
	forms, secrets bool
	// write returns the text of f if f is not nil, otherwise of the pending questions if there are any, otherwise of r.
	write func(f *fault.Error, pending []question.Question, r handler.Result) ([]byte, error)
}

// hosts are the versions of JP's protocol, in the order of help.
var hosts = []*host{outcome, outcomeUntagged, blocks}

// hostOf returns the host with a version that [ParseVersion] returned, or nil for "".
func hostOf(version string) *host {
	if i := slices.IndexFunc(hosts, func(h *host) bool { return h.version == version }); i >= 0 {
		return hosts[i]
	}
	return nil
}

// ParseVersion returns the version of JP's protocol with the given name, which may be a former name. If there is none,
// it returns an error that lists the versions.
func ParseVersion(name string) (version string, err error) {
	var names []string
	for _, h := range hosts {
		if name != "" && (name == h.version || name == h.former) {
			return h.version, nil
		}
		names = append(names, h.version)
	}
	last := len(names) - 1
	return "", errors.New("supported versions are " + strings.Join(names[:last], ", ") + " and " + names[last])
}

// hosted carries a call of a JP host, as text in a result of MCP.
type hosted struct{ *Call }

// Begin sets the asker, and recalls the work of the run before.
func (h hosted) Begin(run *handler.Run, _ *Outcome) error {
	m := &h.set.memory
	run.Asker = h.set.asker
	answers := declaredAnswers(h.Contract, run.Answers)
	run.Once = m.recall(waiting{run.Scope(), answers}, h.set.Log)
	if run.Once == nil && run.WorkspaceID != "" {
		// A host's first call lacks the workspace if there are no options and no answers (JP RFD D31).
		run.Once = m.recall(waiting{run.ScopeIn(""), answers}, h.set.Log)
	}
	return nil
}

// End keeps the work of a run that asks questions.
func (h hosted) End(run *handler.Run, o *Outcome) {
	if pending, ok := o.Err.(*question.Pending); ok {
		h.set.memory.keep(waiting{run.Scope(), declaredAnswers(h.Contract, run.Answers)}, pending.IDs(), o.Result.Once)
	}
}

// Refuse returns nil, because a JP host does not read protocol errors.
func (h hosted) Refuse(*fault.Error) *rpc.Error { return nil }

// Render appends a result with the text for the host. MCP's isError is true only for errors: a JP host discards a
// success with isError, and any other host must recognize an error.
func (h hosted) Render(w *rpc.Writer, o *Outcome) {
	text, isError := h.set.host.text(o.Result, o.Err)
	h.Open(w, Complete)
	w.Name("content").Begin('[')
	h.appendText(w, text, content.Annotations{})
	w.End(']')
	h.close(w, nil, isError)
}

// text returns an outcome as text, and whether the call failed.
func (h *host) text(result handler.Result, err error) (text string, failed bool) {
	var asked []question.Question
	f := fault.From(err)
	if pending, ok := err.(*question.Pending); ok {
		f, asked = nil, pending.Questions
	}
	data, err := h.write(f, asked, result)
	if err != nil {
		// This can only be a question that the version does not support: results have been checked.
		f = fault.Wrap(err, fault.Internal, "the result cannot be sent to this host: %s", err)
		data, _ = h.write(f, nil, handler.Result{})
	}
	return string(data), f != nil
}

// encode returns a document as JSON.
func encode(document any, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return jsonv2.Marshal(document, jpbridge.Encoding)
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

// asker returns the asker for a door.
func (h *host) asker(door Door) question.Asker {
	a := question.Later(h.forms, false)
	a.Secrets = h.secrets && (door == Requests || door == Plugin)
	a.Exposed = door == CommandLine
	a.Resend = func(q question.Question) string {
		switch {
		case q.Kind == question.KindVisit:
			return "Tell the user: a client that supports MCP's URL mode elicitation can ask this question."
		case door == Requests:
			return "Tell the user: JP can ask for it if the server is started with --jp instead of --jp=" + h.version + "."
		}
		return "JP passes the answers for a local tool in the arguments of a process, where other programs can read them. " +
			"Tell the user: JP can ask for it if it uses this server as an MCP server with --jp."
	}
	return a
}
