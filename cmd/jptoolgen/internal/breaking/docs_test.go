package breaking_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
)

// TestDocumentedRules compares the documented table with the rules. UPDATE_DOCS=1 rewrites the table.
func TestDocumentedRules(t *testing.T) {
	const path, mark = "../../../../docs/reference.md", "<!-- The rest is written by the tests of internal/breaking. -->\n"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, table, ok := strings.Cut(string(data), mark)
	if !ok {
		t.Fatalf("%s has no line %q", path, mark)
	}
	var want strings.Builder
	if err := breaking.WriteRules(&want); err != nil {
		t.Fatal(err)
	}
	rules := strings.ReplaceAll(want.String(), "\n## ", "\n### ") // the page has the rules in one section
	if table == rules {
		return
	}
	if os.Getenv("UPDATE_DOCS") == "" {
		t.Fatalf("the table in %s is out of date; run this test with UPDATE_DOCS=1", path)
	}
	if err := os.WriteFile(path, []byte(head+mark+rules), 0o666); err != nil {
		t.Fatal(err)
	}
}
