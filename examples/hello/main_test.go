package main

import (
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/jptest"
)

func TestGreet(t *testing.T) {
	kit := jptest.New(t, NewServer(&Hello{}))
	if got := kit.Call("greet", GreetInput{Name: "Ada"}).OK(t); got != "Hello, Ada" {
		t.Errorf("got %q", got)
	}
	out := kit.Call("greet", GreetInput{}, jptest.Answer("name", "Grace"))
	if got := out.OK(t); got != "Hello, Grace" || len(out.Asked) != 1 {
		t.Errorf("got %q after %d questions", got, len(out.Asked))
	}
	kit.Call("greet", GreetInput{}, jptest.Answer("name", "")).Failed(t, fault.InvalidAnswer)
}
