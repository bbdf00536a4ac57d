package handler

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/sdk/access"
)

// Scope returns a digest of the server, the tool, resource or prompt, the arguments, and of the root,
// workspace, grants, options and caller of a run.
// Consent in one scope does not apply to another.
func (r *Run) Scope() []byte { return r.ScopeIn(r.WorkspaceID) }

// ScopeIn is like [Run.Scope] for a run of the same call in another workspace.
func (r *Run) ScopeIn(workspaceID string) []byte {
	where := [...]string{r.scopeName(), r.Caller.Subject, r.Root, workspaceID}
	return r.digest(where, r.Arguments, r.Access, r.Options)
}

// cursorScope returns the purpose of a cursor. It binds the cursor to the server, the tool, its other arguments
// and the caller, but not to the workspace, because JP does not name the workspace in each call.
func (r *Run) cursorScope() []byte {
	return r.digest([...]string{"cursor of " + r.scopeName(), r.Caller.Subject, "", ""}, r.query(), nil, nil)
}

func (r *Run) digest(
	where [4]string, arguments json.RawMessage, grants *access.Policy, options []json.RawMessage,
) []byte {
	h := sha256.New()
	part := func(data []byte) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
	}
	part([]byte(r.Rules.Server))
	for _, text := range where {
		part([]byte(text))
	}
	part(canonical(arguments))
	data, _ := json.Marshal(grants) // cannot fail, because a policy is plain data
	part(data)
	for _, layer := range options {
		if text := canonical(layer); string(text) != "{}" {
			part(text)
		}
	}
	return h.Sum(nil)
}

// canonical returns a compact object with its members sorted by name. Numbers keep their digits.
func canonical(object json.RawMessage) []byte {
	if text := bytes.TrimSpace(object); len(text) == 0 || string(text) == "null" {
		return []byte("{}")
	}
	sorted, err := jsontext.AppendFormat(nil, object, jsontext.ReorderRawObjects(true))
	if err != nil {
		return object
	}
	return sorted
}
