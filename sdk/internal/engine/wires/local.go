package wires

import (
	"fmt"
	"unicode/utf8"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/internal/rpc"
	"github.com/jptool/jptool/sdk/jp/jpbridge"
	"github.com/jptool/jptool/sdk/jp/wire"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// Local is the wire of a process that runs one tool for a JP host and prints its outcome. The host stores the answers.
type Local struct {
	host *host
	door Door
}

// NewLocal returns the wire for a version of JP's protocol that [ParseVersion] returned.
func NewLocal(version string, door Door) Local { return Local{hostOf(version), door} }

// Begin sets the asker.
func (l Local) Begin(run *handler.Run, _ *Outcome) error {
	run.Asker = l.host.asker(l.door)
	return nil
}

// End changes nothing: the next run is another process.
func (l Local) End(*handler.Run, *Outcome) {}

// Refuse returns nil, because the host reads only the output.
func (l Local) Refuse(*fault.Error) *rpc.Error { return nil }

// Render appends the text of the outcome.
func (l Local) Render(w *rpc.Writer, o *Outcome) {
	text, _ := l.Text(o.Result, o.Err)
	w.Raw(text)
}

// Text returns an outcome as text for the host, and whether the call failed. A command plugin prints the Outcome in
// the messages that end a call. JP takes the failure of a tool from its Outcome, so the plugin itself never fails.
func (l Local) Text(result handler.Result, err error) (text string, failed bool) {
	text, failed = l.host.text(result, err)
	if l.door == Plugin {
		return fmt.Sprintf(`{"type":"ready","protocol":%d}`+"\n"+`{"type":"tool_outcome","outcome":%s}`+"\n"+`{"type":"exit","code":0}`,
			jpbridge.PluginProtocol, text), false
	}
	return text, failed
}

// Shown returns the text of formatted arguments for the host. It is unchanged if a host shows it unchanged. If a host
// of any version would parse the text, it becomes a result, because the author of the text must not speak for the tool.
func (l Local) Shown(text string) string {
	if l.door == Plugin || wire.LooksLikeOutcome(text) || wire.LooksLikeBlocks(text) || !utf8.ValidString(text) {
		text, _ = l.Text(handler.Text(text))
	}
	return text
}
