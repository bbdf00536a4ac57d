package question_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

// A user is only sent to a page if its host is certain to be the host in the message.
func TestVisitedURLs(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/login?state=secret": "",
		"http://localhost:8080/login":            "",
		"http://127.0.0.1/login":                 "",
		"http://[::1]:80/login":                  "",
		"":                                       "has no URL",
		"/login?secret":                          "has an invalid URL",
		"https:///login?secret":                  "has an invalid URL",
		"https://b\u0430nk.example/secret":       "has an invalid URL",
		"https://example.com/\x1b[2Jsecret":      "has an invalid URL",
		"https://bank.example:secret@e.example/": "can disguise the host",
		"https://bank.example@e.example/secret":  "can disguise the host",
		"http://example.com/secret":              "is not encrypted",
		"http://127.0.0.1.example.com/secret":    "is not encrypted",
		"javascript://example.com/secret":        "is not encrypted",
		"file:///etc/secret":                     "has an invalid URL",
	} {
		var asked question.Question
		set := question.NewSet("t")
		q := set.Declare(question.Spec{ID: "page", Kind: question.KindVisit})
		q.URL = url
		s := question.NewSession(t.Context(), question.Run{Tool: "t", Questions: set, Asker: question.Asker{
			Visits: true, Person: true, Ask: func(_ context.Context, q question.Question) (question.Answer, error) {
				asked = q
				return question.Answer{Content: []byte("true")}, nil
			},
		}})
		err := s.End(question.Ask(s.With(t.Context()), question.Part{Question: q.Put("Sign in."), Read: func(json.RawMessage) error { return nil }}))
		if want == "" {
			host, _, _ := strings.Cut(strings.SplitN(url, "//", 2)[1], "/")
			if err != nil || asked.Message != "Sign in. ("+host+")" {
				t.Errorf("%s: asked %q, %v", url, asked.Message, err)
			}
			continue
		}
		if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || asked.Message != "" {
			t.Errorf("%q: asked %q, %v; want an error with %q", url, asked.Message, err, want)
		}
	}
}

// If a protocol does not support a kind of question, the error says how to ask it, even if a person must answer.
func TestUnsupportedKindsOfExclusiveQuestions(t *testing.T) {
	for _, kind := range []question.Kind{question.KindSecret, question.KindVisit} {
		set := question.NewSet("t")
		q := set.Declare(question.Spec{ID: "key", Kind: kind, Exclusive: question.ByHost})
		q.URL = "https://example.com"
		asker := question.CannotAsk(func(question.Question) string { return "Use another client." })
		s := question.NewSession(t.Context(), question.Run{Tool: "t", Questions: set, Asker: asker})
		err := s.End(question.Ask(s.With(t.Context()), question.Part{Question: q.Put("Key?"), Read: func(json.RawMessage) error { return nil }}))
		if fault.CodeOf(err) != fault.InputUnavailable || !strings.HasSuffix(err.Error(), " Use another client.") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
