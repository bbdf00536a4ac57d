package engine

import (
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/gen/question"
	"github.com/jptool/jptool/sdk/tool"
)

// byReply asks through a [Reply] that renders questions, for hosts that store the answers.
type byReply struct {
	e        *Engine
	contract *manifest.Tool
}

func (w *byReply) before(r tool.Request) (tool.Request, error) {
	r.Asker = w.e.Asker
	r.Once = w.e.memory.recall(w.run(r), w.e.Log)
	if r.Once == nil && r.WorkspaceID != "" {
		// In its first call, a host without options or answers does not name its workspace (JP
		// RFD D31).
		unsaid := r
		unsaid.WorkspaceID = ""
		r.Once = w.e.memory.recall(w.run(unsaid), w.e.Log)
	}
	return r, nil
}

func (w *byReply) pending(r tool.Request, out tool.Result, p *question.Pending) (Appender, error) {
	w.e.memory.keep(w.run(r), p.IDs(), out.Once)
	text, failed := w.e.Reply(out, p)
	return textResult{text, failed}, nil
}

func (w *byReply) run(r tool.Request) run {
	return run{scope: w.e.Trust.Scope(w.contract.Name, r), answers: declared(w.contract, r.Answers)}
}

// A textResult is a result with a single text block.
type textResult struct {
	text   string
	failed bool
}

// AppendTo appends the members.
func (t textResult) AppendTo(w *Writer) {
	w.Name("content")
	w.Raw(`[{"type":"text","text":`)
	w.String(t.text)
	w.Raw("}]")
	if t.failed {
		w.Name("isError")
		w.Raw("true")
	}
}
