package main

import (
	"testing"

	"github.com/jptool/jptool/sdk/fault"
)

func TestNewResource(t *testing.T) {
	got, err := (&MyNotes{}).NewResource(t.Context(), NewResourceInput{ID: "first"})
	if err != nil || got != "This is the first." {
		t.Errorf("got %q, %v", got, err)
	}
	_, err = (&MyNotes{}).NewResource(t.Context(), NewResourceInput{ID: "other"})
	if code := fault.From(err).Code; code != fault.NotFound {
		t.Errorf("got the code %q", code)
	}
	if uri := NewResourceURI("a b"); uri != "new-resource://a%20b" {
		t.Errorf("got the URI %q", uri)
	}
}
