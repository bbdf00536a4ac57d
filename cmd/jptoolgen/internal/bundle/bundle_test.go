package bundle_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/bundle"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func notes(t *testing.T) bundle.Bundle {
	program := filepath.Join(t.TempDir(), "notes")
	if err := os.WriteFile(program, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	return bundle.Bundle{
		Contract: &manifest.Server{Name: "my-notes", Description: "Keeps notes.", Tools: []manifest.Tool{{
			Name: "note_get", Description: "Read a note.",
			Options: manifest.Schema(`{"type":"object","properties":{
				"limit":{"type":"integer","description":"Most notes.","default":10,"minimum":1,"maximum":99},
				"fast":{"type":"boolean"},
				"pat":{"type":"string","description":"Token.","writeOnly":true,"minLength":1},
				"extra":{"type":"string","description":"Another token.","writeOnly":true},
				"order":{"type":"string","description":"Order.","enum":["new","old"],"default":"new"},
				"folder":{"type":"string","description":"Folder."},
				"size":{"type":"integer","minimum":5},
				"tags":{"type":"array","items":{"type":"string"}}},"required":["pat"]}`),
		}}},
		Version: "1.2.3", Author: "The notes team", Args: []string{"--log-level", "warn"},
		Programs: map[bundle.Platform]string{bundle.Windows: program, bundle.Linux: program},
	}
}

// The user chooses the root directory.
func TestRoot(t *testing.T) {
	b := notes(t)
	b.Root = true
	text, _, err := b.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Server struct {
			Config struct{ Args []string } `json:"mcp_config"`
		}
		UserConfig map[string]struct {
			Type     string
			Required bool
			Default  any
		} `json:"user_config"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		t.Fatal(err)
	}
	if want := []string{"--log-level", "warn", "--root", "${user_config.root}"}; !slices.Equal(m.Server.Config.Args, want) {
		t.Errorf("the arguments are %q, want %q", m.Server.Config.Args, want)
	}
	if f := m.UserConfig["root"]; f.Type != "directory" || !f.Required || f.Default != nil {
		t.Errorf("the field is %+v", f)
	}
}

// The user sets a shared option only once.
func TestSharedOptions(t *testing.T) {
	b := notes(t)
	shared := manifest.Tool{Name: "a", Options: manifest.Schema(`{"type":"object","properties":{"root":{"type":"string"},"tags":{"type":"array"}}}`), Shared: []string{"root", "tags"}}
	b.Root, b.Contract.Tools = true, []manifest.Tool{shared, shared}
	text, skipped, err := b.Manifest()
	if err != nil || !slices.Equal(skipped, []string{"tags"}) {
		t.Fatal(skipped, err)
	}
	for _, want := range []string{`"MY_NOTES_ROOT": "${user_config._root}"`, `"_root": {`, `"title": "root"`, `"root": {`} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("want one %s in %s", want, text)
		}
	}
}

func TestManifest(t *testing.T) {
	text, skipped, err := notes(t).Manifest()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"note_get.size", "note_get.tags"}; !slices.Equal(skipped, want) {
		t.Errorf("skipped %v, want %v", skipped, want)
	}
	const want = `{
  "manifest_version": "0.3",
  "name": "my-notes",
  "version": "1.2.3",
  "description": "Keeps notes.",
  "author": {
    "name": "The notes team"
  },
  "server": {
    "type": "binary",
    "entry_point": "server/linux/my-notes",
    "mcp_config": {
      "command": "${__dirname}/server/linux/my-notes",
      "args": [
        "--log-level",
        "warn"
      ],
      "env": {
        "MY_NOTES_NOTE_GET_EXTRA": "${user_config.note_get_extra}",
        "MY_NOTES_NOTE_GET_FAST": "${user_config.note_get_fast}",
        "MY_NOTES_NOTE_GET_FOLDER": "${user_config.note_get_folder}",
        "MY_NOTES_NOTE_GET_LIMIT": "${user_config.note_get_limit}",
        "MY_NOTES_NOTE_GET_ORDER": "${user_config.note_get_order}",
        "MY_NOTES_NOTE_GET_PAT": "${user_config.note_get_pat}"
      },
      "platform_overrides": {
        "win32": {
          "command": "${__dirname}/server/win32/my-notes.exe"
        }
      }
    }
  },
  "tools": [
    {
      "name": "note_get",
      "description": "Read a note."
    }
  ],
  "user_config": {
    "note_get_extra": {
      "type": "string",
      "title": "note_get: extra",
      "description": "Another token.",
      "required": false,
      "sensitive": true,
      "default": ""
    },
    "note_get_fast": {
      "type": "boolean",
      "title": "note_get: fast",
      "description": "fast",
      "required": false,
      "default": false
    },
    "note_get_folder": {
      "type": "string",
      "title": "note_get: folder",
      "description": "Folder.",
      "required": false,
      "default": ""
    },
    "note_get_limit": {
      "type": "number",
      "title": "note_get: limit",
      "description": "Most notes.",
      "required": false,
      "default": 10,
      "min": 1,
      "max": 99
    },
    "note_get_order": {
      "type": "string",
      "title": "note_get: order",
      "description": "Order. One of \"new\", \"old\".",
      "required": false,
      "default": "new"
    },
    "note_get_pat": {
      "type": "string",
      "title": "note_get: pat",
      "description": "Token.",
      "required": true,
      "sensitive": true
    }
  },
  "compatibility": {
    "platforms": [
      "linux",
      "win32"
    ]
  }
}
`
	if string(text) != want {
		t.Errorf("got\n%s", text)
	}
}

func TestWriteIsReproducible(t *testing.T) {
	b := notes(t)
	var first, second bytes.Buffer
	for _, w := range []io.Writer{&first, &second} {
		if _, err := b.Write(w); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs write different bundles")
	}
	z, err := zip.NewReader(bytes.NewReader(first.Bytes()), int64(first.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name+" "+f.Mode().String())
	}
	want := []string{"manifest.json -rw-r--r--", "server/linux/my-notes -rwxr-xr-x", "server/win32/my-notes.exe -rwxr-xr-x"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	f, err := z.Open("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(f).Decode(new(map[string]any)); err != nil {
		t.Error(err)
	}
}

func TestBundleRefuses(t *testing.T) {
	whole := notes(t)
	for name, change := range map[string]func(*bundle.Bundle){
		"no program":           func(b *bundle.Bundle) { b.Programs = nil },
		"no author":            func(b *bundle.Bundle) { b.Author = "" },
		"no version":           func(b *bundle.Bundle) { b.Version = "" },
		"missing program file": func(b *bundle.Bundle) { b.Programs = map[bundle.Platform]string{bundle.Linux: "/nowhere/at/all"} },
	} {
		b := whole
		change(&b)
		if _, err := b.Write(io.Discard); err == nil {
			t.Errorf("%s: the bundle was written", name)
		}
	}
	if _, err := bundle.PlatformOf("plan9"); err == nil {
		t.Error("plan9 was accepted")
	}
}

// The manifest escapes invisible characters.
func TestHiddenText(t *testing.T) {
	b := notes(t)
	b.Contract.Description = "Keeps\u202e notes.\U000e0041"
	text, _, err := b.Manifest()
	if want := `"Keeps\u202e notes.\udb40\udc41"`; err != nil || !bytes.Contains(text, []byte(want)) {
		t.Errorf("%v, %s, want %s", err, text, want)
	}
}

// A server name from an untrusted contract must not lead to another directory.
func TestNamesStayInTheirDirectories(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("binary"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"../../up": "up", "/etc/passwd": "etc-passwd", `C:\x`: "C-x", "io.example/notes": "io-example-notes", "..": "server", "": "server", "my_notes-2": "my_notes-2",
	} {
		b := bundle.Bundle{
			Contract: &manifest.Server{Name: name}, Version: "1.0.0", Author: "us", Programs: map[bundle.Platform]string{bundle.Linux: program},
		}
		if got := b.FileName(); got != want+".mcpb" {
			t.Errorf("%q: the file is %s, want %s.mcpb", name, got, want)
		}
		var out bytes.Buffer
		if _, err := b.Write(&out); err != nil {
			t.Fatal(err)
		}
		z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if got := z.File[1].Name; got != "server/linux/"+want {
			t.Errorf("%q: the program is %s", name, got)
		}
	}
}
