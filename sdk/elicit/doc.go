// Package elicit declares what a tool may ask its user.
//
// A tool declares its questions as the fields of one struct, each of a type of
// this package: [Confirm], [Choice], [Text], [Number], [Pick] or [Form]. The type of the
// field says what an answer looks like. A question that is not a field does not
// compile, and one that a program makes by other means is refused when it is asked.
//
//	ok, err := ask.Confirm.Ask(ctx, "Delete %q?", title)
//	if err != nil {
//		return err // declined, canceled, or impossible to ask
//	}
//
// The handler runs again from the top after each answer, unless the caller's protocol
// can ask while the handler waits. Which of the two happens, a handler never sees: Ask
// returns when there is an answer. What a handler does before its last question must
// therefore be harmless to repeat.
package elicit
