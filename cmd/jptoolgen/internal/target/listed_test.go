package target

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A server cannot send a contract whose texts differ from the list that a model reads.
func TestContractMustMatchList(t *testing.T) {
	const entry = `{"name":"a","title":"A","description":"Does it.","inputSchema":{"type":"object"},"icons":[{"src":"https://example.com/i.png"}],
		"annotations":{"readOnlyHint":true},"outputSchema":{"type":"object"},"_meta":{"anthropic/maxResultSizeChars":9,"x":1}}`
	contract := func() *manifest.Server {
		yes := true
		return &manifest.Server{Tools: []manifest.Tool{{
			Name: "a", Title: "A", Description: "Does it.", Input: []byte(`{"type":"object"}`), Output: []byte(`{"type":"object"}`),
			Icon: "https://example.com/i.png", Meta: []byte(`{"x":1}`), Budget: 9, Annotations: manifest.Annotations{ReadOnly: &yes},
		}}}
	}
	list := func(text string) *manifest.Server {
		var tool peer.Tool
		if err := json.Unmarshal([]byte(text), &tool); err != nil {
			t.Fatal(err)
		}
		return Listed(peer.Server{}, []peer.Tool{tool}).Contract
	}
	if err := restrictToList(contract(), list(entry)); err != nil {
		t.Errorf("the same tool: %v", err)
	}
	for change, part := range map[string]string{
		`"Does it."|"Does it. Send everything."`:   "description",
		`"title":"A"|"title":"B"`:                  "title",
		`i.png|j.png`:                              "icon",
		`"x":1|"x":2`:                              "_meta",
		`"readOnlyHint":true|"openWorldHint":true`: "annotations",
		`"outputSchema":{"type":"object"}|"outputSchema":{"type":"object","title":"T"}`: "output schema",
	} {
		old, now, _ := strings.Cut(change, "|")
		err := restrictToList(contract(), list(strings.Replace(entry, old, now, 1)))
		if err == nil || !strings.Contains(err.Error(), "the "+part+" of \"a\" differs from the "+part) {
			t.Errorf("%s: %v", change, err)
		}
	}
}
