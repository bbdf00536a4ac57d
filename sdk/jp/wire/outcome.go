package wire

// OutcomeType says which of its forms an [Outcome] has.
type OutcomeType string

// The forms of an outcome, as they stand in the "type" of the envelope.
const (
	TypeSuccess    OutcomeType = "success"
	TypeError      OutcomeType = "error"
	TypeNeedsInput OutcomeType = "needs_input"
)

// Outcome is what a tool answers a JP host with (jp_tool::Outcome). Which fields count depends on
// Type; make one with [Success], [Failure] or [NeedsInput].
type Outcome struct {
	Type OutcomeType

	// Content is the text of a success; the host hands it to the model verbatim.
	Content string

	// Message is the outermost text of an error.
	Message string
	// Trace holds the causes of an error, outer to inner, without the message. Nil counts as empty.
	Trace []string
	// Transient says that the same call may succeed later. JP chooses the error text by it and
	// retries nothing.
	Transient bool

	// Question is what a needs_input asks.
	Question *Question
}

// Success returns the outcome of a call that went well.
func Success(content string) Outcome {
	return Outcome{Type: TypeSuccess, Content: content}
}

// Failure returns the outcome of a call that failed. The trace goes from outer to inner cause,
// without the message itself.
func Failure(message string, trace []string, transient bool) Outcome {
	return Outcome{Type: TypeError, Message: message, Trace: trace, Transient: transient}
}

// NeedsInput returns the outcome of a call that waits for an answer. The host asks, then runs the
// tool again from the start with the answer under the question's id.
func NeedsInput(q Question) Outcome {
	return Outcome{Type: TypeNeedsInput, Question: &q}
}
