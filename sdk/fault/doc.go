// Package fault provides errors with codes.
//
// A tool fails with an [Error]: a [Code] from a closed set, a message for the model, and
// whether trying again can help. [From] converts errors without a code to [Internal], so that
// callers always receive a code.
package fault
