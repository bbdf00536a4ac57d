package content

import "fmt"

// A Status says whether a tool goes on after this result: for a tool that lives
// through several calls, such as a shell session (JP RFD 058, Stateful tool
// responses). It is a block without content, one at most in a result:
//
//	return content.Blocks{content.Text{Text: output}, content.Running}, nil
//
// Only JP's content blocks carry it; every other protocol leaves it out. A tool
// that needs input does not say so here, it asks.
type Status string

// The statuses that a handler may return. Without one a tool counts as stopped.
const (
	Running Status = "running" // active, and this may be a part of its output
	Stopped Status = "stopped" // finished, and this is its result
)

func (Status) kind() string       { return "status" }
func (Status) text(_ bool) string { return "" }

func (s Status) check() error {
	switch s {
	case Running, Stopped:
		return nil
	case "waiting":
		return fmt.Errorf("a tool waits by asking a question")
	}
	return fmt.Errorf("unknown status %.40q", string(s))
}

// Status returns the status among the blocks, and "" if there is none.
func (b Blocks) Status() Status {
	for _, block := range b {
		if s, ok := block.(Status); ok {
			return s
		}
	}
	return ""
}
