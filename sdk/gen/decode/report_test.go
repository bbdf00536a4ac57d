package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
)

func TestReportWithoutProblemsIsNoError(t *testing.T) {
	if err := (decode.Report{Warnings: []string{"careful"}}).Err(); err != nil {
		t.Errorf("got %v", err)
	}
}

func TestReportTellsTwenty(t *testing.T) {
	_, report := decodeOne("["+strings.Repeat(`"x",`, 149)+`"x"]`, lenient, ints)
	err := fault.From(report.Err())
	lines := strings.Split(err.Message, "\n")
	if len(lines) != 21 || lines[19] != `argument v[19]: expected an integer, got the string "x"` || lines[20] != "and 130 more" {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
	if err.Code != fault.InvalidInput || !err.Recoverable {
		t.Errorf("code %s, recoverable %t", err.Code, err.Recoverable)
	}
	details, _ := json.Marshal(err.Details)
	if want := `{"problems":[{"path":"v[0]","expected":"an integer","got":"the string \"x\""},`; !strings.HasPrefix(string(details), want) {
		t.Errorf("details %.200s", details)
	}
}

func TestMergeKeepsBoth(t *testing.T) {
	var option crateInput
	_, report := decodeOne(`[1,"x"]`, lenient, ints)
	report.Merge(decode.Into([]byte(`{"limits":1}`), &option, decodeCrate, decode.Options{What: "option"}))
	want := "argument v[1]: expected an integer, got the string \"x\"\noption crate_name: expected a string, got nothing"
	if got := fault.From(report.Err()).Message; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(report.Warnings) != 1 {
		t.Errorf("warnings %q, want one", report.Warnings)
	}

	_, many := decodeOne("["+strings.Repeat(`"x",`, 149)+`"x"]`, lenient, ints)
	report.Merge(many)
	if lines := strings.Split(fault.From(report.Err()).Message, "\n"); lines[20] != "and 132 more" || len(report.Problems) != 100 {
		t.Errorf("%q with %d problems kept", lines[20], len(report.Problems))
	}
}
