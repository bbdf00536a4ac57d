package hostconfig_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
)

// A file from a repository cannot make the parser use much memory or overflow its stack.
func TestLargeFiles(t *testing.T) {
	const many, large = 500_001, "it has more than 500000 values or more than 128 levels of nesting"
	brackets := strings.Repeat("[", 200)
	for _, tc := range []struct{ host, text, want string }{
		{"claude-code", `{"mcpServers":{"a":` + brackets, large},
		{"claude-code", `{"a":[` + strings.Repeat("1,", many) + "1]}", large},
		{"claude-code", "// " + brackets + "\n/*" + brackets + `*/ {"a\"` + brackets + `":"` + strings.Repeat(",", many) + `"} // ` + brackets + "\n", ""},
		{"claude-code", `{} /* ` + brackets, "the file is not valid JSON"},
		{"codex", "providers.mcp" + strings.Repeat(".a", 200) + " = 1", large},
		{"codex", "[providers.mcp" + strings.Repeat(` . "a"`, 200) + "]", large},
		{"codex", "a = [" + strings.Repeat("1,", many) + "1]", large},
		{"codex", "a = [" + strings.Repeat("1.5,", 200) + "1]", ""},
	} {
		host, _ := hostconfig.Find(tc.host)
		e := hostconfig.Entry{Name: "b", Command: []string{"b"}}
		_, err := host.Merge([]byte(tc.text), e, false)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %.40s: %v, want %q", tc.host, tc.text, err, tc.want)
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
