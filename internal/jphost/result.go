package jphost

import (
	"encoding/json"
	"strings"

	"github.com/jptool/jptool/internal/jpdoc"
	"github.com/jptool/jptool/sdk/jp/wire"
)

// ReadResult returns the reply that JP derives from the result of a tools/call. If the result is a single text
// block that contains an outcome, JP uses the outcome and ignores everything else, with one exception: a success
// with isError is an error.
func ReadResult(result json.RawMessage, codec jpdoc.Codec) Reply {
	if wire.Check(result) != nil {
		return Reply{Kind: unanswered, Rule: ruleParse, Raw: result}
	}
	return readResult(result, d31, codec)
}

// readResult reads a result in the given mode. In snapshot mode, all text is joined, and isError decides.
func readResult(raw json.RawMessage, mode mode, codec jpdoc.Codec) Reply {
	name := resultType(raw)
	if name != callToolResult {
		return infra(ruleUnexpected, name, raw)
	}
	result := readCallResult(raw)
	reply := result.reply()
	reply.ResultType, reply.Raw = name, raw
	switch {
	case mode == snapshot:
		return reply
	case len(result.blocks) != 1:
		reply.Rule = ruleContentLen
		return reply
	case result.blocks[0].kind != "text":
		reply.Rule = ruleNotText
		return reply
	}
	text := result.blocks[0].text
	outcome, err := codec.ReadOutcome([]byte(text))
	switch {
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
	blocks  []block
	isError bool
}

// block is a content block: its type, and its text if JP uses it.
type block struct {
	kind, text string
	shown      bool
}

func (c callResult) reply() Reply {
	reply := Reply{Kind: OK, Rule: ruleNative}
	if c.isError {
		reply.Kind = Error
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

func readCallResult(raw json.RawMessage) callResult {
	fields, _ := readObject(raw)
	result := callResult{isError: string(fields["isError"]) == "true"}
	for _, item := range readArray(fields["content"]) {
		b, _ := readObject(item)
		kind := readString(b["type"])
		switch kind {
		case "text":
			result.blocks = append(result.blocks, block{kind, readString(b["text"]), true})
		case "resource":
			resource, _ := readObject(b["resource"])
			text, isText := resource["text"]
			if !isText || !isString(text) {
				text = resource["blob"]
			}
			result.blocks = append(result.blocks, block{kind, readString(text), true})
		default:
			result.blocks = append(result.blocks, block{kind: kind})
		}
	}
	return result
}
