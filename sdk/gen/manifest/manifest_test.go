package manifest_test

import (
	"testing"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

func TestInputForModels(t *testing.T) {
	question := manifest.Question{ID: "sure", Kind: "confirm", Relay: "sure_answer", Description: "Sure?", Schema: []byte(`{"type":"boolean","default":false}`)}
	const relay = `"sure_answer":{"type":"boolean","description":"The user's answer to question \"sure\". Sure? Only set it after the tool has asked and the user has answered."}`
	for input, want := range map[string]string{
		`{"type":"object"}`: `{"type":"object","properties":{` + relay + `}}`,
		`{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}`: `{"type":"object","properties":{"id":{"type": "string"},` + relay + `},"required":["id"]}`,
	} {
		tool := manifest.Tool{Input: []byte(input), Questions: []manifest.Question{question}}
		if got := string(tool.InputForModels()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		tool.Questions[0].Relay = ""
		if got := string(tool.InputForModels()); got != input {
			t.Errorf("without arguments for answers: got %s, want %s", got, input)
		}
	}
}
