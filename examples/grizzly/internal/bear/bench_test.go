package bear_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jptool/jptool/examples/grizzly/internal/bear"
	"github.com/jptool/jptool/examples/grizzly/internal/beartest"
)

// BenchmarkSearch measures the response time for the user. Generating the largest library takes a while, so -short omits it.
func BenchmarkSearch(b *testing.B) {
	sizes := []int{1_000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, size := range sizes {
		b.Run(fmt.Sprintf("notes=%d", size), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "database.sqlite")
			if err := beartest.Generate(path, beartest.Layout{WAL: true}, size); err != nil {
				b.Fatal(err)
			}
			db := open(b, path)
			for _, c := range []struct {
				name  string
				query bear.Query
			}{
				{"words/rare", bear.Query{Queries: []string{beartest.Rare}}},
				{"words/common", bear.Query{Queries: []string{"the"}}},
				{"words/two", bear.Query{Queries: []string{"water", "light"}}},
				{"words/tagged", bear.Query{Queries: []string{"water"}, Tags: []string{"area"}}},
				{"part/rare", bear.Query{Queries: []string{beartest.Rare[2:]}}},
				{"part/none", bear.Query{Queries: []string{"no note has this!"}}},
				{"part/common", bear.Query{Queries: []string{"e."}}},
				{"part/unicode", bear.Query{Queries: []string{"ÜBE"}}},
				{"list", bear.Query{}},
			} {
				b.Run(c.name, func(b *testing.B) {
					for b.Loop() {
						search(b, db, c.query)
					}
				})
			}
		})
	}
}
