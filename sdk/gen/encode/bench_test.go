package encode_test

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/sdk/gen/encode"
)

type searchOutput struct {
	ID      string  `json:"id"`
	Total   int     `json:"total"`
	More    bool    `json:"more"`
	Elapsed float64 `json:"elapsed"`
	Cursor  string  `json:"cursor,omitempty"`
	Hits    []hit   `json:"hits"`
}

type hit struct {
	Path  string  `json:"path"`
	Line  int     `json:"line"`
	Score float64 `json:"score"`
}

func encodeSearch(o *encode.Object, out *searchOutput) {
	encode.Field(o, "id", &out.ID, encode.String)
	encode.Field(o, "total", &out.Total, encode.Int)
	encode.Field(o, "more", &out.More, encode.Bool)
	encode.Field(o, "elapsed", &out.Elapsed, encode.Float)
	encode.Omit(o, out.Cursor == "", "cursor", &out.Cursor, encode.String)
	encode.Field(o, "hits", &out.Hits, encode.List[[]hit](encode.Struct(encodeHit)))
}

func encodeHit(o *encode.Object, h *hit) {
	encode.Field(o, "path", &h.Path, encode.String)
	encode.Field(o, "line", &h.Line, encode.Int)
	encode.Field(o, "score", &h.Score, encode.Float)
}

func searchResult() *searchOutput {
	return &searchOutput{
		ID: "search-0001", Total: 3, More: true, Elapsed: 0.0125, Cursor: "b2Zmc2V0PTM",
		Hits: []hit{{"projects/reports/q1.md", 12, 0.92}, {"projects/reports/q2.md", 7, 0.81}, {"notes/<draft>.md", 130, 0.5}},
	}
}

// Both write the same bytes, except for HTML escapes.
func BenchmarkFrom(b *testing.B) {
	out := searchResult()
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := encode.From(out, encodeSearch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding_json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(out); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// The result allocates little more than its bytes.
func TestAllocations(t *testing.T) {
	out := searchResult()
	if n := testing.AllocsPerRun(100, func() { encode.From(out, encodeSearch) }); n > 8 {
		t.Errorf("%.0f allocations for a result of six fields, want at most 8", n)
	}
}
