package declared_test

import (
	"testing"

	"github.com/jptool/jptool/internal/declared"
)

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		if found, err := declared.Check("../fixture"); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}
