package profile_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/profile"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

func sample() *profile.Profile {
	return &profile.Profile{
		Target: "https://example.com/mcp?team=7", Validation: profile.Warn, Updated: time.Date(2026, 7, 28, 0, 0, 0, 0, time.UTC),
		Headers: map[string]string{"Authorization": "Bearer ${TOKEN}", "X-Team": "seven"},
		Env:     map[string]string{"MODE": "fast"},
		Examples: []profile.Example{{
			Name: "one", Tool: "note_get", Arguments: []byte(`{"id":"1"}`), Contains: []string{"text"},
		}},
		Contract: &manifest.Server{Format: manifest.Format, Name: "notes", Tools: []manifest.Tool{{Name: "note_get", Input: []byte(`{"type":"object"}`)}}},
	}
}

func TestWriteThenRead(t *testing.T) {
	text, err := sample().Write()
	if err != nil {
		t.Fatal(err)
	}
	back, err := profile.Read(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	again, err := back.Write()
	if err != nil || string(again) != string(text) || back.Headers["Authorization"] != "Bearer ${TOKEN}" {
		t.Errorf("the second write differs (%v):\n%s\n%s", err, text, again)
	}
	for _, broken := range []struct{ from, to, want string }{
		{`"format": 1,`, `"format": 2,`, "unsupported profile format 2"},
		{`"validation": "warn"`, `"validation": "later"`, "must be warn, error or ignore"},
		{`"target"`, `"shell"`, "shell"},
		{`Bearer ${TOKEN}`, `Bearer sk-123`, "looks like a secret, and secrets must not be written to a file"},
		{`"seven"`, `"$(id)"`, "not part of ${NAME}"},
		{`"tool": "note_get"`, `"tool": ""`, "example 1 has no name or no tool"},
	} {
		if !strings.Contains(string(text), broken.from) {
			t.Fatalf("the text does not contain %s", broken.from)
		}
		_, err := profile.Read([]byte(strings.Replace(string(text), broken.from, broken.to, 1)))
		if err == nil || !strings.Contains(err.Error(), broken.want) {
			t.Errorf("%s: got %v, want an error with %q", broken.to, err, broken.want)
		}
		if err != nil && strings.Contains(err.Error(), "sk-123") {
			t.Errorf("the error contains the secret: %v", err)
		}
	}
}

// Variables are expanded when a profile is used, and their values are not shown.
func TestVariables(t *testing.T) {
	p := sample()
	set := map[string]string{"TOKEN": "s3cret"}
	lookup := func(name string) (string, bool) { v, ok := set[name]; return v, ok }
	opened, err := p.Open("notes", t.TempDir(), lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	if opened.URL != p.Target || len(opened.Header) != 2 || opened.Header[0].Value != "Bearer ${TOKEN}" || opened.Env[0] != "MODE=fast" {
		t.Errorf("got %+v", opened)
	}
	delete(set, "TOKEN")
	if _, err := p.Open("notes", t.TempDir(), lookup, nil); err == nil || !strings.Contains(err.Error(), "@notes: header Authorization requires ${TOKEN}, which is not set") {
		t.Errorf("got %v", err)
	}
	shown := p.Shown()
	if shown.Headers["Authorization"] != "${TOKEN}" || shown.Headers["X-Team"] != "(hidden)" || shown.Env["MODE"] != "(hidden)" || strings.Contains(shown.Target, "7") {
		t.Errorf("the displayed profile is %+v", shown)
	}
	if p.Env["MODE"] != "fast" {
		t.Error("displaying the profile changed it")
	}
}

func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"notes": true, "a": true, "0-a_b": true, strings.Repeat("a", 64): true,
		"": false, "A": false, "-a": false, "_a": false, ".a": false, "a/b": false, "../a": false, `a\b`: false, "a.json": false,
		"a b": false, "é": false, "a\x00": false, strings.Repeat("a", 65): false, "@a": false,
	} {
		if err := profile.CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestStore(t *testing.T) {
	config, project := t.TempDir(), t.TempDir()
	below := filepath.Join(project, "a", "b")
	for _, dir := range []string{below, filepath.Join(project, ".git")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s := profile.Open(below, config, os.LookupEnv, nil)
	if _, _, err := s.Load("", "notes"); !errors.Is(err, profile.ErrUnknown) {
		t.Errorf("got %v, want ErrUnknown", err)
	}
	mine, ours := sample(), sample()
	mine.Notes, ours.Notes = "mine", "ours"
	for scope, p := range map[profile.Scope]*profile.Profile{profile.User: mine, profile.Project: ours} {
		if err := s.Save(scope, "notes", p); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(s.Path(scope, "notes"))
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s has the mode %v", s.Path(scope, "notes"), mode)
		}
	}
	if want := filepath.Join(project, ".jptool", "profiles", "notes.json"); s.Path(profile.Project, "notes") != want {
		t.Errorf("the project's profile is %s, want %s", s.Path(profile.Project, "notes"), want)
	}
	// A profile in a cloned repository does not replace the profile of the user.
	if p, scope, err := s.Load("", "notes"); err != nil || scope != profile.User || p.Notes != "mine" {
		t.Errorf("got %v in scope %s, %v", p, scope, err)
	}
	if p, _, err := s.Load(profile.Project, "notes"); err != nil || p.Notes != "ours" {
		t.Errorf("got %v, %v", p, err)
	}
	if all, err := s.List(); err != nil || len(all) != 2 || all[0].Hidden || !all[1].Hidden {
		t.Errorf("got %+v, %v", all, err)
	}
	if scope, err := s.Remove("", "notes"); err != nil || scope != profile.User {
		t.Errorf("removed the profile in scope %s, %v", scope, err)
	}
	if p, _, err := s.Load("", "notes"); err != nil || p.Notes != "ours" {
		t.Errorf("got %v, %v", p, err)
	}
	left, err := os.ReadDir(filepath.Join(project, ".jptool", "profiles"))
	if err != nil || len(left) != 1 {
		t.Errorf("the remaining profiles are %v, %v", left, err)
	}
	if err := s.Save(profile.User, "../out", sample()); err == nil {
		t.Error("a path was accepted as a name")
	}
}

// Outside a repository, profiles in parent directories are ignored, because anyone could have written them.
func TestProjectEndsAtTheRepository(t *testing.T) {
	top := t.TempDir()
	outside := filepath.Join(top, "work")
	if err := os.MkdirAll(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := profile.Open(top, "", os.LookupEnv, nil).Save(profile.Project, "notes", sample()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := profile.Open(outside, "", os.LookupEnv, nil).Load("", "notes"); !errors.Is(err, profile.ErrUnknown) {
		t.Errorf("got %v, want ErrUnknown", err)
	}
	if _, scope, err := profile.Open(top, "", os.LookupEnv, nil).Load("", "notes"); err != nil || scope != profile.Project {
		t.Errorf("got %s, %v", scope, err)
	}
	if err := profile.Open(top, "", os.LookupEnv, nil).Save(profile.User, "notes", sample()); err == nil || !strings.Contains(err.Error(), "--project") {
		t.Errorf("no configuration directory: got %v", err)
	}
}

// A symbolic link cannot lead outside the directory.
func TestLinksStayInside(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.json")
	text, err := sample().Write()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(secret, text, 0o600); err != nil {
		t.Fatal(err)
	}
	profiles := filepath.Join(dir, ".jptool", "profiles")
	if err := os.MkdirAll(profiles, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(profiles, "notes.json")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := profile.Open(dir, "", os.LookupEnv, nil).Load("", "notes"); err == nil || !strings.Contains(err.Error(), "is a link; use a regular file") {
		t.Errorf("got %v", err)
	}
}
