package jpvet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
)

// The documentation must describe every finding about a handler and give its title.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile("../../../docs/vet.md")
	if err != nil {
		t.Fatal(err)
	}
	codes := []diag.Code{diag.IdleAllow}
	for _, r := range rules() {
		codes = append(codes, r.code)
	}
	for _, code := range codes {
		if row := fmt.Sprintf("| `%s` | %s |", code, code.Title()); !strings.Contains(string(data), row) {
			t.Errorf("docs/vet.md lacks %q", row)
		}
	}
	for _, k := range diag.Kinds() {
		if strings.HasPrefix(string(k.Code), "JP7") && !strings.Contains(string(data), "`"+string(k.Code)+"`") {
			t.Errorf("docs/vet.md lacks %s", k.Code)
		}
	}
}
