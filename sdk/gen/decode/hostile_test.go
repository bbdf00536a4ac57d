package decode_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jptool/jptool/sdk/gen/decode"
)

func TestDocumentsRefuse(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`[`, n) + strings.Repeat(`]`, n) }
	for _, tc := range []struct {
		name, text, path, expected, got string
	}{
		{"cut off", `{"v":[1,`, "", "valid JSON", "text that ends too early"},
		{"cut off in a string", `{"v":"a`, "", "valid JSON", "text that ends too early"},
		{"two values", `{} {}`, "", "one JSON value", "more than one"},
		{"rest", `{} x`, "", "valid JSON", "invalid character 'x' at start of value at byte 3"},
		{"byte order mark", "\ufeff{}", "", "valid JSON", "invalid character '\\ufeff' at start of value at byte 0"},
		{"single quotes", `{'v':1}`, "", "valid JSON", `invalid character '\'' at start of value at byte 1`},
		{"comma", `{"v":1,}`, "", "valid JSON", "invalid character ',' at start of value at byte 6"},
		{"brackets", `{"v":[1}`, "", "valid JSON", "invalid character '}' after array element (expecting ',' or ']') at byte 7"},
		{"control character", "{\"v\":\"a\nb\"}", "", "valid JSON", `invalid character '\n' in string (expecting non-control character) at byte 7`},
		{"invalid UTF-8", "{\"v\":\"a\xff\"}", "", "valid JSON", "invalid UTF-8 at byte 7"},
		{"lone surrogate", `{"v":"a\ud800"}`, "", "valid JSON", "invalid surrogate pair `\\ud800\"}` in string at byte 7"},
		{"nan", `{"v":NaN}`, "", "valid JSON", "invalid character 'N' at start of value at byte 5"},
		{"leading zero", `{"v":01}`, "", "valid JSON", "invalid character '1' after object value (expecting ',' or '}') at byte 6"},
		{"name twice", `{"v":{"a":1,"\u0061":2}}`, "v.a", "a unique name", "a duplicate name"},
		{"name twice in a list", `{"w":[{},{"a\n":1,"a\n":2}]}`, `w[1]["a\n"]`, "a unique name", "a duplicate name"},
		{"deep", `{"v":` + deep(128) + `}`, "…0]" + strings.Repeat("[0]", 66), "at most 128 levels of lists and objects", "more"},
		{"deeper than any stack", strings.Repeat(`[`, 1<<20), "…0]" + strings.Repeat("[0]", 66), "at most 128 levels of lists and objects", "more"},
		{"too many values", `{"v":[` + strings.Repeat("0,", 1<<20) + `0]}`, "", "at most 1048576 values", "more"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			called := false
			report := decode.Into([]byte(tc.text), new(int), func(*decode.Object, *int) { called = true }, lenient)
			if called || len(report.Problems) != 1 {
				t.Fatalf("called %t, %+v, want exactly one problem", called, report.Problems)
			}
			if p := report.Problems[0]; p.Expected != tc.expected || p.Got != tc.got || p.Path != tc.path {
				t.Errorf("got %+v", p)
			}
		})
	}
}

// The nesting limit includes JSON inside strings.
func TestDepthOfTexts(t *testing.T) {
	type list []list
	var nested decode.Func[list]
	nested = func(v decode.Value, dst *list) { decode.List[list](nested)(v, dst) }
	text := strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64)
	for _, tc := range []struct {
		text string
		ok   bool
	}{
		{strings.Repeat(`[`, 63) + strconv.Quote(text) + strings.Repeat(`]`, 63), true},
		{strings.Repeat(`[`, 64) + strconv.Quote(text) + strings.Repeat(`]`, 64), false},
	} {
		if _, report := decodeOne(tc.text, lenient, nested); (report.Err() == nil) != tc.ok {
			t.Errorf("accepted: %t, want %t: %v", !tc.ok, tc.ok, report.Err())
		}
	}
}

// Messages are short, whatever the input is.
func TestMessagesAreBounded(t *testing.T) {
	long := strings.Repeat("é", 1<<19)
	many := strings.Repeat(`"x",`, 100000) + `"x"`
	for name, text := range map[string]string{
		"value":          `{"crate_name":"a","limit":"` + long + `"}`,
		"number":         `{"crate_name":` + strings.Repeat("1", 1<<20) + `}`,
		"name":           `{"crate_name":"a","` + long + `":1}`,
		"nested name":    `{"crate_name":"a","where":{"` + long + `":1,"` + long + `":1}}`,
		"many names":     `{"crate_name":"a"` + manyNames(100000) + `}`,
		"many problems":  `{"crate_name":"a","list":[` + many + `]}`,
		"many warnings":  `{"crate_name":"a"` + nearNames(10000) + `}`,
		"line breaks":    `{"crate_name":"a","limit":"a\nargument b: expected"}`,
		"name with line": `{"crate_name":"a","a\nargument b":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			var in struct {
				crateInput
				list []int
			}
			for _, closed := range []bool{false, true} {
				report := decode.Into([]byte(text), &in.crateInput, func(o *decode.Object, c *crateInput) {
					decodeCrate(o, c)
					decode.Field(o, "list", &in.list, ints)
				}, decode.Options{Closed: closed})
				message := strings.Join(report.Warnings, "\n")
				if err := report.Err(); err != nil {
					message += err.Error()
				}
				if n := utf8.RuneCountInString(message); n > 10000 || len(report.Problems) > 100 || strings.Contains(message, "\nargument b") {
					t.Errorf("%d characters, %d problems: %.300s", n, len(report.Problems), message)
				}
			}
		})
	}
}

// Only the first hundred undeclared names are compared, because comparisons are expensive.
func TestComparisonsAreBounded(t *testing.T) {
	for n, want := range map[int]int{99: 1, 100: 0} {
		var in crateInput
		text := `{"crate_name":"a"` + manyNames(n) + `,"Limit":1}`
		if report := decode.Into([]byte(text), &in, decodeCrate, lenient); len(report.Warnings) != want {
			t.Errorf("after %d names: warnings %q, want %d", n, report.Warnings, want)
		}
		text = `{` + manyNames(n)[1:] + `,"crateName":1}`
		report := decode.Into([]byte(text), &in, decodeCrate, lenient)
		if hinted := report.Problems[0].Hint != ""; hinted != (want == 1) {
			t.Errorf("after %d names: %+v", n, report.Problems)
		}
	}
}

func manyNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"field` + strconv.Itoa(i) + `":0`)
	}
	return b.String()
}

func nearNames(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"cursor` + strings.Repeat("_", i%50) + strings.Repeat("-", i/50) + `":0`)
	}
	return b.String()
}

// The work for each undeclared name is small, however many names are declared.
func TestManyUndeclaredNames(t *testing.T) {
	const declared, sent = 50, 20_000
	var properties, members []string
	for i := range declared {
		properties = append(properties, fmt.Sprintf(`"property_%d":{}`, i))
	}
	for i := range sent {
		members = append(members, fmt.Sprintf(`"x%x":0`, i))
	}
	arguments := []byte("{" + strings.Join(members, ",") + "}")
	fields := func(o *decode.Object, _ *struct{}) {
		for i := range declared {
			decode.Field(o, fmt.Sprintf("property_%d", i), new(int), decode.Int)
		}
	}
	exact := decode.Exact(`{"properties":{`+strings.Join(properties, ",")+`},"additionalProperties":false}`, fields)
	for name, fields := range map[string]func(*decode.Object, *struct{}){"closed": decode.Closed(fields), "exact": exact} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		report := decode.Into(arguments, new(struct{}), fields, decode.Options{})
		runtime.ReadMemStats(&after)
		if size := after.TotalAlloc - before.TotalAlloc; size > 1000*sent || len(report.Problems) == 0 {
			t.Errorf("%s: %d bytes for each name, %d problems", name, size/sent, len(report.Problems))
		}
	}
}
