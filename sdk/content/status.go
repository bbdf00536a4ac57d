package content

import "fmt"

// A Status says whether a tool continues after this result. It is for tools that stay active over several
// calls, such as a shell session (JP RFD 058, Stateful tool responses). It is a block without content, at
// most one per result:
//
//	return content.Blocks{content.Text{Text: output}, content.Running}, nil
//
// Only JP's content blocks carry it; all other protocols omit it. A tool that needs input does not return a
// status; it asks a question.
type Status string

// Statuses that a handler may return. A result without a status means that the tool has stopped.
const (
	Running Status = "running" // the tool is active; this may be part of its output
	Stopped Status = "stopped" // the tool has finished; this is its result
)

func (Status) kind() string       { return "status" }
func (Status) text(_ bool) string { return "" }

func (s Status) check() error {
	switch s {
	case Running, Stopped:
		return nil
	case "waiting":
		return fmt.Errorf("a tool must ask a question to wait for input")
	}
	return fmt.Errorf("unknown status %.40q", string(s))
}

// Status returns the status in the blocks, or "" for blocks without a status.
func (b Blocks) Status() Status {
	for _, block := range b {
		if s, ok := block.(Status); ok {
			return s
		}
	}
	return ""
}
