package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// A choice is a flag whose value is one of several words. The default is the initial value of the variable.
type choice[T ~string] struct {
	value *T
	known []T
}

// chooseVar defines a flag that accepts the known values of a type.
func chooseVar[T ~string](flags *pflag.FlagSet, value *T, name string, known []T, usage string) {
	flags.Var(choice[T]{value, known}, name, usage)
}

// formatVar defines the --format flag of commands that print text for people or JSON for programs.
func formatVar(flags *pflag.FlagSet, format *string, usage string) {
	*format = "text"
	chooseVar(flags, format, "format", []string{"text", "json"}, usage)
}

// String returns the current value.
func (c choice[T]) String() string {
	if c.value == nil { // pflag asks a zero value for its default
		return ""
	}
	return string(*c.value)
}

// Type implements [pflag.Value].
func (c choice[T]) Type() string { return "string" }

// Set sets the value.
func (c choice[T]) Set(word string) error {
	if !slices.Contains(c.known, T(word)) {
		words := make([]string, len(c.known))
		for i, known := range c.known {
			words[i] = string(known)
		}
		last := len(words) - 1
		return errors.New("must be " + strings.Join(words[:last], ", ") + " or " + words[last])
	}
	*c.value = T(word)
	return nil
}
