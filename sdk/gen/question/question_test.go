package question_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/question"
)

func TestValidID(t *testing.T) {
	digest := "confirm-" + strings.Repeat("a", 26)
	for _, bad := range []string{"", "a.b", "a b", "é", "__permission__", "a\n", strings.Repeat("x", 65), "a/b", digest, "a--2", "--3"} {
		if question.ValidID(bad) {
			t.Errorf("ValidID(%q) = true", bad)
		}
	}
	for _, good := range []string{"a", "confirm-fetch", "Pick_1", "__permission", "a--1", "a--22", strings.Repeat("x", 64), digest + "a"} {
		if !question.ValidID(good) {
			t.Errorf("ValidID(%q) = false", good)
		}
	}
}

func TestSchema(t *testing.T) {
	for want, spec := range map[string]question.Spec{
		`{"type":"boolean","description":"Sure?","default":false}`: {Kind: question.KindConfirm, Description: "Sure?", Default: "false"},
		`{"type":"string","enum":["red","blue"],"default":"red"}`: {Kind: question.KindChoice, Default: `"red"`,
			Options: []question.Option{{Value: "red"}, {Value: "blue"}}},
		`{"type":"string","minLength":1,"maxLength":9,"pattern":"^a"}`: {Kind: question.KindText, MinLength: 1, MaxLength: 9, Pattern: "^a"},
		`{"type":"number","minimum":0,"maximum":2.5}`:                  {Kind: question.KindNumber, Minimum: new(0.0), Maximum: new(2.5)},
	} {
		if got := string(question.Question{Spec: spec}.Schema()); got != want {
			t.Errorf("Schema() = %s, want %s", got, want)
		}
	}
}

func TestFormSchema(t *testing.T) {
	bare := []question.Option{{Value: "a"}, {Value: "b"}}
	told := []question.Option{{Value: "keep_both", Description: "Keep both notes."}, {Value: "replace"}, {Value: "x", Title: "Y", Description: "Z."}}
	for _, tc := range []struct {
		spec question.Spec
		// plain is the schema in the contract; old and want are the schemas of forms without and with lists.
		plain, old, want string
	}{
		{question.Spec{Kind: question.KindChoice, Options: bare}, `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`},
		{question.Spec{Kind: question.KindChoice, Options: told}, `{"type":"string","enum":["keep_both","replace","x"]}`,
			`{"type":"string","enum":["keep_both","replace","x"],"enumNames":["Keep both notes","replace","Y"]}`,
			`{"type":"string","oneOf":[{"const":"keep_both","title":"Keep both notes"},{"const":"replace","title":"replace"},{"const":"x","title":"Y"}]}`},
		{question.Spec{Kind: question.KindForm, Description: "How?", Fields: []question.Spec{{ID: "how", Kind: question.KindChoice, Options: told[:1]}}},
			`{"type":"object","description":"How?","properties":{"how":{"type":"string","enum":["keep_both"]}},"required":["how"]}`,
			`{"type":"object","properties":{"how":{"type":"string","enum":["keep_both"],"enumNames":["Keep both notes"]}},"required":["how"]}`,
			`{"type":"object","properties":{"how":{"type":"string","oneOf":[{"const":"keep_both","title":"Keep both notes"}]}},"required":["how"]}`},
		{question.Spec{Kind: question.KindConfirm}, `{"type":"boolean"}`, `{"type":"boolean"}`, `{"type":"boolean"}`},
		{question.Spec{Kind: question.KindSeveral, Options: bare, MinItems: 1, Default: `["b"]`},
			`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"uniqueItems":true,"default":["b"]}`,
			`{"type":"object","properties":{"a":{"type":"boolean","title":"a","default":false},"b":{"type":"boolean","title":"b","default":true}}}`,
			`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"default":["b"]}`},
		{question.Spec{Kind: question.KindSeveral, Options: told[:1], MaxItems: 1},
			`{"type":"array","items":{"type":"string","enum":["keep_both"]},"maxItems":1,"uniqueItems":true}`,
			`{"type":"object","properties":{"keep_both":{"type":"boolean","title":"Keep both notes","default":false}}}`,
			`{"type":"array","items":{"anyOf":[{"const":"keep_both","title":"Keep both notes"}]},"maxItems":1}`},
	} {
		q := question.Question{Spec: tc.spec}
		for what, pair := range map[string][2]string{
			"Schema()": {string(q.Schema()), tc.plain}, "FormSchema(false)": {string(q.FormSchema(false)), tc.old}, "FormSchema(true)": {string(q.FormSchema(true)), tc.want},
		} {
			if !equalJSON(t, pair[0], pair[1]) {
				t.Errorf("%s = %s, want %s", what, pair[0], pair[1])
			}
		}
	}
}

// equalJSON reports whether two JSON texts have the same value.
func equalJSON(t *testing.T, x, y string) bool {
	t.Helper()
	var a, b any
	if err := errors.Join(json.Unmarshal([]byte(x), &a), json.Unmarshal([]byte(y), &b)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(a, b)
}

// Hosts send answers in different forms; handlers get one form.
func TestPlainAnswers(t *testing.T) {
	several := question.Spec{Kind: question.KindSeveral, Options: []question.Option{{Value: "salt"}, {Value: "oil"}, {Value: "chili"}}, MinItems: 1, MaxItems: 2}
	pick := question.Spec{Kind: question.KindPick, Options: []question.Option{{Value: "a1", Title: "Apples"}, {Value: "b2"}}}
	for _, tc := range []struct {
		spec         question.Spec
		answer, want string // "" means rejected
	}{
		{several, `["salt","oil"]`, `["salt","oil"]`}, {several, ` ["oil"] `, `["oil"]`},
		{several, `"oil, salt"`, `["oil","salt"]`}, {several, `"[\"oil\"]"`, `["oil"]`}, {several, `" oil ,"`, `["oil"]`},
		{several, `[]`, ``}, {several, `""`, ``}, {several, `["salt","oil","chili"]`, ``}, {several, `["salt","salt"]`, ``},
		{several, `["sugar"]`, ``}, {several, `"sugar"`, ``}, {several, `[1]`, ``}, {several, `null`, ``}, {several, `true`, ``}, {several, `{}`, ``},
		{pick, `"a1"`, `"a1"`}, {pick, `"Apples"`, `"a1"`}, {pick, `"b2"`, `"b2"`}, {pick, `"apples"`, ``}, {pick, `""`, ``}, {pick, `1`, ``},
		{question.Spec{Kind: question.KindNumber}, `" 2.5 "`, `2.5`}, {question.Spec{Kind: question.KindNumber}, `"two"`, ``},
		{question.Spec{Kind: question.KindText}, `" 2.5 "`, `" 2.5 "`},
	} {
		set := question.NewSet("tool")
		tc.spec.ID = "q"
		q := set.Declare(tc.spec)
		got := ""
		s := question.NewSession(t.Context(), question.Run{
			Questions: set, Asker: question.Asker{Ask: func(context.Context, question.Question) (question.Answer, error) {
				return question.Answer{Content: json.RawMessage(tc.answer)}, nil
			}},
		})
		_ = question.Ask(s.With(t.Context()), question.Part{Question: q.Put("Which?"), Read: func(content json.RawMessage) error {
			got = string(content)
			return nil
		}})
		if got != tc.want {
			t.Errorf("%v: the handler received %[3]s for %[2]s, want %[4]s", tc.spec.Kind, tc.answer, got, tc.want)
		}
	}
}

// Subjects have different ids, and no subject has the id of a declared question or of a field, whatever the
// subjects are.
func TestSubjectsHaveIDsOfTheirOwn(t *testing.T) {
	set := question.NewSet("tool")
	confirm := set.Declare(question.Spec{ID: "confirm", Kind: question.KindConfirm})
	other := set.Declare(question.Spec{ID: "confirm-a", Kind: question.KindConfirm})
	dash := set.Declare(question.Spec{ID: "dash-", Kind: question.KindConfirm})
	form := set.Declare(question.Spec{ID: "form", Kind: question.KindForm, Fields: []question.Spec{{ID: "name", Kind: question.KindText}}})
	long := set.Declare(question.Spec{ID: strings.Repeat("l", 64), Kind: question.KindConfirm})
	asked := map[string]question.Question{}
	add := func(what string, q question.Question, subjects ...string) question.Question {
		for _, s := range subjects {
			q = q.For(s)
		}
		asked[fmt.Sprintf("%s about %q", what, subjects)] = q
		return q
	}
	for what, q := range map[string]question.Question{"confirm": confirm, "confirm-a": other, "dash": dash, "form": form, "the long one": long} {
		add(what, q)
		for _, s := range []string{
			"", "a", "b", "a-b", "a b", "b c", "b_c", "a/b", "A", "é", "ü", "-", "--", "2", "-2", "--2", "name", strings.Repeat("x", 26),
			strings.Repeat("x", 80), strings.Repeat("x", 81), "\x00", "\xff", "\xfe",
		} {
			about := add(what, q, s)
			add(what, q, s, "x")
			add(what, q, "x", s)
			// A caller may use an id, or the end of one, as a subject.
			add(what, q, strings.TrimPrefix(about.ID, q.ID+"-"))
			add(what, q, about.ID)
		}
	}
	seen := map[string]string{"form-name": "the field"}
	for what, q := range asked {
		if len(q.ID) > question.MaxID || q.ID == "" {
			t.Errorf("%s has the id %q", what, q.ID)
		}
		if same, taken := seen[q.ID]; taken {
			t.Errorf("%s and %s share the id %q", what, same, q.ID)
		}
		seen[q.ID] = what
	}
	for what, q := range asked { // answers to the other questions must not answer q
		answers := map[string]question.Answer{}
		for id := range seen {
			if id != q.ID {
				answers[id] = question.Answer{Action: question.Accept, Content: []byte("true")}
			}
		}
		s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Asker: question.CannotAsk(nil), Answers: answers, MaxRounds: 1 << 20})
		if err := put(s.With(t.Context()), q, "Sure?"); fault.CodeOf(err) != fault.InputUnavailable {
			t.Errorf("%s: got %v", what, err)
		}
	}
	for what, q := range asked {
		if _, try := question.Try(q.ID); try != 1 {
			t.Errorf("%s has the id %q of a question that is asked again", what, q.ID)
		}
	}
	if id := confirm.For("hunk1").ID; id != "confirm-hunk1" {
		t.Errorf("the id %q does not contain the subject unchanged", id)
	}
}

// A user who configures an answer writes the subject unchanged.
func TestSubjectsAsUsersWriteThem(t *testing.T) {
	set := question.NewSet("tool")
	keep := set.Declare(question.Spec{ID: "keep", Kind: question.KindConfirm, Subjects: true})
	answers := map[string]question.Answer{"keep": {Action: question.Accept, Content: []byte("true")}}
	subjects := []string{"a", "a.txt", "2026-01-02", "a b/c", "日本"}
	for _, s := range subjects {
		answers["keep-"+s] = question.Answer{Action: question.Accept, Content: []byte("false")}
	}
	for _, subject := range append(subjects, "other.txt", "") {
		var got string
		s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Answers: answers, Asker: question.Later(false, false)})
		err := question.Ask(s.With(t.Context()), question.Part{Question: keep.For(subject).Put("Keep %q?", subject), Read: func(content json.RawMessage) error {
			got = string(content)
			return nil
		}})
		if want := strconv.FormatBool(!slices.Contains(subjects, subject)); err != nil || got != want {
			t.Errorf("%q: got %s, %v, want %s", subject, got, err, want)
		}
	}
}

// The name of a field may follow the subject of a form.
func TestFieldsOfSubjectsAsUsersWriteThem(t *testing.T) {
	set := question.NewSet("tool")
	badge := set.Declare(question.Spec{ID: "badge", Kind: question.KindForm, Fields: []question.Spec{{ID: "name", Kind: question.KindText}}})
	answers := map[string]question.Answer{"badge-b.c-name": {Content: []byte(`"Kim"`)}, "badge-d.e": {Content: []byte(`{"name":"Bo"}`)}}
	for subject, want := range map[string]string{"b.c": `{"name":"Kim"}`, "d.e": `{"name":"Bo"}`, "b.c-name": "asked"} {
		got := "asked"
		s := question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Answers: answers, Asker: question.Later(false, false)})
		err := question.Ask(s.With(t.Context()), question.Part{Question: badge.For(subject).Put("Whose?"), Read: func(content json.RawMessage) error {
			got = string(content)
			return nil
		}})
		if _, pending := errors.AsType[*question.Pending](err); got != want || pending != (want == "asked") {
			t.Errorf("%q: got %s, %v, want %s", subject, got, err, want)
		}
	}
}

func FuzzSubjects(f *testing.F) {
	f.Add("a", "b")
	f.Add("b c", "b_c-47d8a4a86c74")
	f.Add("", "-")
	set := question.NewSet("tool")
	questions := []question.Question{
		set.Declare(question.Spec{ID: "confirm"}), set.Declare(question.Spec{ID: "confirm-a"}), set.Declare(question.Spec{ID: "c"}),
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		ids := map[string]string{"confirm": "confirm", "confirm-a": "confirm-a", "c": "c"}
		for _, q := range questions {
			for _, subjects := range [][]string{{a}, {b}, {a, b}, {b, a}} {
				about := q
				for _, s := range subjects {
					about = about.For(s)
				}
				what := fmt.Sprintf("%s %q", q.ID, subjects)
				if same, taken := ids[about.ID]; taken && same != what {
					t.Errorf("%s and %s share the id %q", what, same, about.ID)
				}
				ids[about.ID] = what
			}
		}
	})
}

// run runs a handler on this goroutine, so that it returns every error from Ask.
func run(r question.Run, ask func(ctx context.Context, q func(id string) question.Question) error) error {
	set := question.NewSet("tool")
	declared := map[string]question.Question{}
	for _, id := range []string{"a", "b"} {
		declared[id] = set.Declare(question.Spec{ID: id, Kind: question.KindConfirm})
	}
	r.Tool, r.Questions = "tool", set
	s := question.NewSession(context.Background(), r)
	err := ask(s.With(context.Background()), func(id string) question.Question { return declared[id] })
	return s.End(err)
}

func put(ctx context.Context, q question.Question, format string, args ...any) error {
	return question.Ask(ctx, question.Part{Question: q.Put(format, args...), Read: func(json.RawMessage) error { return nil }})
}

func acceptingAsker(asked *int) question.Asker {
	return question.Asker{Forms: true, Person: true, Ask: func(context.Context, question.Question) (question.Answer, error) {
		*asked++
		return question.Answer{Content: json.RawMessage("true")}, nil
	}}
}

// In a run, each id has one message, over protocols that ask while the handler waits and over
// protocols that run it again.
func TestAskedTwice(t *testing.T) {
	for name, known := range map[string]map[string]question.Answer{"asked": nil, "known": {"a": {Content: json.RawMessage("true")}}} {
		asked := 0
		err := run(question.Run{Asker: acceptingAsker(&asked), Answers: known}, func(ctx context.Context, q func(string) question.Question) error {
			for range 3 {
				if err := put(ctx, q("a"), "Save %s?", "x"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || asked != 1-len(known) {
			t.Errorf("%s: the same question three times: %v, asked %d times", name, err, asked)
		}
		asked = 0
		err = run(question.Run{Asker: acceptingAsker(&asked), Answers: known}, func(ctx context.Context, q func(string) question.Question) error {
			return errors.Join(put(ctx, q("a"), "Save %s?", "x"), put(ctx, q("a"), "Save %s?", "y"))
		})
		if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), "Save x?") || !strings.Contains(err.Error(), "Save y?") || asked > 1 {
			t.Errorf("%s: two wordings: %v, asked %d times", name, err, asked)
		}
	}
}

// A question whose message changes from run to run is asked again once.
func TestReworded(t *testing.T) {
	old := question.Answer{Content: json.RawMessage("true"), Person: true, Wording: "other", Message: "Save at 10:00?"}
	ask := func(ctx context.Context, q func(string) question.Question) error {
		return put(ctx, q("a"), "Save at 10:01?")
	}
	err := run(question.Run{Asker: question.Later(true, true), Answers: map[string]question.Answer{"a": old}}, ask)
	pending, ok := errors.AsType[*question.Pending](err)
	if !ok || !pending.Questions[0].Reworded {
		t.Fatalf("the first rewording: %v", err)
	}
	old.Reworded = true
	err = run(question.Run{Asker: question.Later(true, true), Answers: map[string]question.Answer{"a": old}}, ask)
	if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), "10:00") || !strings.Contains(err.Error(), "10:01") {
		t.Errorf("the second rewording: %v", err)
	}
}

// The number of questions in a call is always limited, so a loop over known answers ends.
func TestBounds(t *testing.T) {
	asked := 0
	endless := func(ctx context.Context, q func(string) question.Question) error {
		for i := 0; ; i++ {
			if err := put(ctx, q("a").For(fmt.Sprint(i)), "Save?"); err != nil {
				return err
			}
		}
	}
	err := run(question.Run{Asker: acceptingAsker(&asked), MaxRounds: 7}, endless)
	if fault.CodeOf(err) != fault.Internal || asked != 7 || !strings.Contains(err.Error(), "--max-rounds") {
		t.Errorf("asked %d times: %v", asked, err)
	}
	err = run(question.Run{Asker: question.Later(true, true), Rounds: 100}, endless)
	if fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), "100") {
		t.Errorf("the question after 100: %v", err)
	}
	err = run(question.Run{Asker: question.Later(true, true), Rounds: 99}, endless)
	if _, ok := errors.AsType[*question.Pending](err); !ok {
		t.Errorf("question 100: %v", err)
	}
	asked, tried := 0, 0
	err = run(question.Run{Asker: acceptingAsker(&asked), MaxRounds: 7}, func(ctx context.Context, q func(string) question.Question) error {
		for ; ; tried++ {
			if err := put(ctx, q("a"), "Save?"); err != nil {
				return err
			}
		}
	})
	if fault.CodeOf(err) != fault.Internal || asked != 1 || tried != 70 {
		t.Errorf("a loop over one answer: %v, asked %d times, tried %d", err, asked, tried)
	}
}

// After a call has ended, its run cannot ask questions, even if the answer is known.
func TestAskingAfterTheEnd(t *testing.T) {
	asked := 0
	set := question.NewSet("tool")
	q := set.Declare(question.Spec{ID: "a", Kind: question.KindConfirm})
	ctx, cancel := context.WithCancel(t.Context())
	s := question.NewSession(ctx, question.Run{Tool: "tool", Questions: set, Asker: acceptingAsker(&asked), Answers: map[string]question.Answer{"a": {Content: json.RawMessage("true")}}})
	cancel()
	if err := put(s.With(t.Context()), q, "?"); fault.CodeOf(err) != fault.Canceled {
		t.Errorf("after the call was canceled: %v", err)
	}
	s = question.NewSession(t.Context(), question.Run{Tool: "tool", Questions: set, Asker: acceptingAsker(&asked)})
	if err := s.End(nil); err != nil {
		t.Error(err)
	}
	if err := put(s.With(t.Context()), q, "?"); fault.CodeOf(err) != fault.Internal || !strings.Contains(err.Error(), "had ended") {
		t.Errorf("after the session has ended: %v", err)
	}
	if asked != 0 {
		t.Errorf("asked %d times", asked)
	}
}

// The values of a several question may have another letter case, and the error names the wrong one.
func TestSeveralValues(t *testing.T) {
	spec := question.Spec{ID: "fields", Kind: question.KindSeveral, MaxItems: 2, Options: []question.Option{
		{Value: "title", Title: "The Title"}, {Value: "date"}, {Value: "a"}, {Value: "A"},
	}}
	for answer, want := range map[string]string{
		`"Title"`: "", `"TITLE, date"`: "", `["Date"]`: "", `"[\"DATE\"]"`: "", `"the title"`: "", `"a, A"`: "",
		`"titel"`: `got "titel"`, `"date,titel"`: `got "titel"`, `["date",""]`: `got ""`, `"date,date"`: `got "date" twice`, `"date,Date"`: `got "date" twice`,
		`"title,date,a"`: "got 3 values", `["ã","a"]`: `got "ã"`, `7`: "got 7", `true`: "got true", `{"title":true}`: `got {"title":true}`, ``: "got nothing",
	} {
		err := spec.Check(json.RawMessage(answer))
		if (err == nil) != (want == "") || err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}
