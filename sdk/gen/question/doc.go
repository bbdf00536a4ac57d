// Package question implements the question types of package elicit: how questions are
// declared, identified, validated and asked.
//
// It is used by generated code and jptoolgen. Handwritten code declares its questions with
// package elicit.
package question
