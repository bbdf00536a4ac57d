package diag

import (
	"bytes"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func at(file string, line, column int) token.Position {
	return token.Position{Filename: file, Line: line, Column: column}
}

func TestSorted(t *testing.T) {
	l := NewList(token.NewFileSet(), "/m")
	l.AddAt(at("/m/b.go", 1, 1), GoError, "later file")
	l.AddAt(at("/m/a.go", 2, 1), GoError, "later line")
	l.AddAt(at("/m/a.go", 1, 9), GoError, "later column")
	l.AddAt(at("/m/a.go", 1, 2), MissingDoc, "later code")
	l.AddAt(at("/m/a.go", 1, 2), GoError, "first").Suggest("type %s", "it")
	l.AddAt(at("/m/a.go", 1, 2), GoError, "first").Suggest("type it")
	l.AddAt(at("/m/a.go", 1, 2), GoError, "first").Suggest("type that")
	var got []string
	for _, f := range l.Sorted() {
		got = append(got, f.Message)
	}
	want := []string{"first", "first", "later code", "later column", "later line", "later file"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPrint(t *testing.T) {
	findings := []Finding{
		{Pos: at("/m/a,b.go", 3, 7), Code: MissingDoc, Message: "100% of it\nis missing", Hint: "write: it"},
		{Pos: at("/n/c.go", 1, 1), Code: GoError, Message: "undefined: <x>"},
		{Pos: at("/n/c.go", 2, 1), Code: IdleArgument, Message: "no effect", Warning: true},
	}
	for _, tt := range []struct {
		format Format
		want   string
	}{
		{Text, "a,b.go:3:7: JP501: 100% of it\nis missing; write: it\n../n/c.go:1:1: JP001: undefined: <x>\n../n/c.go:2:1: JP107: warning: no effect\n"},
		{GitHub, "::error file=a%2Cb.go,line=3,col=7,title=JP501 missing comment::100%25 of it%0Ais missing; write: it\n" +
			"::error file=../n/c.go,line=1,col=1,title=JP001 source does not compile::undefined: <x>\n" +
			"::warning file=../n/c.go,line=2,col=1,title=JP107 argument of a directive without effect::no effect\n"},
	} {
		var b bytes.Buffer
		if err := Print(&b, findings, tt.format, "/m"); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.format, b.String(), tt.want)
		}
	}
	var b bytes.Buffer
	if err := Print(&b, nil, JSON, "/m"); err != nil || b.String() != "[]\n" {
		t.Errorf("no findings as JSON: %q, %v", b.String(), err)
	}
}

func TestKinds(t *testing.T) {
	spelled := regexp.MustCompile(`^JP[0-7][0-9]{2}$`)
	last := Code("")
	for _, k := range Kinds() {
		if !spelled.MatchString(string(k.Code)) || k.Code <= last {
			t.Errorf("code %s after %s", k.Code, last)
		}
		if k.Title == "" || strings.HasSuffix(k.Title, ".") || k.Code.Title() != k.Title {
			t.Errorf("%s has the title %q", k.Code, k.Title)
		}
		last = k.Code
	}
	if title := Code("JP999").Title(); title != "" {
		t.Errorf("JP999 has the title %q", title)
	}
}
