// Package types declares the input of another package's tool.
package types

// Input holds arguments.
type Input struct {
	Bare string `json:"bare"`
}
