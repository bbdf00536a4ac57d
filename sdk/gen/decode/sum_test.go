package decode_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type spot interface{ spot() }

type shelf struct{ Number int }

type link struct{ URL string }

func (shelf) spot() {}
func (link) spot()  {}

func decodeShelf(o *decode.Object, in *shelf) {
	decode.Field(o, "shelf", &in.Number, decode.Int, decode.Required)
}

func decodeLink(o *decode.Object, in *link) {
	decode.Field(o, "url", &in.URL, decode.String, decode.Required)
}

func TestSum(t *testing.T) {
	var got struct {
		Place spot
		All   []spot
	}
	sum := decode.Sum(decode.When[spot]("shelf", "", decodeShelf), decode.When[spot]("url", "", decodeLink))
	fields := func(o *decode.Object, _ *struct{}) {
		decode.Field(o, "place", &got.Place, sum)
		decode.Field(o, "all", &got.All, decode.List[[]spot](sum), decode.Single)
	}
	for _, tt := range []struct {
		data, want string
		where      spot
	}{
		{`{"place":{"shelf":3}}`, "", shelf{3}},
		{`{"place":{"url":"x"},"all":[{"shelf":1}]}`, "", link{"x"}},
		{`{"place":"{\"shelf\":\"3\"}"}`, "", shelf{3}},
		{`{"place":null}`, "", nil},
		{`{"all":{"shelf":1}}`, "", nil},
		{`{"place":{"shelf":3,"url":"x"}}`, "place: expected an object with exactly one of shelf, url, got an object with 2 of them", nil},
		{`{"place":{}}`, "place: expected an object with exactly one of shelf, url, got an object with 0 of them", nil},
		{`{"place":{"shelf":3,"url":null},"all":[{"url":null,"shelf":1}]}`, "", shelf{3}},
		{`{"place":{"shelf":null,"url":"x"}}`, "", link{"x"}},
		{`{"place":{"shelf":null,"url":null}}`, "place: expected an object with exactly one of shelf, url, got an object with 0 of them", nil},
		{`{"place":{"shelf":null}}`, "place.shelf: expected an integer, got null", nil},
		{`{"place":{"shelf":1,"other":2}}`, `place.other: expected the name "shelf", got an unknown name`, nil},
		{`{"place":7}`, "place: expected an object, got the number 7", nil},
		{`{"all":[null]}`, "all[0]: expected an object, got null", nil},
	} {
		got.Place, got.All = nil, nil
		report := decode.Into([]byte(tt.data), new(struct{}), fields, decode.Options{Closed: true})
		switch err := report.Err(); {
		case tt.want == "" && (err != nil || got.Place != tt.where):
			t.Errorf("%s: got %+v, %v, want %+v", tt.data, got, err, tt.where)
		case tt.want != "" && (err == nil || !strings.HasSuffix(err.Error(), tt.want)):
			t.Errorf("%s: got %v, want %s", tt.data, err, tt.want)
		}
	}
}

func TestSumWithNulls(t *testing.T) {
	var got spot
	fields := func(o *decode.Object, _ *struct{}) {
		kind := func(o *decode.Object, in *link) {
			decode.Field(o, "kind", new(string), decode.String, decode.Required)
			decodeLink(o, in)
		}
		decode.Field(o, "place", &got, decode.Sum(decode.When[spot]("kind", "shelf", decodeShelf), decode.When[spot]("kind", "link", kind)))
	}
	report := decode.Into([]byte(`{"place":{"kind":"link","shelf":null,"url":"x"}}`), new(struct{}), fields, decode.Options{Closed: true})
	if err := report.Err(); err != nil || got != (link{"x"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestSumSuggestsAValue(t *testing.T) {
	var got spot
	fields := func(o *decode.Object, _ *struct{}) {
		decode.Field(o, "place", &got, decode.Sum(decode.When[spot]("kind", "shelf", decodeShelf), decode.When[spot]("kind", "link", decodeLink)))
	}
	report := decode.Into([]byte(`{"place":{"kind":"shlf"}}`), new(struct{}), fields, decode.Options{})
	const want = `place.kind: expected one of "shelf", "link", got the string "shlf"; did you mean "shelf"?`
	if err := report.Err(); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}
