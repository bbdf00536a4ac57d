package decode_test

import (
	"reflect"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type crateInput struct {
	Name    string
	Version string
	Limit   int
	Where   place
	*Page
}

type place struct {
	City string
	Zip  int
}

type Page struct {
	Cursor string
	Size   int
}

func decodeCrate(o *decode.Object, in *crateInput) {
	decode.Field(o, "crate_name", &in.Name, decode.String, decode.Required)
	decode.Field(o, "version", &in.Version, decode.String, decode.Default(`"latest"`))
	decode.Field(o, "limit", &in.Limit, decode.Int)
	decode.Field(o, "where", &in.Where, decode.Struct(decodePlace))
	decode.Embed(o, &in.Page, decodePage, "cursor", "size")
}

func decodePlace(o *decode.Object, p *place) {
	decode.Field(o, "city", &p.City, decode.String, decode.Required)
	decode.Field(o, "zip", &p.Zip, decode.Int)
}

func decodePage(o *decode.Object, p *Page) {
	decode.Field(o, "cursor", &p.Cursor, decode.String, decode.Required)
	decode.Field(o, "size", &p.Size, decode.Int)
}

func TestObjects(t *testing.T) {
	reject := decode.Options{Closed: true}
	names := "one of the names crate_name, version, limit, where, cursor, size"
	for _, tc := range []struct {
		name, text string
		o          decode.Options
		problems   []decode.Problem
		warnings   []string
	}{
		{name: "nothing", text: ``, problems: []decode.Problem{{Path: "crate_name", Expected: "a string", Got: "nothing"}}},
		{name: "null", text: ` null `, problems: []decode.Problem{{Path: "crate_name", Expected: "a string", Got: "nothing"}}},
		{name: "text of an object", text: `"{\"crate_name\":3}"`, problems: []decode.Problem{{Path: "crate_name", Expected: "a string", Got: "the number 3"}}},
		{name: "text of an object, strict", text: `"{}"`, o: strict, problems: []decode.Problem{{Expected: "an object", Got: `the string "{}"`}}},
		{name: "empty text", text: `""`, problems: []decode.Problem{{Expected: "an object", Got: `the string ""`}}},
		{name: "list", text: `[{}]`, problems: []decode.Problem{{Expected: "an object", Got: "a list of 1 item"}}},
		{name: "required null", text: `{"crate_name":null}`, problems: []decode.Problem{{Path: "crate_name", Expected: "a string", Got: "null"}}},
		{name: "other spelling of a required name", text: `{"crateName":"serde"}`,
			problems: []decode.Problem{{Path: "crate_name", Expected: "a string", Got: "nothing", Hint: `rename "crateName" to "crate_name"`}},
			warnings: []string{`argument crateName is unknown and was ignored; did you mean "crate_name"?`}},
		{name: "near names", text: `{"crate_name":"a","Limit":1,"explanation":"because"}`,
			warnings: []string{`argument Limit is unknown and was ignored; did you mean "limit"?`}},
		{name: "near nested name", text: `{"crate_name":"a","where":{"city":"b","zpi":1}}`,
			warnings: []string{`argument where.zpi is unknown and was ignored; did you mean "zip"?`}},
		{name: "options", text: `{"crate_name":"a","limits":1}`, o: decode.Options{What: "option"},
			warnings: []string{`option limits is unknown and was ignored; did you mean "limit"?`}},
		{name: "rejected", text: `{"crate_name":"a","limits":1,"x y":2}`, o: reject, problems: []decode.Problem{
			{Path: "limits", Expected: names, Got: "an unknown name", Hint: `did you mean "limit"?`},
			{Path: `["x y"]`, Expected: names, Got: "an unknown name"}}},
		{name: "two spellings", text: `{"crate_name":"a","CRATE_NAME":"b"}`, problems: []decode.Problem{
			{Path: "CRATE_NAME", Expected: `one spelling of "crate_name"`, Got: "names that differ only in case"}}},
		{name: "two spellings through escapes", text: `{"\u0063rate_name":"a","\u0043rate_name":"b"}`, problems: []decode.Problem{
			{Path: "Crate_name", Expected: `one spelling of "crate_name"`, Got: "names that differ only in case"}}},
		{name: "a name twice", text: `{"where":{"city":"a","c\u0069ty":"b"}}`, problems: []decode.Problem{
			{Path: "where.city", Expected: "a unique name", Got: "a duplicate name"}}},
		{name: "embedded nulls", text: `{"crate_name":"a","cursor":null,"size":null}`, o: reject},
		{name: "embedded null and unknown name", text: `{"crate_name":"a","size":null,"x":1}`, o: reject, problems: []decode.Problem{
			{Path: "x", Expected: names, Got: "an unknown name"}}},
		{name: "embedded in part", text: `{"crate_name":"a","size":1}`, problems: []decode.Problem{{Path: "cursor", Expected: "a string", Got: "nothing"}}},
		{name: "every problem, in order of declaration", text: `{"limit":"many","where":{"zip":"1.5"},"version":1}`, problems: []decode.Problem{
			{Path: "crate_name", Expected: "a string", Got: "nothing"},
			{Path: "version", Expected: "a string", Got: "the number 1"},
			{Path: "limit", Expected: "an integer", Got: `the string "many"`},
			{Path: "where.city", Expected: "a string", Got: "nothing"},
			{Path: "where.zip", Expected: "an integer", Got: `the string "1.5"`}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var in crateInput
			report := decode.Into([]byte(tc.text), &in, decodeCrate, tc.o)
			var problems []decode.Problem
			for _, p := range report.Problems {
				problems = append(problems, plain(p))
			}
			if !reflect.DeepEqual(problems, tc.problems) || !reflect.DeepEqual(report.Warnings, tc.warnings) {
				t.Errorf("got  %+v %q\nwant %+v %q", problems, report.Warnings, tc.problems, tc.warnings)
			}
		})
	}
}

func TestObjectsTake(t *testing.T) {
	for text, want := range map[string]crateInput{
		`{"crate_name":"a"}`: {Name: "a", Version: "latest"},
		`{"crate_name":"a","version":"1","limit":null,"where":null,"other":[]}`:       {Name: "a", Version: "1"},
		`{"crate_name":"a","where":"{\"city\":\"b\",\"zip\":\"7\"}"}`:                 {Name: "a", Version: "latest", Where: place{"b", 7}},
		`{"crate_name":"a","cursor":"c","size":3}`:                                    {Name: "a", Version: "latest", Page: &Page{"c", 3}},
		`"{\"crate_name\":\"a\",\"where\":{\"city\":\"\\u00e9\"},\"limit\":\"9\"}"`:   {Name: "a", Version: "latest", Limit: 9, Where: place{City: "é"}},
		`{"crate_name":"a","data":{"x":1,"X":2},"Data":1,"` + "\u212a" + `elvin":{}}`: {Name: "a", Version: "latest"},
	} {
		var in crateInput
		report := decode.Into([]byte(text), &in, decodeCrate, lenient)
		if len(report.Problems) > 0 || !reflect.DeepEqual(in, want) {
			t.Errorf("%s: %+v, %+v, want %+v", text, in, report.Problems, want)
		}
	}
}

// An absent value does not change the target.
func TestAbsentFieldsKeepTheirValue(t *testing.T) {
	in := crateInput{Limit: 5, Where: place{City: "here"}}
	if err := decode.Into([]byte(`{"crate_name":"a","limit":null}`), &in, decodeCrate, lenient).Err(); err != nil {
		t.Fatal(err)
	}
	if in.Limit != 5 || in.Where.City != "here" {
		t.Errorf("got %+v", in)
	}
}
