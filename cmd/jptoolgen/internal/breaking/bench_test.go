package breaking_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// BenchmarkThousandTools reads and compares two lock files of a thousand tools. The cases change every tool,
// every tenth name, or nothing.
func BenchmarkThousandTools(b *testing.B) {
	plain := func(i int) string { return fmt.Sprintf("tool_%d", i) }
	for _, tc := range []struct {
		name   string
		rename func(i int) string
		text   func(i int) string
	}{
		{"same", plain, func(int) string { return "Text." }},
		{"every tool edited", plain, func(i int) string { return fmt.Sprintf("Text %d.", i) }},
		{"every tenth renamed", func(i int) string {
			if i%10 == 0 {
				return fmt.Sprintf("tools_%d", i)
			}
			return plain(i)
		}, func(int) string { return "Text." }},
		{"every tool renamed", func(i int) string { return fmt.Sprintf("tools_%d", i) }, func(int) string { return "Text." }},
	} {
		b.Run(strings.ReplaceAll(tc.name, " ", "_"), func(b *testing.B) {
			before := largeLock(b, plain, func(int) string { return "Text." })
			after := largeLock(b, tc.rename, tc.text)
			for b.Loop() {
				o, err := lock.Read(before)
				if err != nil {
					b.Fatal(err)
				}
				n, err := lock.Read(after)
				if err != nil {
					b.Fatal(err)
				}
				r, err := breaking.Compare(o, n)
				if err != nil {
					b.Fatal(err)
				}
				if strings.Contains(tc.name, "renamed") != (r.Level() == breaking.Breaking) {
					b.Fatalf("the level is %s", r.Level())
				}
			}
		})
	}
}

// largeLock returns a lock file with a thousand tools.
func largeLock(b *testing.B, name, text func(int) string) []byte {
	b.Helper()
	s := server(manifest.Tool{})
	s.Tools = nil
	for i := range 1000 {
		var props []string
		for j := range 8 {
			props = append(props, fmt.Sprintf(`"p%d":{"type":"string","description":%q,"maxLength":%d}`, j, text(i), 100+j))
		}
		schema := manifest.Schema(`{"type":"object","properties":{` + strings.Join(props, ",") + `},"required":["p0"],"additionalProperties":false}`)
		s.Tools = append(s.Tools, manifest.Tool{Name: name(i), Description: fmt.Sprintf("Does thing %d.", i), Input: schema, Output: schema})
	}
	data, err := s.Write()
	if err != nil {
		b.Fatal(err)
	}
	return data
}
