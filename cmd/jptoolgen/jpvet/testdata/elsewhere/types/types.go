// Package types declares what another package serves.
package types

// Input is what comes in.
type Input struct {
	Bare string `json:"bare"`
}
