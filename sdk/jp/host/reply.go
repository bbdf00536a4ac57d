package host

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/jp/wire"
)

// ReplyKind says what became of an exchange.
type ReplyKind string

// The kinds of reply. A finished [Host.Call] has one of the first two.
const (
	OK         ReplyKind = "ok"          // the model gets Text as a result
	Error      ReplyKind = "error"       // the model gets Text as an error
	NeedsInput ReplyKind = "needs_input" // the tool asks Outcome.Question
	unanswered ReplyKind = "hang"        // the line answers nothing and the call waits on
)

// The rules, in the order in which they are tried.
const (
	ruleParse      = "parse-error"                  // the line is not JSON-RPC
	ruleID         = "id-mismatch"                  // the response is to no request of ours
	ruleRPCError   = "infra:json-rpc-error"         // the server answered with a JSON-RPC error
	ruleUnexpected = "infra:unexpected-response"    // the result is not a tool result
	ruleClosed     = "infra:closed"                 // the connection ended first
	ruleNative     = "native"                       // a snapshot host takes results as they are
	ruleContentLen = "native:content-len"           // not exactly one block
	ruleNotText    = "native:not-text"              // the block is not text
	ruleNotOutcome = "native:not-an-outcome"        // the text is not an outcome
	ruleTieBreak   = "tiebreak:is_error-vs-success" // isError beside a success
	ruleOutcome    = "outcome"                      // the outcome counts
	ruleRawOK      = "raw-ok"                       // a local tool's plain output, exit status 0
	ruleRawFailed  = "raw-failed"                   // a local tool's plain output, another status
	ruleCancelled  = "input:cancelled"              // the person would not answer
	ruleInquiry    = "input:failed"                 // asking failed
)

// Texts that JP gives to the model, in which everything else that was known is lost.
const (
	textInfra     = "Failed to run tool from MCP client"
	textCancelled = "Tool input cancelled by user."
)

// Reply is what JP makes of an answer: the text that the model gets, and how it came about.
type Reply struct {
	Kind ReplyKind
	Text string
	// Rule names the decision, for tests and diagnostics.
	Rule string
	// Warn says that JP logs a warning, since the server contradicts itself.
	Warn bool
	// ResultType is the MCP type that JP's client takes the result for: the first that fits.
	ResultType string
	// Outcome is what the text held, when [ruleOutcome] or [ruleTieBreak] decided.
	Outcome *wire.Outcome
	// Raw is the last result or JSON-RPC error as it came.
	Raw json.RawMessage

	// Rounds counts the exchanges of a [Host.Call], and Questions is what was asked, in order.
	Rounds    int
	Questions []wire.Question
}

func infra(rule, resultType string, raw json.RawMessage) Reply {
	return Reply{Kind: Error, Text: textInfra, Rule: rule, ResultType: resultType, Raw: raw}
}

// read makes o the reply; text is the envelope it came in.
func (r Reply) read(o wire.Outcome, text string) Reply {
	r.Rule, r.Outcome = ruleOutcome, &o
	switch {
	case o.Type == wire.TypeSuccess:
		r.Kind, r.Text = OK, o.Content
	case o.Type == wire.TypeNeedsInput:
		r.Kind, r.Text = NeedsInput, ""
	case o.Transient:
		r.Kind, r.Text = Error, transientText(o)
	default:
		r.Kind, r.Text = Error, text
	}
	return r
}

func transientText(o wire.Outcome) string {
	text := append(quote([]byte(`{"message":`), o.Message), `,"trace":[`...)
	for i, cause := range o.Trace {
		if i > 0 {
			text = append(text, ',')
		}
		text = quote(text, cause)
	}
	return string(append(text, "]}"...))
}
