package target

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

type fakeProfiles struct{}

func (fakeProfiles) Resolve(_, word string) (*Target, error) {
	name, ok := strings.CutPrefix(word, "@")
	if !ok {
		return nil, nil
	}
	if name != "notes" {
		return nil, errors.New("there is no profile " + name)
	}
	return &Target{Kind: Command, Argv: []string{"notes-server", "--root", "/"}}, nil
}

func TestParse(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"server": 0o755, "jp.lock.json": 0o644, "notes.txt": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		word string
		more []string
		kind Kind
		argv string
	}{
		{".", nil, Package, ""},
		{dir, []string{"--root", "/"}, Package, "--root|/"},
		{"server", nil, Command, filepath.Join(dir, "server")},
		{"./server", []string{"-v"}, Command, filepath.Join(dir, "server") + "|-v"},
		{"", []string{"npx", "x"}, Command, "npx|x"},
		{"jp.lock.json", nil, Lock, ""},
		{"http://localhost:8080/mcp", nil, URL, ""},
		{"@notes", []string{"-v"}, Command, "notes-server|--root|/|-v"},
		{"mcp+exec://./server?command=a", []string{"b"}, Launcher, "./server|a|b"},
	} {
		got, err := Parse(dir, tc.word, tc.more, fakeProfiles{})
		if err != nil {
			t.Errorf("%q: %v", tc.word, err)
			continue
		}
		if argv := strings.Join(got.Argv, "|"); got.Kind != tc.kind || argv != tc.argv {
			t.Errorf("%q is a %s of %s", tc.word, got.Kind, argv)
		}
	}
	for _, tc := range []struct {
		word string
		more []string
		want string
	}{
		{"", nil, "use the directory of a package"},
		{"nowhere", nil, "nowhere does not exist; use the directory"},
		{"notes.txt", nil, "neither a program nor a .json file"},
		{"@other", nil, "there is no profile other"},
		{"ftp://example.com", nil, "must be http or https"},
		{"https://user:hunter2@example.com", nil, "--header"},
		{"https://", nil, "has no host"},
		{"http://[::1", nil, "invalid URL"},
		{"http://localhost/mcp", []string{"x"}, "takes no arguments"},
		{"jp.lock.json", []string{"x"}, "takes no arguments"},
	} {
		got, err := Parse(dir, tc.word, tc.more, fakeProfiles{})
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q is %+v, %v; want an error with %q", tc.word, got, err, tc.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	env := func(name string) (string, bool) { return "s3cret", name == "TOKEN" }
	got, err := headers([]Header{{"Authorization", "Bearer ${TOKEN}"}}, env)
	if err != nil || got.Get("Authorization") != "Bearer s3cret" {
		t.Errorf("headers = %v, %v", got, err)
	}
	t.Setenv("TOKEN", "s3cret")
	secrets := (&Target{Header: []Header{{"Authorization", "Bearer ${TOKEN}"}}, Env: []string{"KEY=a=b"}}).Secrets()
	if !slices.Equal(secrets, []string{"Bearer s3cret", "s3cret", "a=b"}) {
		t.Errorf("secrets %q", secrets)
	}
	if _, err := headers([]Header{{"Authorization", "Bearer ${OTHER}"}}, env); err == nil || !strings.Contains(err.Error(), "requires ${OTHER}, which is not set") {
		t.Errorf("unset variable: got %v", err)
	}
}
