package cli

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/load"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/registry"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// publishFlags are what a contract does not say.
type publishFlags struct {
	name, version, description, repository string
	mcpb, mcpbFile                         string
	images, remotes                        []string
}

func publishCommand() command {
	var t targetFlags
	var out outFlags
	var p publishFlags
	var dry bool
	return command{
		name:  "publish",
		usage: "jptoolgen publish [flags] PACKAGE [-- ARGUMENTS]",
		help: `Write ` + registry.FileName + `, which describes a server to the MCP registry, with every flag and every
environment variable of its program. The file is written to the directory of the package.
What an existing file says is kept, except for flags and variables. To upload the file, use
the registry's mcp-publisher. "jptoolgen --check" fails if the program has other flags or
variables than a file that this command has written.

Without --mcpb, --image and --remote, a new file has an MCP bundle of the repository's release.`,
		flags: func(flags *pflag.FlagSet) {
			flags.BoolVar(&dry, "dry-run", false, "print the file instead of writing it")
			flags.StringVar(&p.name, "name", "", "`NAME` in the registry, e.g. io.github.USER/notes (default: from the module path)")
			flags.StringVar(&p.version, "release", "", "`version` of the server, e.g. 1.2.0 (default 0.0.0)")
			flags.StringVar(&p.description, "description", "", "`text` of at most 100 characters (default: the first sentence about the server)")
			flags.StringVar(&p.repository, "repository", "", "`URL` of the source (default: from the module path)")
			flags.StringVar(&p.mcpb, "mcpb", "", "`URL` of the MCP bundle in a release")
			flags.StringVar(&p.mcpbFile, "mcpb-file", "", "`FILE` with the same bundle, for its digest")
			flags.StringArrayVar(&p.images, "image", nil, "`IMAGE` of a container, e.g. ghcr.io/USER/notes:1.2.0; can be repeated")
			flags.StringArrayVar(&p.remotes, "remote", nil, "`URL` of a hosted server; can be repeated")
			out.define(flags)
			t.define(flags)
		},
		run: func(ctx context.Context, env Env, _ *pflag.FlagSet) error {
			at, rest, err := t.parse(env, 0)
			if err == nil {
				err = unexpectedArgument(rest)
			}
			if err != nil {
				return err
			}
			if at.Kind != target.Package {
				return errors.New("the target of publish must be a package")
			}
			file := cmp.Or(out.file, filepath.Join(at.Path, registry.FileName))
			d, err := readDocument(env.path(file))
			if err != nil {
				return err
			}
			if err := p.apply(ctx, env, &t, at, d); err != nil {
				return err
			}
			problems := d.Problems()
			for _, problem := range problems {
				fmt.Fprintf(env.Stderr, "%s: %s\n", registry.FileName, problem)
			}
			text, err := d.Text()
			if err != nil {
				return err
			}
			if !dry || out.check {
				out.file = file
			}
			return cmp.Or(out.write(env, text, "jptoolgen publish"), findingsIf(len(problems) > 0 && !dry))
		},
	}
}

// readDocument reads a document, or returns an empty one if there is no file.
func readDocument(path string) (*registry.Document, error) {
	text, err := files.Read(path, output.MaxFileSize)
	if errors.Is(err, fs.ErrNotExist) {
		return new(registry.Document), nil
	}
	if err != nil {
		return nil, err
	}
	d, err := registry.Read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; correct or delete the file", path, err)
	}
	return d, nil
}

// apply sets what the flags and the program say.
func (p *publishFlags) apply(ctx context.Context, env Env, t *targetFlags, at *target.Target, d *registry.Document) error {
	arguments := at.Argv
	surface, err := t.look(ctx, env, at, nil)
	if err != nil {
		return err
	}
	settings, err := settingsOf(ctx, t.opener(env), at)
	if err != nil {
		return err
	}
	if err := p.applyFlags(env, at.Path, surface.Contract, d); err != nil {
		return err
	}
	d.Fill(arguments, settings)
	return nil
}

// applyFlags sets what the flags say, and defaults for what is missing.
func (p *publishFlags) applyFlags(env Env, dir string, c *manifest.Server, d *registry.Document) error {
	_, path, err := load.Module(dir)
	if err != nil {
		return err
	}
	name, repository := registry.NameOf(path, c.Name)
	d.Name = cmp.Or(p.name, d.Name, name)
	d.Title = cmp.Or(d.Title, c.Title)
	d.Description = cmp.Or(p.description, d.Description, phrase.Summary(c.Description, registry.LongestDescription))
	d.Version = cmp.Or(strings.TrimPrefix(p.version, "v"), d.Version, "0.0.0")
	if p.repository != "" {
		d.Repository = &registry.Repository{URL: p.repository, Source: sourceOf(p.repository)}
	} else if d.Repository == nil {
		d.Repository = repository
	}
	if p.mcpb == "" && len(p.images)+len(p.remotes)+len(d.Packages)+len(d.Remotes) == 0 && d.Repository != nil {
		p.mcpb = d.Repository.URL + "/releases/download/v" + d.Version + "/" + c.Name + ".mcpb"
	}
	if p.mcpb != "" {
		d.Packages = replaced(d.Packages, registry.Package{RegistryType: "mcpb", Identifier: p.mcpb, Version: d.Version})
	}
	if p.mcpbFile != "" {
		i := slices.IndexFunc(d.Packages, func(p registry.Package) bool { return p.RegistryType == "mcpb" })
		if i < 0 {
			return errors.New("--mcpb-file requires --mcpb URL")
		}
		data, err := os.ReadFile(env.path(p.mcpbFile))
		if err != nil {
			return err
		}
		digest := sha256.Sum256(data)
		d.Packages[i].FileSHA256 = hex.EncodeToString(digest[:])
	}
	for _, image := range p.images {
		d.Packages = replaced(d.Packages, registry.Package{RegistryType: "oci", Identifier: image})
	}
	if len(p.remotes) > 0 {
		d.Remotes = nil
	}
	for _, url := range p.remotes {
		d.Remotes = append(d.Remotes, registry.Remote{Type: "streamable-http", URL: url})
	}
	return nil
}

// replaced returns the packages with one in place of that of the same kind.
func replaced(all []registry.Package, one registry.Package) []registry.Package {
	all = slices.DeleteFunc(all, func(p registry.Package) bool { return p.RegistryType == one.RegistryType })
	return append(all, one)
}

func sourceOf(repository string) string {
	if strings.HasPrefix(repository, "https://gitlab.com/") {
		return "gitlab"
	}
	return "github"
}

// settingsOf returns the flags and variables of the program of a package. The program runs with an environment that
// does not change its defaults.
func settingsOf(ctx context.Context, o target.Opener, at *target.Target) (s manifest.Settings, err error) {
	program, err := o.Program(ctx, at)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, program.Remove()) }()
	argv := append(slices.Clone(program.Command.Argv), "settings")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = at.Path, []string{}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "TMP", "TEMP", "SystemRoot", "USERPROFILE", "LocalAppData", "AppData"} {
		if value, ok := os.LookupEnv(name); ok {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		return s, fmt.Errorf("the program does not print its settings: %w\n%s", err, strings.TrimSpace(said.String()))
	}
	return s, nil
}

// checkPublished reports the documents that do not list the flags and variables of their programs.
func checkPublished(ctx context.Context, env Env, dirs []string) error {
	stale := false
	for _, dir := range dirs {
		path := filepath.Join(dir, registry.FileName)
		text, err := files.Read(path, output.MaxFileSize)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !registry.IsOurs(text) {
			continue
		}
		var d *registry.Document
		if err == nil {
			d, err = registry.Read(text)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		arguments := d.Meta.Publisher.Arguments
		s, err := settingsOf(ctx, target.Opener{}, &target.Target{Kind: target.Package, Path: dir, Argv: arguments})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		d.Fill(arguments, s)
		now, err := d.Text()
		if err != nil {
			return err
		}
		if !bytes.Equal(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), now) {
			stale = true
			shown := path
			if rel, err := filepath.Rel(env.Dir, path); err == nil {
				shown = rel
			}
			fmt.Fprintf(env.Stderr, "%s: the program has other flags or variables; run \"jptoolgen publish\"\n", shown)
		}
	}
	return findingsIf(stale)
}
