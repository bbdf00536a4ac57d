package secret_test

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
)

func TestCheck(t *testing.T) {
	for _, tc := range []struct{ name, value, want string }{
		{"MODE", "fast", ""},
		{"MODE", "", ""},
		{"API_TOKEN", "${API_TOKEN}", ""},
		{"Authorization", "Bearer ${TOKEN}", ""},
		{"API_TOKEN", "", ""},
		{"API_TOKEN_FILE", "/run/secrets/token", ""},
		{"DATA", "/var/lib/notes/x86_64-linux-gnu/data/0123456789", ""},
		{"LEVEL", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""},
		{"DATABASE_URL", "postgres://localhost/notes", ""},
		{"API_TOKEN", "abc", "API_TOKEN: its value looks like a secret"},
		{"password", "hunter2", "looks like a secret"},
		{"API_TOKEN", "sk-${TOKEN}", "looks like a secret"},
		{"MODE", "ghp_0123456789abcdef", "looks like a secret"},
		{"MODE", "sk-live-1", "looks like a secret"},
		{"MODE", "Bearer abc", "looks like a secret"},
		{"MODE", "0a1b2c3d4e5f60718293a4b5c6d7e8f9", "looks like a secret"},
		{"DATABASE_URL", "postgres://notes:hunter2@localhost/notes", "looks like a secret"},
		{"MODE", "$HOME", "a $ that is not part of ${NAME}"},
		{"MODE", "$(id)", "a $ that is not part of ${NAME}"},
		{"MODE", "a\nb", "more than one line"},
		{"A B", "x", `invalid env name "A B"`},
		{"", "x", "invalid env name"},
	} {
		err := secret.Check("env", tc.name, tc.value)
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s=%s: got %v, want %q", tc.name, tc.value, err, tc.want)
		}
		if err != nil && tc.value != "" && strings.Contains(err.Error(), tc.value) {
			t.Errorf("the error contains the value: %v", err)
		}
	}
}

func TestReferences(t *testing.T) {
	const value = "a ${ONE} b ${TWO}"
	if names := strings.Join(secret.Names(value), " "); names != "ONE TWO" {
		t.Errorf("the names are %s", names)
	}
	if got := secret.Refer(value, strings.ToLower); got != "a one b two" {
		t.Errorf("got %s", got)
	}
	lookup := func(name string) (string, bool) { return "1", name == "ONE" }
	long := func(string) (string, bool) { return strings.Repeat("x", 1<<19), true }
	if _, err := secret.Expand(value+value, long); err == nil || err.Error() != "is longer than 1 MiB after ${VARIABLE} expansion" {
		t.Errorf("got %v", err)
	}
	if got, err := secret.Expand("a ${ONE}", lookup); got != "a 1" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := secret.Expand(value, lookup); err == nil || err.Error() != "requires ${TWO}, which is not set in the environment" {
		t.Errorf("got %v", err)
	}
	if got := secret.Redact(value); got != "${ONE} ${TWO}" || secret.Redact("x") != "(hidden)" {
		t.Errorf("the redacted value is %s", got)
	}
}
