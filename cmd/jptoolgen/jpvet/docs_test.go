package jpvet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// The reference must explain every finding about a handler under its title, and the page about vet must mention it.
func TestDocumentation(t *testing.T) {
	reference, err := os.ReadFile("../../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/vet.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := []diag.Code{diag.IdleAllow}
	for _, r := range rules() {
		codes = append(codes, r.code)
	}
	for _, code := range codes {
		if title := fmt.Sprintf("\n### %s: %s\n", code, code.Title()); !strings.Contains(string(reference), title) {
			t.Errorf("docs/reference.md lacks %q", title)
		}
	}
	for _, k := range diag.Kinds() {
		if strings.HasPrefix(string(k.Code), "JP7") && !strings.Contains(string(page), "`"+string(k.Code)+"`") {
			t.Errorf("docs/vet.md lacks %s", k.Code)
		}
	}
}
