package longcalls

import (
	"context"
	"time"

	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/fault"
)

// GreetInput holds the arguments of Greet.
type GreetInput struct {
	// Name of the person.
	Name string `json:"name"`
}

// Greet greets a person.
//
//jp:tool name=greet readonly=true
func (c *Calls) Greet(_ context.Context, in GreetInput) (string, error) {
	return "Hello, " + in.Name + "!", nil
}

// ComputeInput holds the arguments of SlowCompute.
type ComputeInput struct {
	// Seconds that it takes.
	Seconds int `json:"seconds" jp:"min=0,max=3600"`
	// Label of the result.
	Label string `json:"label,omitzero"`
}

// SlowCompute computes for some seconds.
//
//jp:tool name=slow_compute readonly=true task=auto poll=200ms
func (c *Calls) SlowCompute(ctx context.Context, in ComputeInput) (string, error) {
	if err := pause(ctx, in.Seconds*1000); err != nil {
		return "", err
	}
	return in.Label + " is computed", nil
}

// FailingJob fails after a moment.
//
//jp:tool name=failing_job readonly=true task=required poll=200ms
//jp:fails unavailable
func (c *Calls) FailingJob(ctx context.Context) (string, error) {
	if err := pause(ctx, int(time.Second/time.Millisecond)); err != nil {
		return "", err
	}
	return "", fault.New(fault.Unavailable, "the job failed")
}

// ProtocolErrorJob panics, which a client of a task sees as a protocol error.
//
//jp:tool name=protocol_error_job readonly=true task=auto poll=200ms
func (c *Calls) ProtocolErrorJob(context.Context) (string, error) { panic("as the suite requires") }

// DeleteInput holds the arguments of ConfirmDelete.
type DeleteInput struct {
	// Name of the file.
	Filename string `json:"filename"`
}

// Consent is an answer to the question of ConfirmDelete.
type Consent struct {
	// Whether the file is deleted.
	Confirm bool `json:"confirm"`
}

// DeleteQuestions holds the question of ConfirmDelete.
type DeleteQuestions struct {
	// Confirm asks whether the file is deleted.
	Confirm elicit.Form[Consent]
}

// ConfirmDelete asks, and deletes nothing.
//
//jp:tool name=confirm_delete readonly=true task=auto poll=200ms
func (c *Calls) ConfirmDelete(ctx context.Context, in DeleteInput, ask DeleteQuestions) (string, error) {
	answer, err := ask.Confirm.Ask(ctx, "Delete %s?", in.Filename)
	if err != nil {
		return "", err
	}
	if answer.Confirm {
		return in.Filename + " would be deleted", nil
	}
	return in.Filename + " is kept", nil
}

// Part is an answer to a question of MultiInput.
type Part struct {
	// Name of the part.
	Name string `json:"name"`
	// Whether the name is final.
	Confirm bool `json:"confirm"`
}

// PartQuestions holds the questions of MultiInput.
type PartQuestions struct {
	// First asks for the first part.
	First elicit.Form[Part]
	// Second asks for the second part.
	Second elicit.Form[Part]
}

// MultiInput asks two questions together.
//
//jp:tool name=multi_input readonly=true task=auto poll=200ms
func (c *Calls) MultiInput(ctx context.Context, ask PartQuestions) (string, error) {
	var first, second Part
	err := elicit.Together(ctx, ask.First.Into(&first, "The first part?"), ask.Second.Into(&second, "The second part?"))
	if err != nil {
		return "", err
	}
	return first.Name + " and " + second.Name, nil
}

// User is an answer to the question of ToolWithTask.
type User struct {
	// Name of the user.
	Name string `json:"name"`
}

// UserQuestions holds the question of ToolWithTask.
type UserQuestions struct {
	// UserName asks who the user is.
	UserName elicit.Form[User] `ask:"user_name"`
}

// ToolWithTask asks at once, and then takes so long that the call becomes a task.
//
//jp:tool name=test_tool_with_task readonly=true task=required after=100ms poll=200ms
func (c *Calls) ToolWithTask(ctx context.Context, ask UserQuestions) (string, error) {
	user, err := ask.UserName.Ask(ctx, "What is your name?")
	if err != nil {
		return "", err
	}
	if err := pause(ctx, 500); err != nil {
		return "", err
	}
	return "Hello, " + user.Name + "!", nil
}
