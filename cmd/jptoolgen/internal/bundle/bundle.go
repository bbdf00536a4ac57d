// Package bundle packs a server into an MCP bundle (mcpb), which users install in a desktop host.
//
// A bundle is a zip archive with a manifest.json (MCPB manifest 0.3) and the programs. The options in the
// contract become the user configuration.
package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Platform is the name of an operating system in a manifest.
type Platform string

// The platforms that a manifest supports.
const (
	Darwin  Platform = "darwin"
	Linux   Platform = "linux"
	Windows Platform = "win32"
)

// PlatformOf returns the platform for a GOOS.
func PlatformOf(goos string) (Platform, error) {
	switch goos {
	case "darwin":
		return Darwin, nil
	case "linux":
		return Linux, nil
	case "windows":
		return Windows, nil
	}
	return "", fmt.Errorf("unsupported platform %q; bundles support darwin, linux and windows", goos)
}

// A Bundle describes a server to pack.
type Bundle struct {
	Contract *manifest.Server
	// Version is the semantic version of the bundle, without a "v".
	Version string
	// Author is the name of the publisher.
	Author string
	// Programs holds the paths of the binaries, one for each platform.
	Programs map[Platform]string
	// Args are the arguments of the program.
	Args []string
	// Root is set if users choose the root directory. The bundle passes it to the program as --root after Args.
	Root bool
}

// Manifest returns the text of manifest.json. Equal bundles give the same text. Options that a host's settings
// form cannot express, such as lists of objects, are left out; skipped lists their names as in --option.
func (b Bundle) Manifest() (text []byte, skipped []string, err error) {
	if len(b.Programs) == 0 {
		return nil, nil, errors.New("a bundle requires a program")
	}
	if b.Author == "" || b.Version == "" {
		return nil, nil, errors.New("a bundle requires an author and a version")
	}
	m := description{
		ManifestVersion: "0.3",
		Name:            b.Contract.Name,
		Version:         b.Version,
		Description:     b.Contract.Description,
		Author:          author{b.Author},
		Compatibility:   compatibility{b.platforms()},
	}
	env, fields, skipped, err := b.options()
	if err != nil {
		return nil, nil, err
	}
	m.UserConfig = fields
	args := b.Args
	if b.Root {
		m.UserConfig[rootField] = field{
			Type: "directory", Title: "Folder", Description: "The folder that the tools work in.", Required: true,
		}
		args = append(slices.Clone(args), "--root", "${user_config."+rootField+"}")
	}
	first := b.entry(m.Compatibility.Platforms[0])
	m.Server = program{
		Type: "binary", EntryPoint: first,
		Config: config{Command: "${__dirname}/" + first, Args: args, Env: env, Overrides: map[Platform]override{}},
	}
	for _, p := range m.Compatibility.Platforms[1:] {
		m.Server.Config.Overrides[p] = override{"${__dirname}/" + b.entry(p)}
	}
	for _, t := range b.Contract.Tools {
		m.Tools = append(m.Tools, tool{t.Name, t.Description})
	}
	text, err = rawjson.EncodeIndented(m)
	if err != nil {
		return nil, nil, fmt.Errorf("writing the manifest: %w", err)
	}
	return []byte(terminal.Escape(string(text))), skipped, nil
}

// rootField is the name of the form field for the root directory. It cannot collide with the fields for options,
// whose names contain an underscore.
const rootField = "root"

// Write writes the bundle. Equal bundles and programs give the same bytes. It returns the options that
// [Bundle.Manifest] left out.
func (b Bundle) Write(w io.Writer) (skipped []string, err error) {
	text, skipped, err := b.Manifest()
	if err != nil {
		return nil, err
	}
	z := zip.NewWriter(w)
	if err := add(z, "manifest.json", 0o644, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	for _, p := range b.platforms() {
		f, err := os.Open(b.Programs[p])
		if err != nil {
			return nil, err
		}
		err = add(z, b.entry(p), 0o755, f)
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	return skipped, z.Close()
}

func add(z *zip.Writer, name string, mode os.FileMode, r io.Reader) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	if err == nil {
		_, err = io.Copy(w, r)
	}
	if err != nil {
		return fmt.Errorf("packing %s: %w", name, err)
	}
	return nil
}

func (b Bundle) platforms() []Platform {
	return slices.Sorted(maps.Keys(b.Programs))
}

// entry returns the path of a platform's program in the archive.
func (b Bundle) entry(p Platform) string {
	path := "server/" + string(p) + "/" + b.plainName()
	if p == Windows {
		path += ".exe"
	}
	return path
}

// FileName returns the file name of the bundle. It never contains a directory, even if the server's name does.
func (b Bundle) FileName() string { return b.plainName() + ".mcpb" }

var notPlain = lazyregexp.New(`[^\pL\pN_-]+`)

// plainName returns the server's name in a form that is a valid file name on every system.
func (b Bundle) plainName() string {
	if name := strings.Trim(notPlain().ReplaceAllString(b.Contract.Name, "-"), "-"); name != "" {
		return name
	}
	return "server"
}

// options returns the form fields that users fill in, and the environment variables that pass the values to the
// program.
//
// A host may pass the name of an empty field instead of a value, so every field has a default: the declared
// default, or the zero value if the schema allows it. Only a required secret has no default.
func (b Bundle) options() (env map[string]string, fields map[string]field, skipped []string, err error) {
	env, fields = map[string]string{}, map[string]field{}
	for _, t := range b.Contract.Calls() {
		options, err := shape.Parse(jsontext.Value(t.Options))
		if err != nil {
			return nil, nil, nil, fmt.Errorf("options of %s: %w", t.Name, err)
		}
		for _, p := range options.Properties {
			flag := t.Flag(p.Name)
			name, title := strings.ReplaceAll(flag, ".", "_"), t.Name+": " // in ${user_config.name}, a dot is a separator
			if flag == p.Name {
				name, title = "_"+name, "" // no tool has a field with this name
			}
			if f, ok := fieldOf(p); ok {
				f.Title = title + strings.ReplaceAll(p.Name, "_", " ")
				env[t.Variable(b.Contract.Name, p.Name)] = "${user_config." + name + "}"
				fields[name] = f
			} else if !slices.Contains(skipped, flag) {
				skipped = append(skipped, flag)
			}
		}
	}
	return env, fields, skipped, nil
}

func fieldOf(p shape.Property) (field, bool) {
	f := field{Description: describe(p)}
	var zero any
	switch p.Kind() {
	case "boolean":
		f.Type, zero = "boolean", false
	case "string":
		f.Type, zero = "string", ""
	case "integer", "number":
		f.Type, zero = "number", json.Number("0")
		f.Min, f.Max = json.Number(p.Limits.Minimum), json.Number(p.Limits.Maximum)
	default:
		return field{}, false
	}
	switch {
	case p.Secret:
		if f.Sensitive, f.Required = true, p.Required; !p.Required {
			f.Default = zero // the program treats this value as not set
		}
	case p.Default != nil:
		f.Default = p.Default
	default:
		if len(p.Choices) > 0 || p.Limits != (phrase.Limits{}) || p.Format != "" || p.Required {
			return field{}, false // the zero value may be invalid
		}
		f.Default = zero
	}
	return f, true
}

func describe(p shape.Property) string {
	text := p.Description
	if values := p.Values(); len(values) > 0 {
		text += " One of " + strings.Join(values, ", ") + "."
	}
	return cmp.Or(text, p.Name)
}

// These types describe the parts of an MCPB manifest that are used here.
type (
	description struct {
		ManifestVersion string           `json:"manifest_version"`
		Name            string           `json:"name"`
		Version         string           `json:"version"`
		Description     string           `json:"description"`
		Author          author           `json:"author"`
		Server          program          `json:"server"`
		Tools           []tool           `json:"tools,omitempty"`
		UserConfig      map[string]field `json:"user_config,omitempty"`
		Compatibility   compatibility    `json:"compatibility"`
	}
	author struct {
		Name string `json:"name"`
	}
	program struct {
		Type       string `json:"type"`
		EntryPoint string `json:"entry_point"`
		Config     config `json:"mcp_config"`
	}
	config struct {
		Command   string                `json:"command"`
		Args      []string              `json:"args,omitempty"`
		Env       map[string]string     `json:"env,omitempty"`
		Overrides map[Platform]override `json:"platform_overrides,omitempty"`
	}
	override struct {
		Command string `json:"command"`
	}
	tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	field struct {
		Type        string      `json:"type"`
		Title       string      `json:"title"`
		Description string      `json:"description"`
		Required    bool        `json:"required"`
		Sensitive   bool        `json:"sensitive,omitempty"`
		Default     any         `json:"default,omitempty"`
		Min         json.Number `json:"min,omitempty"`
		Max         json.Number `json:"max,omitempty"`
	}
	compatibility struct {
		Platforms []Platform `json:"platforms"`
	}
)
