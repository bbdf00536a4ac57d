// Package modes declares words for other packages.
package modes

import "github.com/jptool/jptool/sdk/elicit"

// Mode is one of few.
type Mode string

const (
	Fast Mode = "fast"
	Slow Mode = "slow"
)

// Questions asks for one.
type Questions struct{ Mode elicit.Choice[Mode] }

// Free has constants, and is not asked for.
type Free string

// Some is one of many.
const Some Free = "some"
