package caller

import (
	"context"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
)

func TestGuard(t *testing.T) {
	for _, tt := range []struct{ text, schema, hidden string }{
		{"Your account?", `{"properties":{"api_key":{"type":"string"},"name":{"type":"string"}}}`, "api_key"},
		{"Your account?", `{"properties":{"x":{"type":"string","title":"Access token"},"pin":{"type":"integer"}}}`, "x pin"},
		{"Your account?", `{"properties":{"x":{"type":"string","description":"The one-time code of your bank."}}}`, "x"},
		{"Enter your sudo password.", `{"properties":{"a":{"type":"string"},"ok":{"type":"boolean"},"n":{"enum":["x"]}}}`, "a"},
		{"Enter your sudo password.", `{"properties":{"password":{"type":"string"},"name":{"type":"string"}}}`, "password"},
		{"Delete the token?", `{"properties":{"sure":{"type":"boolean"}}}`, ""},
		{"Which color?", `{"properties":{"keyboard":{"type":"string"},"opinion":{"type":"string"},"tokenizer":{"type":"string"}}}`, ""},
	} {
		q, warning := Question{ID: "q", Text: tt.text, Schema: shape.Read(jsontext.Value(tt.schema)), Form: true}.Guard()
		var hidden []string
		for _, p := range q.Schema.Properties {
			if p.Secret {
				hidden = append(hidden, p.Name)
			}
		}
		if got := strings.Join(hidden, " "); got != tt.hidden || (warning == "") != (tt.hidden == "") {
			t.Errorf("%s %s: hides %q, warns %q; want %q hidden", tt.text, tt.schema, got, warning, tt.hidden)
		}
	}
	one, warning := Question{Text: "Your API key?", Schema: shape.Schema{Types: []string{"string"}}}.Guard()
	if !one.Schema.Secret || warning == "" {
		t.Errorf("a question that is not a form: %+v, %q", one, warning)
	}
}

func TestURLQuestions(t *testing.T) {
	for _, tt := range []struct{ url, host, answer, action string }{
		{"https://example.com/login?x=1", "example.com", "true", "accept"},
		{"https://example.com/", "example.com", "false", "decline"},
		{"https://bank.example@evil.example:8443/", "evil.example:8443", "true", "accept"},
		{"https://bаnk.example/", `b\u0430nk.example`, "true", "accept"},
		{"file:///etc/passwd", "", "true", ""},
		{"javascript:alert(1)", "", "true", ""},
		{"", "", "true", ""},
	} {
		host := ""
		ask := Ask(func(_ context.Context, q Question) (jsontext.Value, error) {
			host = q.Host()
			return jsontext.Value(tt.answer), nil
		})
		got, err := ask.elicit(t.Context(), peer.Elicitation{Mode: "url", Message: "Log in.", URL: tt.url})
		if got.Action != tt.action || host != tt.host || (err == nil) != (tt.action != "") || got.Content != nil {
			t.Errorf("%s: %+v, %v, asked about host %q", tt.url, got, err, host)
		}
	}
}

func TestNotAnswered(t *testing.T) {
	for err, want := range map[error]string{terminal.ErrDeclined: "decline", terminal.ErrCanceled: "cancel"} {
		ask := Ask(func(context.Context, Question) (jsontext.Value, error) { return nil, err })
		for _, mode := range []string{"form", "url"} {
			got, err := ask.elicit(t.Context(), peer.Elicitation{Mode: mode, URL: "https://example.com"})
			if err != nil || got.Action != want {
				t.Errorf("%s: %+v, %v, want %s", mode, got, err, want)
			}
		}
	}
}

func TestRequiredURLs(t *testing.T) {
	const two = `{"elicitations":[{"mode":"url","url":"https://a.example/","message":"A"},{"mode":"url","url":"https://b.example/","message":"B"}]}`
	required := func(data string) error { return &peer.RemoteError{Code: urlRequired, Data: jsontext.Value(data)} }
	for _, tt := range []struct {
		err    error
		answer string
		asks   int
		opens  bool
	}{
		{required(two), "true", 2, true},
		{required(two), "false", 1, false},
		{required(`{"elicitations":[]}`), "true", 0, false},
		{required(`7`), "true", 0, false},
		{&peer.RemoteError{Code: -32602, Data: jsontext.Value(two)}, "true", 0, false},
		{required(`{"elicitations":[{"mode":"url","url":"file:///x"}]}`), "true", 0, false},
	} {
		asks := 0
		ask := Ask(func(context.Context, Question) (jsontext.Value, error) {
			asks++
			return jsontext.Value(tt.answer), nil
		})
		if err := ask.openRequired(t.Context(), tt.err); (err == nil) != tt.opens || asks != tt.asks {
			t.Errorf("%v, answered %s: %v after %d questions", tt.err, tt.answer, err, asks)
		}
	}
}
