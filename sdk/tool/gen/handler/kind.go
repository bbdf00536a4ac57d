package handler

import (
	"context"
	"encoding/json"
	"iter"

	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/tool"
)

// A Kind is what a handler serves. Interceptors see it.
type Kind string

// The kinds of handlers.
const (
	Callable Kind = "tool"     // a tool, which is called
	Resource Kind = "resource" // a resource or a template, which is read
	Prompt   Kind = "prompt"   // a prompt
)

// Kind returns what the handler serves.
func (t *Tool) Kind() Kind { return t.kind }

// extras are the other methods of a resource or a prompt.
type extras struct {
	lister     *Tool
	completers map[string]*Tool
	watch      Watcher
}

// Listed sets the handler that lists the resources of a template, and returns t. Its result is a page of tool.Listed.
func (t *Tool) Listed(by *Tool) *Tool {
	t.lister = by
	return t
}

// Lister returns the handler that lists the resources of a template, or nil.
func (t *Tool) Lister() *Tool { return t.lister }

// Completed sets the handler that completes an argument or a variable, and returns t.
func (t *Tool) Completed(argument string, by *Tool) *Tool {
	if t.completers == nil {
		t.completers = map[string]*Tool{}
	}
	t.completers[argument] = by
	return t
}

// Completer returns the handler that completes an argument or a variable, or nil.
func (t *Tool) Completer(argument string) *Tool { return t.completers[argument] }

// A Watcher reports changes of the resources of a handler to notify until ctx ends. It calls ready when it begins.
// variables is an object with the variables of the URI. list is set if the resource was added to the list or removed
// from it.
type Watcher func(ctx context.Context, ready func(), notify func(variables json.RawMessage, list bool)) error

// Watched sets what reports changes of the resources of t, and returns t.
func (t *Tool) Watched(by Watcher) *Tool {
	t.watch = by
	return t
}

// Watcher returns what reports changes of the resources of t, or nil.
func (t *Tool) Watcher() Watcher { return t.watch }

// Watch returns the watcher for a method that returns an iterator.
func Watch[In any](fields func(*encode.Object, *In), changes func(context.Context) (iter.Seq[tool.Change[In]], error)) Watcher {
	return func(ctx context.Context, ready func(), notify func(json.RawMessage, bool)) error {
		all, err := changes(ctx)
		if err != nil {
			return err
		}
		ready()
		for change := range all {
			variables, err := encode.From(&change.Variables, fields)
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return nil
			}
			notify(json.RawMessage(variables), change.List)
		}
		return nil
	}
}

// WatchChannel returns the watcher for a method that returns a channel.
func WatchChannel[In any](fields func(*encode.Object, *In), changes func(context.Context) (<-chan tool.Change[In], error)) Watcher {
	return Watch(fields, func(ctx context.Context) (iter.Seq[tool.Change[In]], error) {
		all, err := changes(ctx)
		return func(yield func(tool.Change[In]) bool) {
			for {
				select {
				case <-ctx.Done():
					return
				case change, ok := <-all:
					if !ok || !yield(change) {
						return
					}
				}
			}
		}, err
	})
}
