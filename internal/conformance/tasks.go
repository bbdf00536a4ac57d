package conformance

import "context"

// The scenarios of the tasks extension call tools by these names. Here, calls never become tasks, as on a server without
// the extension; in package longcalls, they do.

// GreetInput holds the arguments of Greet.
type GreetInput struct {
	// Name of the person.
	Name string `json:"name"`
}

// Greet greets a person.
//
//jp:tool name=greet readonly=true
func (c *Conformance) Greet(_ context.Context, in GreetInput) (string, error) {
	return "Hello, " + in.Name + "!", nil
}

// ComputeInput holds the arguments of SlowCompute.
type ComputeInput struct {
	// Seconds that a task would take.
	Seconds int `json:"seconds"`
	// Label of the result.
	Label string `json:"label"`
}

// SlowCompute returns immediately, because it cannot become a task.
//
//jp:tool name=slow_compute readonly=true
func (c *Conformance) SlowCompute(_ context.Context, in ComputeInput) (string, error) {
	return in.Label + " is computed", nil
}

// DeleteInput holds the arguments of ConfirmDelete.
type DeleteInput struct {
	// Name of the file.
	Filename string `json:"filename"`
}

// ConfirmDelete deletes nothing, and does not ask, because it cannot become a task.
//
//jp:tool name=confirm_delete readonly=true
func (c *Conformance) ConfirmDelete(_ context.Context, in DeleteInput) (string, error) {
	return in.Filename + " is kept", nil
}
