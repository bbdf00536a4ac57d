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
	Unanswered ReplyKind = "hang"        // the line answers nothing and the call waits on
)

// Rule names the decision that made a [Reply], for tests and diagnostics.
type Rule string

// The rules, in the order in which they are tried.
const (
	RuleParse      Rule = "parse-error"                  // the line is not JSON-RPC
	RuleID         Rule = "id-mismatch"                  // the response is to no request of ours
	RuleRPCError   Rule = "infra:json-rpc-error"         // the server answered with a JSON-RPC error
	RuleUnexpected Rule = "infra:unexpected-response"    // the result is not a tool result
	RuleClosed     Rule = "infra:closed"                 // the connection ended first
	RuleNative     Rule = "native"                       // a snapshot host takes results as they are
	RuleContentLen Rule = "native:content-len"           // not exactly one block
	RuleNotText    Rule = "native:not-text"              // the block is not text
	RuleNotOutcome Rule = "native:not-an-outcome"        // the text is not an outcome
	RuleTieBreak   Rule = "tiebreak:is_error-vs-success" // isError beside a success
	RuleOutcome    Rule = "outcome"                      // the outcome counts
	RuleRawOK      Rule = "raw-ok"                       // a local tool's plain output, exit status 0
	RuleRawFailed  Rule = "raw-failed"                   // a local tool's plain output, another status
	RuleCancelled  Rule = "input:cancelled"              // the person would not answer
	RuleInquiry    Rule = "input:failed"                 // asking failed
	RuleRounds     Rule = "input:rounds"                 // the tool asks without end
)

// Texts that JP gives to the model, in which everything else that was known is lost.
const (
	TextInfra     = "Failed to run tool from MCP client"
	TextCancelled = "Tool input cancelled by user."
)

// Reply is what JP makes of an answer: the text that the model gets, and how it came about.
type Reply struct {
	Kind ReplyKind
	Text string
	Rule Rule
	// Warn says that JP logs a warning, since the server contradicts itself.
	Warn bool
	// ResultType is the MCP type that JP's client takes the result for: the first that fits.
	ResultType string
	// Outcome is what the text held, when [RuleOutcome] or [RuleTieBreak] decided.
	Outcome *wire.Outcome
	// Raw is the last result or JSON-RPC error as it came.
	Raw json.RawMessage

	// Rounds counts the exchanges of a [Host.Call], and Questions is what was asked, in order.
	Rounds    int
	Questions []wire.Question
}

func infra(rule Rule, resultType string, raw json.RawMessage) Reply {
	return Reply{Kind: Error, Text: TextInfra, Rule: rule, ResultType: resultType, Raw: raw}
}

// read makes o the reply; text is the envelope it came in.
func (r Reply) read(o wire.Outcome, text string) Reply {
	r.Rule, r.Outcome = RuleOutcome, &o
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
