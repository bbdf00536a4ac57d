package jpvet

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// Each request of go vet also prints the findings, and each output is different, so that the cache of the go
// command stores it in a separate file.
func TestRequestsAlwaysReport(t *testing.T) {
	stdout := os.Stdout
	defer func() { os.Stdout = stdout }()
	outputs := map[string]bool{}
	for range 2 {
		dir := t.TempDir()
		file := filepath.Join(dir, "vet.cfg")
		data, err := json.Marshal(unitchecker.Config{ID: "p", VetxOnly: true, Stdout: filepath.Join(dir, "stdout")})
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := alwaysReport(file); err != nil {
			t.Fatal(err)
		}
		os.Stdout.WriteString("{}")
		os.Stdout.Close()
		output, _ := os.ReadFile(filepath.Join(dir, "stdout"))
		if strings.TrimSpace(string(output)) != "{}" || outputs[string(output)] {
			t.Errorf("the output is %q after %v", output, outputs)
		}
		outputs[string(output)] = true
		data, _ = os.ReadFile(file)
		var request unitchecker.Config
		if json.Unmarshal(data, &request) != nil || request.ID != "p" || request.VetxOnly || request.Stdout != "" {
			t.Errorf("the request is %s", data)
		}
	}
}
