package elicit_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/elicit"
)

func TestValidID(t *testing.T) {
	for _, bad := range []string{"", "a.b", "a b", "é", "__permission__", "a\n", strings.Repeat("x", 65), "a/b"} {
		if elicit.ValidID(bad) {
			t.Errorf("ValidID(%q) holds", bad)
		}
	}
	for _, good := range []string{"a", "confirm-fetch", "Pick_1", "__permission", strings.Repeat("x", 64)} {
		if !elicit.ValidID(good) {
			t.Errorf("ValidID(%q) does not hold", good)
		}
	}
}

func TestForKeepsSubjectsApart(t *testing.T) {
	seen := map[string]string{}
	for _, subject := range []string{"hunk-1", "hunk-2", "a b", "a_b", "a/b", "", "é", "ü", strings.Repeat("x", 80), strings.Repeat("x", 81)} {
		s := elicit.NewSession("tool", "call", elicit.Later{}, nil)
		_, err := bound().Sure.For(subject).Ask(elicit.WithSession(t.Context(), s), "Sure?")
		pending, ok := errors.AsType[*elicit.Pending](err)
		if !ok {
			t.Fatalf("For(%q) = %v", subject, err)
		}
		id := pending.Question.ID
		if !elicit.ValidID(id) || !strings.HasPrefix(id, "sure-") {
			t.Errorf("For(%q) has the id %q", subject, id)
		}
		if other, taken := seen[id]; taken {
			t.Errorf("%q and %q share the id %q", subject, other, id)
		}
		seen[id] = subject
	}
	if _, ok := seen["sure-hunk-1"]; !ok {
		t.Errorf("a plain subject is not spelled out: %v", seen)
	}
}

func TestSchema(t *testing.T) {
	for want, q := range map[string]elicit.Question{
		`{"type":"boolean","description":"Sure?","default":false}`: {Kind: elicit.KindConfirm, Spec: elicit.Spec{Description: "Sure?", Default: "false"}},
		`{"type":"string","enum":["red","blue"],"default":"red"}`: {Kind: elicit.KindChoice, Spec: elicit.Spec{Default: `"red"`},
			Options: []elicit.Option{{Value: "red"}, {Value: "blue"}}},
		`{"type":"string","minLength":1,"maxLength":9,"pattern":"^a"}`: {Kind: elicit.KindText, Spec: elicit.Spec{MinLength: 1, MaxLength: 9, Pattern: "^a"}},
		`{"type":"number","minimum":0,"maximum":2.5}`:                  {Kind: elicit.KindNumber, Spec: elicit.Spec{Minimum: new(0.0), Maximum: new(2.5)}},
	} {
		if got := string(q.Schema()); got != want {
			t.Errorf("Schema() = %s, want %s", got, want)
		}
	}
}

func TestKindText(t *testing.T) {
	for k := elicit.KindConfirm; k <= elicit.KindForm; k++ {
		text, err := k.MarshalText()
		var back elicit.Kind
		if err != nil || back.UnmarshalText(text) != nil || back != k {
			t.Errorf("%v does not come back from %q (%v)", k, text, err)
		}
	}
	var k elicit.Kind
	if _, err := k.MarshalText(); err == nil {
		t.Error("no kind has a text")
	}
	if err := k.UnmarshalText([]byte("secret")); err == nil || k != 0 {
		t.Errorf("an unknown name sets %v, %v", k, err)
	}
}

func Example() {
	// Generated code binds the questions; a bridge opens the session.
	confirm := elicit.NewConfirm(elicit.Spec{ID: "confirm", Description: "Confirm asks before a note is deleted."})
	ctx := elicit.WithSession(context.Background(), elicit.NewSession("note_delete", "1", elicit.Later{}, nil))

	// A handler asks and hands on the error.
	_, err := confirm.Ask(ctx, "Delete %q?", "Shopping list")
	if pending, ok := errors.AsType[*elicit.Pending](err); ok {
		fmt.Println(pending.Question.ID, "asks:", pending.Question.Message)
	}
	// Output: confirm asks: Delete "Shopping list"?
}

func TestFormSchema(t *testing.T) {
	bare := []elicit.Option{{Value: "a"}, {Value: "b"}}
	told := []elicit.Option{{Value: "keep_both", Description: "Keep both notes."}, {Value: "replace"}}
	for _, tc := range []struct {
		q    elicit.Question
		want string
	}{
		{elicit.Question{Kind: elicit.KindChoice, Options: bare}, `{"type":"string","enum":["a","b"]}`},
		{elicit.Question{Kind: elicit.KindChoice, Options: told}, `{"type":"string","enum":["keep_both","replace"],"enumNames":["Keep both notes","replace"]}`},
		{elicit.Question{Kind: elicit.KindForm, Spec: elicit.Spec{Description: "How?"}, Fields: []elicit.Field{{Spec: elicit.Spec{ID: "how"}, Kind: elicit.KindChoice, Options: told}}},
			`{"type":"object","properties":{"how":{"type":"string","enum":["keep_both","replace"],"enumNames":["Keep both notes","replace"]}},"required":["how"]}`},
		{elicit.Question{Kind: elicit.KindConfirm}, `{"type":"boolean"}`},
	} {
		if got := string(tc.q.FormSchema()); got != tc.want {
			t.Errorf("FormSchema() = %s, want %s", got, tc.want)
		}
		if got := string(tc.q.Schema()); strings.Contains(got, "enumNames") {
			t.Errorf("Schema() = %s", got)
		}
	}
}
