package jpbridge

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/access"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/manifest"
	"github.com/jptool/jptool/sdk/internal/trust"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/gen/handler"
)

// grants is a policy with every kind of grant. MOUNT is replaced with a directory.
const grants = `{
	"fs": [
		{"lexical_path":"src","read":true},
		{"lexical_path":"build","write":true,"delete":false},
		{"lexical_path":"fork","external":true,"approved_target":MOUNT,"read":true,"create":true,"execute":true}
	],
	"net": [{"host":"docs.rs","scheme":"https","port":443,"path_prefix":"/tokio","allow":true}],
	"env": [{"name":"AWS_*","read":true},{"name":"AWS_SECRET_ACCESS_KEY"}]
}`

// If a host sends a policy, the policy confines the call, however the host sent it.
func TestCallIsConfined(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, mount := filepath.Join(dir, "ws"), filepath.Join(dir, "mount")
	for _, name := range []string{"ws/src/a", "ws/build/old", "ws/secret", "mount/m", "evil/e"} {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"fork": mount, "out": filepath.Join(dir, "evil")} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	quoted, err := jsontext.AppendQuote(nil, mount)
	if err != nil {
		t.Fatal(err)
	}
	rules := jsontext.Value(strings.Replace(grants, "MOUNT", string(quoted), 1))
	document, err := jsonv2.Marshal(map[string]any{"root": root, "access": rules})
	if err != nil {
		t.Fatal(err)
	}

	for way, read := range map[string]func() (*trust.Settings, error){
		"_meta": func() (*trust.Settings, error) {
			return Read([]byte(`{"computer.jp/context":` + string(document) + `}`))
		},
		"document": func() (*trust.Settings, error) {
			call, err := Documents{Context: document}.Read()
			return call.Settings, err
		},
	} {
		t.Run(way, func(t *testing.T) {
			settings, err := read()
			if err != nil {
				t.Fatal(err)
			}
			grant, err := (&trust.Policy{Trusted: true, Root: "/"}).Admit(&manifest.Tool{Name: "t"}, nil, settings)
			if err != nil {
				t.Fatal(err)
			}
			made := handler.New("t", handler.Codec[handler.None, handler.None, handler.None, handler.None]{Result: handler.Done},
				func(_ context.Context, c *tool.Call, _, _, _ handler.None) (handler.None, error) {
					checkConfined(t, c)
					return handler.None{}, nil
				})
			run := new(handler.Run)
			run.Grant = grant
			if _, err := made.Run(t.Context(), run); err != nil {
				t.Error(err)
			}
		})
	}
}

func checkConfined(t *testing.T, c *tool.Call) {
	files, err := c.Files()
	if err != nil {
		t.Error(err)
		return
	}
	check := func(capability access.Capability, path string) error {
		_, err := files.Check(capability, path)
		return err
	}
	address := func(s string) error {
		u, err := url.Parse(s)
		if err != nil {
			t.Error(err)
		}
		return c.Access().CheckURL(u)
	}
	for name, tc := range map[string]struct {
		err  error
		want fault.Code
	}{
		"read what is not granted":   {check(access.Read, "secret"), fault.PermissionDenied},
		"read where writing is":      {check(access.Read, "build/old"), fault.PermissionDenied},
		"write where reading is":     {check(access.Update, "src/a"), fault.PermissionDenied},
		"delete against the rule":    {files.Remove("build/old"), fault.PermissionDenied},
		"leave":                      {check(access.Read, "out/e"), fault.PermissionDenied},
		"leave by dots":              {check(access.Read, "../evil/e"), fault.InvalidInput},
		"update in the mount":        {check(access.Update, "fork/m"), fault.PermissionDenied},
		"another host":               {address("https://example.com/tokio"), fault.PermissionDenied},
		"another path":               {address("https://docs.rs/serde"), fault.PermissionDenied},
		"another scheme":             {address("http://docs.rs:443/tokio"), fault.PermissionDenied},
		"another variable":           {c.Access().CheckEnv("HOME"), fault.PermissionDenied},
		"a variable that is refused": {c.Access().CheckEnv("AWS_SECRET_ACCESS_KEY"), fault.PermissionDenied},
		"read":                       {check(access.Read, "src/a"), ""},
		"update":                     {files.WriteFile("build/old", []byte("new"), 0o644), ""},
		"read in the mount":          {check(access.Read, "fork/m"), ""},
		"execute in the mount":       {check(access.Execute, "fork/m"), ""},
		"create in the mount":        {files.WriteFile("fork/"+filepath.Base(t.Name()), nil, 0o644), ""},
		"the host":                   {address("https://docs.rs/tokio/latest"), ""},
		"a variable":                 {c.Access().CheckEnv("AWS_REGION"), ""},
	} {
		if fault.CodeOf(tc.err) != tc.want {
			t.Errorf("%s: %v, want %q", name, tc.err, tc.want)
		}
	}
}

// A host distinguishes a missing policy from an empty one, but a tool does not.
func TestNoPolicy(t *testing.T) {
	for document, want := range map[string]bool{`{}`: false, `{"access":null}`: false, `{"access":{}}`: true, `{"access":{"fs":[],"new":1}}`: true} {
		settings, err := Read([]byte(`{"computer.jp/context":` + document + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if (settings.Access != nil) != want || !settings.Access.Permits(access.Delete, "x") {
			t.Errorf("%s: %+v", document, settings.Access)
		}
	}
}
