package jphost

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// ReadResult returns the reply that JP derives from the result of a tools/call. If the result is a single text
// block that contains an outcome, JP uses the outcome instead of the text, with one exception: a success with isError
// is an error. If the block claims to be a question and cannot be parsed, the call fails.
func ReadResult(result json.RawMessage, version Version) Reply {
	if wire.Check(result) != nil {
		return Reply{Kind: unanswered, Rule: ruleParse, Raw: result}
	}
	return readResult(result, version)
}

// readResult reads a result. A snapshot host joins all text, and isError decides.
func readResult(raw json.RawMessage, version Version) Reply {
	name := resultType(raw)
	if name != callToolResult {
		return infra(ruleUnexpected, name, raw)
	}
	result := readCallResult(raw, version)
	reply := result.reply(version)
	reply.ResultType, reply.Raw = name, raw
	switch {
	case version == snapshot:
		return reply
	case len(result.blocks) != 1:
		reply.Rule = ruleContentLen
		return reply
	case result.blocks[0].kind != "text":
		reply.Rule = ruleNotText
		return reply
	}
	text := result.blocks[0].text
	outcome, err := version.Codec().ReadOutcome([]byte(text))
	switch {
	case err != nil && version == Today && wire.ClaimsNeedsInput(text):
		reply.Kind, reply.Rule, reply.Text = Failed, ruleMalformed, fmt.Sprintf(textMalformed, "the tool", err)
	case err != nil:
		reply.Rule = ruleNotOutcome
	case outcome.Type == jpdoc.TypeSuccess && result.isError:
		reply.Rule, reply.Warn, reply.Outcome = ruleTieBreak, true, &outcome
	default:
		reply = reply.read(outcome, text)
	}
	return reply
}

// callResult is a tool result that [resultType] has accepted.
type callResult struct {
	blocks           []block
	isError          bool
	structured, meta json.RawMessage
}

// block is a content block: its type, and its text if JP uses it.
type block struct {
	kind, text string
	shown      bool
}

func (c callResult) reply(version Version) Reply {
	reply := Reply{Kind: OK, Rule: ruleNative}
	if version == Today {
		reply.Structured, reply.Meta = c.structured, c.meta
	}
	if c.isError {
		reply.Kind = Error
		details, _ := readObject(reply.Meta)
		details, _ = readObject(details[wire.MetaError])
		reply.Transient = string(details["transient"]) == "true"
		for _, cause := range readArray(details["trace"]) {
			reply.Trace = append(reply.Trace, readString(cause))
		}
	}
	var texts []string
	for _, b := range c.blocks {
		if b.shown {
			texts = append(texts, b.text)
		}
	}
	reply.Text = strings.Join(texts, "\n\n")
	return reply
}

func readCallResult(raw json.RawMessage, version Version) callResult {
	fields, _ := readObject(raw)
	result := callResult{
		isError: string(fields["isError"]) == "true", structured: fields["structuredContent"], meta: fields["_meta"],
	}
	for _, item := range readArray(fields["content"]) {
		b, _ := readObject(item)
		kind := readString(b["type"])
		switch kind {
		case "text":
			result.blocks = append(result.blocks, block{kind, readString(b["text"]), true})
		case "resource":
			resource, _ := readObject(b["resource"])
			text, isText := resource["text"]
			switch {
			case isText && isString(text):
			case version == Today:
				text = resource["uri"]
			default:
				text = resource["blob"]
			}
			result.blocks = append(result.blocks, block{kind, readString(text), true})
		default:
			result.blocks = append(result.blocks, block{kind: kind})
		}
	}
	return result
}
