package abusehttp

import (
	"errors"
	"strings"
	"testing"

	"github.com/jptool/jptool/bench/internal/drive"
	"github.com/jptool/jptool/bench/internal/request"
)

func TestJudges(t *testing.T) {
	const result, failed = `{"jsonrpc":"2.0","id":41,"result":{}}`, `{"jsonrpc":"2.0","id":41,"result":{"isError":true}}`
	fault := func(id, code string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":` + code + `,"message":"x"}}`
	}
	for _, test := range []struct {
		name   string
		judge  judge
		status int
		body   string
		ok     bool
	}{
		{"good", wantGood("41"), 200, result, true},
		{"good, failed", wantGood("41"), 200, failed, false},
		{"good, another id", wantGood("42"), 200, result, false},
		{"good, another status", wantGood("41"), 202, result, false},
		{"refused", wantRejection, 200, result, false},
		{"refused by a result", wantRejection, 200, failed, false},
		{"refused by an error", wantRejection, 200, fault("41", "-32600"), true},
		{"refused by a status", wantRejection, 413, "too long", true},
		{"refused by a crash", wantRejection, 500, "oh", false},
		{"refused by silence", wantRejection, 202, "", false},
		{"intact", wantIntact("41"), 200, result, true},
		{"intact, another id", wantIntact("41.5"), 200, result, false},
		{"intact, refused", wantIntact("41"), 400, fault("null", "-32600"), true},
		{"intact, refused under another id", wantIntact("41.5"), 400, fault("41", "-32600"), false},
		{"fails", fails(-32020, "41", 400), 400, fault("41", "-32020"), true},
		{"fails with another code", fails(-32020, "41", 400), 400, fault("41", "-32600"), false},
		{"fails with another status", fails(-32020, "41", 400), 200, fault("41", "-32020"), false},
		{"status", status(403, 421), 421, "", true},
		{"another status", status(403, 421), 200, result, false},
		{"answered", wantResponse("41"), 200, failed, true},
		{"answered without JSON", wantResponse("41"), 400, "no", false},
	} {
		err := test.judge(read(drive.Response{Status: test.status, Body: []byte(test.body)}))
		if (err == nil) != test.ok {
			t.Errorf("%s: %d %s: %v", test.name, test.status, test.body, err)
		}
	}
}

// Two trials with the same name could not be distinguished in the report.
func TestTrialsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, trial := range Trials() {
		name := strings.Join([]string{trial.Group, trial.Name, string(trial.Era)}, ", ")
		if seen[name] {
			t.Errorf("duplicate trial %s", name)
		}
		seen[name] = true
	}
}

// A case with the fields and body of a valid call would test nothing.
func TestExchangesDiffer(t *testing.T) {
	target := Target{Most: 1 << 12}
	for _, era := range request.Eras {
		seen := map[string]string{}
		for _, x := range append(messages(era), headers(era)...) {
			fields := request.Headers(era, "tools/call", "search_1", "s1")
			if x.fields != nil {
				fields = x.fields(fields)
			}
			body := ""
			if x.body != nil {
				body = x.body(target)
			}
			sent := x.verb + x.host + strings.Join(fields, "\n") + body
			if other, ok := seen[sent]; ok {
				t.Errorf("%s: %q and %q send the same request", era, x.name, other)
			}
			seen[sent] = x.name
		}
	}
}

func TestLongestMessage(t *testing.T) {
	for _, more := range []int{0, 1} {
		if got := len(oversizedCall(request.Requests, more)(Target{Most: 5000})); got != 5000+more {
			t.Errorf("the message has %d bytes, not %d", got, 5000+more)
		}
	}
}

func TestVerdict(t *testing.T) {
	for want, v := range map[string]Verdict{
		"PASS: 200":      {Came: "200"},
		"FAIL: 200; x":   {Came: "200", Err: errors.New("x")},
		"FAIL: x; y":     {Err: errors.Join(errors.New("x"), errors.New("y"))},
		"FAIL: a; b; cd": {Came: "a", Err: errors.New("b\ncd")},
	} {
		if got := v.String(); got != want {
			t.Errorf("the verdict is %q, want %q", got, want)
		}
	}
}
