package phrase_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/internal/phrase"
)

func TestNearest(t *testing.T) {
	names := []string{"crate_name", "crate_version", "query", "kinds", "id", "title"}
	for _, tc := range []struct{ name, want string }{
		{"explanation", ""}, {"", ""}, {"_", ""}, {"x", ""}, {"ip", ""}, {"name", ""}, {"query", ""},
		{strings.Repeat("crate_name", 100), ""}, {strings.Repeat("q", 200), ""},
		{"crateName", "crate_name"}, {"CRATE-NAME", "crate_name"}, {"crate.name", "crate_name"}, {"cratename", "crate_name"},
		{"create_name", "crate_name"}, {"qurey", "query"}, {"kind", "kinds"}, {"ID", "id"}, {"titel", "title"}, {"queries", "query"}, {"crateversions", "crate_version"},
	} {
		if got, ok := phrase.Nearest(tc.name, names); got != tc.want || ok != (tc.want != "") {
			t.Errorf("Nearest(%.20q) = %q, %t, want %q", tc.name, got, ok, tc.want)
		}
	}
	for sent, among := range map[string]string{"note_read": "note_create", "list_tags": "list_logs_by_day"} {
		if got, ok := phrase.Nearest(sent, []string{among}); ok {
			t.Errorf("Nearest(%q) = %q, want no name", sent, got)
		}
	}
	for sent, among := range map[string]string{"get_isue": "get_issue", "create-issues": "create_issue", "get_user_by_mial": "get_user_by_mail"} {
		if got, _ := phrase.Nearest(sent, []string{among}); got != among {
			t.Errorf("Nearest(%q) = %q, want %q", sent, got, among)
		}
	}
	if got, _ := phrase.Nearest("kinks", []string{"kings", "kinds"}); got != "kings" {
		t.Errorf("got %q, want the first of two equally similar names", got)
	}
}
