package hostconfig_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
)

// A file from a repository cannot make the parser use much memory or overflow its stack.
func TestLargeFiles(t *testing.T) {
	const many, large = 500_001, "it has more than 500000 values or more than 128 levels of nesting"
	brackets := strings.Repeat("[", 200)
	for _, tc := range []struct{ file, text, want string }{
		{".mcp.json", `{"mcpServers":{"a":` + brackets, large},
		{".mcp.json", `{"a":[` + strings.Repeat("1,", many) + "1]}", large},
		{".mcp.json", "// " + brackets + "\n/*" + brackets + `*/ {"a\"` + brackets + `":"` + strings.Repeat(",", many) + `"} // ` + brackets + "\n", ""},
		{".mcp.json", `{} /* ` + brackets, "the file is not valid JSON"},
		{".jp/config.toml", "providers.mcp" + strings.Repeat(".a", 200) + " = 1", large},
		{".jp/config.toml", "[providers.mcp" + strings.Repeat(` . "a"`, 200) + "]", large},
		{".jp/config.toml", "a = [" + strings.Repeat("1,", many) + "1]", large},
		{".jp/config.toml", "a = [" + strings.Repeat("1.5,", 200) + "1]", ""},
	} {
		p := hostconfig.Places{Project: t.TempDir()}
		path := filepath.Join(p.Project, tc.file)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := hostconfig.Configured(p); (err == nil) != (tc.want == "") || err != nil && !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("%.40s: %v, want %q", tc.text, err, tc.want)
		}
	}
}

// The error for a conflict does not contain secrets from URLs in the file.
func TestSecretsOfURLs(t *testing.T) {
	host, _ := hostconfig.Find("vscode")
	_, err := host.Merge([]byte(`{"servers":{"a":{"url":"https://me:hunter2@example.com/mcp?token=hunter2"}}}`), hostconfig.Entry{Name: "a", URL: "https://example.com/"}, false)
	c, ok := errors.AsType[*hostconfig.Conflict](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	for _, d := range c.Differences {
		if strings.HasSuffix(d.Path, "url") && d.Have != `"https://example.com/mcp (hidden)"` || strings.Contains(d.Have, "hunter2") {
			t.Errorf("%s: %s", d.Path, d.Have)
		}
	}
}
