package wire_test

import (
	"encoding/json"
	"fmt"

	"github.com/jptool/jptool/sdk/jp/wire"
)

func ExampleNeedsInput() {
	ask := wire.NeedsInput(wire.Question{
		ID:         "confirm",
		Text:       "Delete 3 notes?",
		AnswerType: wire.AnswerType{Kind: wire.Boolean},
		Default:    json.RawMessage("false"),
	})
	for _, codec := range []wire.Codec{wire.Snapshot(), wire.RFD082()} {
		text, err := codec.AppendOutcome(nil, ask)
		fmt.Println(string(text), err)
	}
	// Output:
	// {"type":"needs_input","question":{"id":"confirm","text":"Delete 3 notes?","pre_amble":null,"answer_type":"Boolean","default":false}} <nil>
	// {"type":"needs_input","question":{"id":"confirm","text":"Delete 3 notes?","pre_amble":null,"answer_type":{"type":"boolean"},"default":false}} <nil>
}

func ExampleReadContext() {
	c, err := wire.ReadContext([]byte(`{"action":"Run","root":"/path/to/workspace"}`))
	fmt.Println(c.Action, c.Root, err)

	_, err = wire.ReadContext([]byte(`{"root":42}`))
	fmt.Println(err)
	// Output:
	// run /path/to/workspace <nil>
	// root: expected a string, got a number
}
