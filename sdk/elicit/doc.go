// Package elicit declares the questions that a tool may ask its user.
//
// A tool declares its questions as fields of one struct. Each field has a type of this
// package: [Confirm], [Choice], [Several], [Text], [Number], [Pick], [Secret], [Visit] or
// [Form]. The type determines the type of the answer. Code that asks an undeclared question
// does not compile.
//
//	ok, err := ask.Confirm.Ask(ctx, "Delete %q?", title)
//	if err != nil {
//		return err // declined, canceled, or impossible to ask
//	}
//
// The handler runs again from the top after each answer, unless the client's protocol can ask
// while the handler waits. Handlers cannot tell the difference: Ask returns when there is an
// answer. Everything that a handler does before its last question must therefore be safe to
// repeat; see Once in package tool. [Together] asks questions that do not depend on each other.
package elicit
