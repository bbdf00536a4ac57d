package elicit_test

import (
	"os/exec"
	"strings"
	"testing"
)

// go vet checks the format strings of every kind of question, as it does for package fmt.
func TestFormatsAreChecked(t *testing.T) {
	out, err := exec.Command("go", "vet", "./testdata/formats").CombinedOutput()
	if err == nil {
		t.Error("go vet finds nothing")
	}
	for _, kind := range []string{"confirm", "choice", "text", "number", "pick", "form", "secret", "visit", "part"} {
		if !strings.Contains(string(out), `format %d has arg "`+kind+`" of wrong type string`) {
			t.Errorf("the format of a %s is not checked:\n%s", kind, out)
		}
	}
}
