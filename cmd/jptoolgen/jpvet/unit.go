package jpvet

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// IsUnit reports whether the arguments of a program are those with which go vet runs a
// vet tool (golang.org/x/tools/go/analysis/unitchecker): to be told its version or its
// flags, or to analyze the unit that a file describes.
func IsUnit(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return slices.Contains(args, "-V=full") || slices.Equal(args, []string{"-flags"}) || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Unit does what go vet asks of a vet tool by the arguments of the process, for which
// [IsUnit] holds, and exits.
func Unit() { unitchecker.Main(Analyzer) }
