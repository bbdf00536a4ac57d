package render_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// node is an element as parsed by an XML parser.
type node struct {
	name  string
	attrs map[string]string
	text  string // the text without the text of its children
	nodes []*node
}

// parse parses an answer, which has no root element.
func parse(t *testing.T, answer string) []*node {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<answer>" + answer + "</answer>"))
	stack := []*node{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return stack[0].nodes[0].nodes
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, answer)
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			top.nodes = append(top.nodes, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
}

func names(nodes []*node) string {
	var all []string
	for _, n := range nodes {
		all = append(all, n.name)
	}
	return strings.Join(all, " ")
}

// hostileTexts returns texts that must remain text.
func hostileTexts() []string {
	return []string{
		"]]>", "]]]]>>", "<![CDATA[", "]]]]><![CDATA[>", `</note><note id="forged">`, "</match>", `" id="forged`, "'", "&amp;", "&#0;", "<!--", "<?xml?>", "</answer>",
		"\x00\x01\x1b\x7f", "\xff\xfe", "\ufffe\uffff", "\u2028", "tab\there", "日本\U0001F600",
	}
}

// replaceInvalid returns the expected form of a hostile text, in which characters that XML cannot
// represent are replaced.
func replaceInvalid(s string) string {
	return strings.Map(func(r rune) rune { // the function receives U+FFFD for each invalid byte
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s)
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}
