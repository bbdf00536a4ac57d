package jphost

import (
	"encoding/json"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

// ReplyKind classifies a [Reply].
type ReplyKind string

// Kinds of replies. A finished [Host.Call] returns OK, Error or Failed.
const (
	OK         ReplyKind = "ok"          // the model receives Text as a result
	Error      ReplyKind = "error"       // the model receives Text as an error
	Failed     ReplyKind = "failed"      // the call fails, as if there were no result; Text says why
	NeedsInput ReplyKind = "needs_input" // the tool asks Outcome.Question
	unanswered ReplyKind = "hang"        // the line is not a response to the call, so the call keeps waiting
)

// Rules that determine the reply, in the order in which they are checked.
const (
	ruleParse      = "parse-error"                  // the line is not JSON-RPC
	ruleID         = "id-mismatch"                  // the response is not to a request from the host
	ruleRPCError   = "infra:json-rpc-error"         // the server responded with a JSON-RPC error
	ruleUnexpected = "infra:unexpected-response"    // the result is not a tool result
	ruleClosed     = "infra:closed"                 // the connection ended before the response
	ruleNative     = "native"                       // a snapshot host uses results unchanged
	ruleContentLen = "native:content-len"           // not exactly one block
	ruleNotText    = "native:not-text"              // the block is not text
	ruleNotOutcome = "native:not-an-outcome"        // the text is not an outcome
	ruleTieBreak   = "tiebreak:is_error-vs-success" // isError contradicts a success in the outcome
	ruleOutcome    = "outcome"                      // the outcome is used
	ruleMalformed  = "malformed"                    // the text claims to be a question and cannot be parsed
	ruleRawOK      = "raw-ok"                       // the plain output of a local tool with exit status 0
	ruleRawFailed  = "raw-failed"                   // the plain output of a local tool with another exit status
	rulePlugin     = "plugin-failed"                // a command plugin failed, or did not follow the protocol
	ruleCancelled  = "input:cancelled"              // the person declined to answer
	ruleInquiry    = "input:failed"                 // asking failed
)

// Text that JP gives to the model. It replaces all other information about the failure. The error in textMalformed
// is ours, not JP's.
const (
	textInfra     = "Failed to run tool from MCP client"
	textCancelled = "Tool input cancelled by user."
	textMalformed = "%s produced a malformed inquiry that could not be parsed: %s"
)

// Reply is the reply that JP derives from a response: the text for the model, and how it was determined.
type Reply struct {
	Kind ReplyKind
	Text string
	// Rule is the rule that determined the reply, for tests and diagnostics.
	Rule string
	// Warn reports that JP logs a warning, because the server contradicts itself.
	Warn bool
	// ResultType is the MCP type that JP's client decodes the result into. It is the first type that fits.
	ResultType string
	// Outcome is the parsed outcome if [ruleOutcome] or [ruleTieBreak] applied.
	Outcome *jpdoc.Outcome
	// Transient and Trace describe an error: those of the Outcome, or those in the _meta of a native result.
	Transient bool
	Trace     []string
	// Structured and Meta are the structured content and the _meta of an MCP result, which JP keeps, or nil.
	Structured, Meta json.RawMessage
	// Raw is the last result or JSON-RPC error, unchanged.
	Raw json.RawMessage

	// Rounds is the number of exchanges of a [Host.Call], and Questions holds the questions that were asked, in
	// order.
	Rounds    int
	Questions []jpdoc.Question
}

func infra(rule, resultType string, raw json.RawMessage) Reply {
	return Reply{Kind: Error, Text: textInfra, Rule: rule, ResultType: resultType, Raw: raw}
}

// read sets the reply to an outcome. text is the text that contained the outcome.
func (r Reply) read(o jpdoc.Outcome, text string) Reply {
	r.Rule, r.Outcome, r.Transient, r.Trace = ruleOutcome, &o, o.Transient, o.Trace
	switch {
	case o.Type == jpdoc.TypeSuccess:
		r.Kind, r.Text = OK, o.Content
	case o.Type == jpdoc.TypeNeedsInput:
		r.Kind, r.Text = NeedsInput, ""
	case o.Transient:
		r.Kind, r.Text = Error, transientText(o)
	default:
		r.Kind, r.Text = Error, text
	}
	return r
}

func transientText(o jpdoc.Outcome) string {
	text := append(quote([]byte(`{"message":`), o.Message), `,"trace":[`...)
	for i, cause := range o.Trace {
		if i > 0 {
			text = append(text, ',')
		}
		text = quote(text, cause)
	}
	return string(append(text, "]}"...))
}
