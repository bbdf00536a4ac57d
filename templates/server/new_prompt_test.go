package main

import "testing"

func TestNewPrompt(t *testing.T) {
	got, err := (&MyNotes{}).NewPrompt(t.Context(), NewPromptInput{Topic: "tea"})
	if err != nil || len(got) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}
