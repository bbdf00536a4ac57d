package question_test

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/sdk/gen/question"
)

// Every kind must say what documentation and clients need to know, and a kind without defaults must say why.
func TestEveryKindHasTraits(t *testing.T) {
	for _, kind := range question.Kinds() {
		traits := kind.Traits()
		if traits.Answer == "" || (traits.NoDefault == "") != (traits.Hint == "") {
			t.Errorf("%s has incomplete traits: %+v", kind, traits)
		}
		q := question.Spec{ID: "x", Kind: kind, Options: []question.Option{{Value: "a"}}}
		var schema struct{ Type string }
		if err := json.Unmarshal(q.Schema(), &schema); err != nil || schema.Type == "" || q.Accepts() == "" {
			t.Errorf("%s has the schema %s and accepts %q", kind, q.Schema(), q.Accepts())
		}
		if isForm := traits.Prompt == question.Fields; isForm != (schema.Type == "object") {
			t.Errorf("%s: a form has the prompt Fields, got schema %s", kind, q.Schema())
		}
	}
	if traits := question.Kind("unknown").Traits(); traits != (question.Traits{}) {
		t.Errorf("an unknown kind has traits: %+v", traits)
	}
}
