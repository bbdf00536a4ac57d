package decode_test

import (
	"reflect"
	"testing"

	"github.com/jptool/jptool/sdk/gen/decode"
)

// decodeOne decodes JSON as the value of a single field.
func decodeOne[T any](text string, o decode.Options, f decode.Func[T], rules ...decode.Rule) (T, decode.Report) {
	var v T
	report := decode.Into([]byte(`{"v":`+text+`}`), &v, func(obj *decode.Object, v *T) {
		decode.Field(obj, "v", v, f, rules...)
	}, o)
	return v, report
}

// A trial is JSON text, a type and the expected result.
type trial struct {
	text string
	run  func(text string, o decode.Options) (any, decode.Report)
	want any // the value, or the Expected of the only problem
}

func as[T any](text string, want any, f decode.Func[T], rules ...decode.Rule) trial {
	return trial{text, func(text string, o decode.Options) (any, decode.Report) {
		v, report := decodeOne(text, o, f, rules...)
		return v, report
	}, want}
}

func expectErrors(t *testing.T, o decode.Options, trials ...trial) {
	t.Helper()
	for _, tc := range trials {
		v, report := tc.run(tc.text, o)
		if len(report.Problems) != 1 || report.Problems[0].Expected != tc.want {
			t.Errorf("%s into %T: %+v, want one problem that expected %q", tc.text, v, report.Problems, tc.want)
		}
	}
}

func expectValid(t *testing.T, o decode.Options, trials ...trial) {
	t.Helper()
	for _, tc := range trials {
		v, report := tc.run(tc.text, o)
		if err := report.Err(); err != nil || len(report.Warnings) > 0 {
			t.Errorf("%s into %T: %v %v", tc.text, v, err, report.Warnings)
		} else if !reflect.DeepEqual(v, tc.want) {
			t.Errorf("%s: got %#v, want %#v", tc.text, v, tc.want)
		}
	}
}
