// Package question is what stands behind the types of package elicit: how a
// question is declared, identified, checked and put to somebody.
//
// Generated code and jptoolgen use it. Handwritten code declares its questions with
// package elicit, whose types can only be made by generated code.
package question
