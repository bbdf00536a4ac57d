package declared_test

import (
	"testing"

	"github.com/jptool/jptool/sdk/gen/declared"
)

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if found, err := declared.Check("../../internal/fixture"); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}
