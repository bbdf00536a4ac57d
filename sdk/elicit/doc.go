// Package elicit is questions a tool may ask, and their answers.
//
// A tool declares its questions as the fields of one struct, each of a type of
// this package: [Confirm], [Choice], [Text], [Number], [Pick] or [Form]. The type of the
// field says what an answer looks like, so a question that was not declared, or
// an answer used as something it is not, does not compile.
//
//	answer, err := ask.Confirm.Ask(ctx, "Delete %q?", title)
//	if err != nil {
//		return err // declined, or not answered yet: hand it on
//	}
//
// Ask returns the answer, or an error to be handed on. Which of the two depends
// on the caller's protocol, which a handler never sees: some ask at once and
// wait, some run the handler again once the answer is there. What a handler does
// before its last question must therefore be harmless to repeat.
package elicit
