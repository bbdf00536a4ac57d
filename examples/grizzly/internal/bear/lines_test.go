package bear

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBadLines(t *testing.T) {
	for _, spec := range []LineSpec{"", " ", "3:", ":3", "-1", "1.0", "true", "1,2", "1:2:3", "1...3", "+1", "0x1", "1 2", "٣", "1-", "..", "a-b", "1e3"} {
		_, err := ParseLines([]LineSpec{"1", spec})
		var bad *BadLinesError
		if !errors.As(err, &bad) || !slices.Equal(bad.Specs, []LineSpec{spec}) {
			t.Errorf("%q: got %v", spec, err)
		}
	}
	_, err := ParseLines([]LineSpec{"x", "2", "-1"})
	if want := `invalid lines "x", "-1": write a line as 7, or a range as "3-9"`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestLines(t *testing.T) {
	text := "one\r\ntwo\nthree\n\nfive\nsix\n"
	for _, c := range []struct {
		specs []LineSpec
		want  string
	}{
		{[]LineSpec{"1"}, "1=one"},
		{[]LineSpec{" 2 : 3 "}, "2=two 3=three"},
		{[]LineSpec{"2-3"}, "2=two 3=three"},
		{[]LineSpec{"2 .. 3"}, "2=two 3=three"},
		{[]LineSpec{"0"}, ""},
		{[]LineSpec{"0:2"}, "1=one 2=two"},
		{[]LineSpec{"5:3"}, ""},
		{[]LineSpec{"7"}, ""},
		{[]LineSpec{"5-99999999999999999999999"}, "5=five 6=six"},
		{[]LineSpec{"4", "007", "1"}, "4= 1=one"},
		{[]LineSpec{"5-6", "1-2"}, "5=five 6=six 1=one 2=two"},
		{[]LineSpec{"1-2", "2-3", "1"}, "1=one 2=two 3=three"},
		{[]LineSpec{"1-2", "5-6", "2-5"}, "1=one 2=two 3=three 4= 5=five 6=six"},
		{[]LineSpec{"3", "3"}, "3=three"},
	} {
		sel, err := ParseLines(c.specs)
		if err != nil {
			t.Fatal(err)
		}
		b := excerpt(text, sel, DefaultBody)
		var got []string
		for _, l := range b.Lines {
			got = append(got, fmt.Sprintf("%d=%s", l.Number, l.Text))
		}
		if strings.Join(got, " ") != c.want || b.Total != 6 || b.Text != "" || b.Next != 0 || b.Lines == nil {
			t.Errorf("%q: got %q in %+v, want %q", c.specs, got, b, c.want)
		}
	}
	if b := excerpt(text, Lines{}, DefaultBody); b.Text != text || b.Lines != nil || b.Total != 6 {
		t.Errorf("no specs: got %+v", b)
	}
}

func TestBodyLimit(t *testing.T) {
	all, err := ParseLines([]LineSpec{"2-9"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		text  string
		lines Lines
		want  Body
	}{
		{"fits", "äöü\nxyz", Lines{}, Body{Text: "äöü\nxyz", Total: 2}},
		{"cut after a line", "äöü\nx\nlonger", Lines{}, Body{Text: "äöü\nx\n", Total: 3, Next: 3}},
		{"cut within a rune", "aaaaaaaaaä", Lines{}, Body{Text: "aaaaaaaaa", Total: 1, Clipped: 1}},
		{"cut within a line", "aaaaaaaaaaa\nb", Lines{}, Body{Text: "aaaaaaaaaa", Total: 2, Next: 2, Clipped: 1}},
		{"lines cut after one", "a\nbb\ncc\ndd", all, Body{Lines: []Line{{2, "bb"}}, Total: 4, Next: 3}},
		{"lines cut within one", "a\nbäb\n", all, Body{Lines: []Line{{2, "b"}}, Total: 2, Clipped: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := excerpt(c.text, c.lines, 10)
			if got.Text != c.want.Text || !slices.Equal(got.Lines, c.want.Lines) || got.Total != c.want.Total ||
				got.Next != c.want.Next || got.Clipped != c.want.Clipped {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
	for _, limit := range []int{1, lineCost, lineCost + 1} {
		if b := excerpt("\nabc", all, limit); b.Clipped != 2 || len(b.Lines) != 1 || len(b.Lines[0].Text) > 1 {
			t.Errorf("limit %d: got %+v", limit, b)
		}
	}
	many := excerpt(strings.Repeat("\n", 1<<20), mustLines(t, "1-9999999"), DefaultBody)
	if len(many.Lines) > DefaultBody/lineCost || many.Next == 0 {
		t.Errorf("%d empty lines, then %d", len(many.Lines), many.Next)
	}
}

func mustLines(t *testing.T, spec LineSpec) Lines {
	t.Helper()
	l, err := ParseLines([]LineSpec{spec})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
