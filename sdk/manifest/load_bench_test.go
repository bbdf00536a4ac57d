package manifest_test

import (
	"fmt"
	"testing"

	"github.com/jptool/jptool/sdk/manifest"
)

// BenchmarkLoad reads contracts as a server does at its start, beside the way that a
// contract goes which jptoolgen did not write.
func BenchmarkLoad(b *testing.B) {
	for _, tools := range []int{10, 1000} {
		s := sample()
		for range tools - 1 {
			s.Tools = append(s.Tools, s.Tools[0])
		}
		text, err := s.Write()
		if err != nil {
			b.Fatal(err)
		}
		for name, load := range map[string]func(string) (*manifest.Server, error){"quick": manifest.Load, "slow": manifest.LoadSlow} {
			b.Run(fmt.Sprintf("tools=%d/%s", tools, name), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if _, err := load(string(text)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
