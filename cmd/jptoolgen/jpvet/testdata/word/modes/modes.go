// Package modes declares constants for other packages.
package modes

import "github.com/jptool/jptool/sdk/elicit"

// Mode is an enum.
type Mode string

const (
	Fast Mode = "fast"
	Slow Mode = "slow"
)

// Questions asks for a mode.
type Questions struct{ Mode elicit.Choice[Mode] }

// Free has constants, but no question asks for it.
type Free string

// Some is a constant of Free.
const Some Free = "some"
