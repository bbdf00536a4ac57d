package xmltext_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/jptool/jptool/examples/internal/xmltext"
)

func TestTextStaysText(t *testing.T) {
	for _, text := range []string{
		"", "plain", "a < b && c > d", "]]>", "]]]]>>", "<![CDATA[", "]]]]><![CDATA[>", "</t><t>", `"'`, "&amp;", "&#0;", "<!--", "tab\there",
		"\x00\x01\x1b\x7f", "\xff\xfe", "\ufffe\uffff", "\u2028", "日本\U0001F600",
	} {
		for form, written := range map[string]string{"escaped": xmltext.Escape(text), "cdata": xmltext.CDATA(text)} {
			var e struct {
				Text string `xml:",chardata"`
			}
			if err := xml.NewDecoder(strings.NewReader("<t>" + written + "</t>")).Decode(&e); err != nil {
				t.Errorf("%q %s: %v", text, form, err)
			}
			if e.Text != xmltext.Legible(text) {
				t.Errorf("%q %s: is read as %q", text, form, e.Text)
			}
		}
	}
	if got := xmltext.Legible("a\x00b\xff\uffffc\n"); got != "a\ufffdb\ufffd\ufffdc\n" {
		t.Errorf("legible: %q", got)
	}
}
