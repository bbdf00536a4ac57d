package decode_test

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type priority string

type searchInput struct {
	Query    string   `json:"query"`
	Folder   string   `json:"folder"`
	Priority priority `json:"priority"`
	Limit    int      `json:"limit"`
	Offset   int64    `json:"offset"`
	Tags     []string `json:"tags"`
	Filter   filter   `json:"filter"`
	Archived bool     `json:"archived"`
}

type filter struct {
	Author string `json:"author"`
	Since  string `json:"since"`
	Depth  int    `json:"depth"`
}

func decodeSearch(o *decode.Object, in *searchInput) {
	decode.Field(o, "query", &in.Query, decode.String, decode.Required, decode.MinLength(1), decode.MaxLength(200))
	decode.Field(o, "folder", &in.Folder, decode.String)
	decode.Field(o, "priority", &in.Priority, decode.Enum[priority]("low", "normal", "high"), decode.Default(`"normal"`))
	decode.Field(o, "limit", &in.Limit, decode.Int, decode.Minimum(1), decode.Maximum(100))
	decode.Field(o, "offset", &in.Offset, decode.Int, decode.Minimum(0), decode.Maximum(1000000))
	decode.Field(o, "tags", &in.Tags, decode.List[[]string](decode.String), decode.MaxItems(20))
	decode.Field(o, "filter", &in.Filter, decode.Struct(decodeFilter))
	decode.Field(o, "archived", &in.Archived, decode.Bool)
}

func decodeFilter(o *decode.Object, in *filter) {
	decode.Field(o, "author", &in.Author, decode.String, decode.Required)
	decode.Field(o, "since", &in.Since, decode.String)
	decode.Field(o, "depth", &in.Depth, decode.Int)
}

var searchArguments = []byte(`{"query":"the quick brown fox","folder":"projects/2026/reports","priority":"high","limit":25,` +
	`"offset":1200,"tags":["alpha","beta","gamma","delta"],"filter":{"author":"someone@example.org",` +
	`"since":"2026-01-01","depth":3},"archived":false}`)

func BenchmarkInto(b *testing.B) {
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in searchInput
			if err := decode.Into(searchArguments, &in, decodeSearch, decode.Options{}).Err(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding_json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var in searchInput
			if err := json.Unmarshal(searchArguments, &in); err != nil {
				b.Fatal(err)
			}
		}
	})
}
