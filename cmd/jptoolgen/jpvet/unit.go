package jpvet

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// IsUnit reports whether args are the arguments with which go vet runs a vet tool
// (golang.org/x/tools/go/analysis/unitchecker): a request for its version or its flags, or for the analysis of
// the unit that a file describes.
func IsUnit(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return slices.Contains(args, "-V=full") || slices.Equal(args, []string{"-flags"}) || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Unit runs the request of go vet in the arguments of the process, for which [IsUnit] must hold, and exits.
func Unit() { unitchecker.Main(Analyzer) }
