package jpdoc_test

import (
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/sdk/jp/jpdoc"
)

func ExampleNeedsInput() {
	ask := jpdoc.NeedsInput(jpdoc.Question{
		ID:         "confirm",
		Text:       "Delete 3 notes?",
		AnswerType: jpdoc.AnswerType{Kind: jpdoc.Boolean},
		Default:    json.RawMessage("false"),
	})
	for _, codec := range []jpdoc.Codec{jpdoc.Tagged(), jpdoc.Untagged()} {
		text, err := codec.AppendOutcome(nil, ask)
		fmt.Println(string(text), err)
	}
	// Output:
	// {"type":"needs_input","question":{"id":"confirm","text":"Delete 3 notes?","pre_amble":null,"answer_type":{"type":"boolean"},"default":false}} <nil>
	// {"type":"needs_input","question":{"id":"confirm","text":"Delete 3 notes?","pre_amble":null,"answer_type":"Boolean","default":false}} <nil>
}
