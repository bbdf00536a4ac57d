package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/hostconfig"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/output"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
)

// places returns the directories with configuration files. If project is "", the project is the current directory.
func (env Env) places(project string) hostconfig.Places {
	places := hostconfig.Places{Project: env.path(project)}
	// On error, the directory is "", and the paths that result are relative, which --write rejects.
	places.Home, _ = os.UserHomeDir()
	places.Config, _ = os.UserConfigDir()
	return places
}

// places returns the directories with the host's configuration files. For JP, the project is the workspace.
func (c *hostFlags) places(env Env, host hostconfig.Host) hostconfig.Places {
	places := env.places(c.project)
	if host.Name == "jp" {
		places.Project = hostconfig.FindWorkspace(places.Project).Root
	}
	return places
}

// describe says which file --write changes or creates.
func describe(w hostconfig.Workspace) string {
	switch {
	case !w.Exists:
		return fmt.Sprintf("%s is not in a JP workspace; to create %s, add --write --create-workspace", w.Root, w.File)
	case !w.IsTOML():
		return fmt.Sprintf("JP reads its configuration from %s; add the tables to that file", w.File)
	}
	return fmt.Sprintf("JP reads its configuration from %s; add --write to update that file", w.File)
}

// writable returns an error if --write must not change the file of a JP workspace. In this case, it prints what to paste.
func (c *hostFlags) writable(env Env, host hostconfig.Host, e hostconfig.Entry) error {
	w := hostconfig.FindWorkspace(env.path(c.project))
	switch {
	case !w.Exists && !c.create:
		return fmt.Errorf("nothing was written: %s is not in a JP workspace, because no directory from there upwards contains .jp; run jp init, "+
			"or add --create-workspace to create %s", w.Root, w.File)
	case w.IsTOML():
		return nil
	}
	text, err := host.Snippet(e)
	if err != nil {
		return err
	}
	return paste(env, w, text, "")
}

// paste prints the text to paste into a configuration file that this program does not change, and how to avoid that.
func paste(env Env, w hostconfig.Workspace, text []byte, instead string) error {
	text, err := w.Translate(text)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "jptoolgen: nothing was written: JP reads its configuration from %s, and a config.toml next to it would switch that file off; "+
		"add the text below to %[1]s%s\n", w.File, strings.TrimSuffix("; "+instead, "; "))
	return cmp.Or(printClean(env.Stdout, string(text)), findingsIf(true))
}

// merge adds the entry to the host's file.
func (c *hostFlags) merge(ctx context.Context, env Env, host hostconfig.Host, e hostconfig.Entry) error {
	if host.Name == "jp" {
		if err := c.writable(env, host, e); err != nil {
			return err
		}
	}
	path := host.Path(c.places(env, host))
	if !filepath.IsAbs(path) {
		return errors.New("cannot find the host's configuration file: no home directory; set HOME")
	}
	plugin, err := c.plugin(env, filepath.Dir(path), e)
	if err != nil {
		return err
	}
	var outdated []string
	var replaced []hostconfig.Difference
	done, err := files.Update(ctx, path, output.MaxFileSize, func(old []byte) ([]byte, error) {
		replaced = nil
		text, err := host.Merge(old, e, false)
		if conflict, ok := errors.AsType[*hostconfig.Conflict](err); ok && c.replace {
			replaced = conflict.Differences
			text, err = host.Merge(old, e, true)
		}
		if outdated = e.Outdated(text); err != nil {
			outdated, err = e.Outdated(old), fmt.Errorf("%s: %w", path, err)
		} else if len(plugin.changes) > 0 && !c.replace {
			err = &hostconfig.Conflict{Where: []string{plugin.path}}
		}
		return text, err
	})
	env.note(outdated...)
	if broken, ok := errors.AsType[*hostconfig.Broken](err); ok {
		for _, part := range broken.Parts {
			fmt.Fprintf(env.Stderr, "jptoolgen: %s: %s\n", path, terminal.Message(part))
		}
		fmt.Fprintln(env.Stderr, "jptoolgen: nothing was written")
		return findingsIf(true)
	}
	if conflict, ok := errors.AsType[*hostconfig.Conflict](err); ok {
		both := "to keep both, add --name NAME with another name"
		switch e.As { // JP's tables are named after the tools, and the user may rename them
		case hostconfig.JPLocal:
			both = "to keep both, rename the tables in the file"
		case hostconfig.JPMCP, hostconfig.JPPlugin:
			both = "to keep both, rename the tables of the tools in the file and add --name NAME"
		}
		fmt.Fprintf(env.Stderr, "jptoolgen: %s; to apply the changes below, add --replace; %s\n", terminal.Message(err.Error()), both)
		return cmp.Or(printDifferences(env.Stdout, slices.Concat(conflict.Differences, plugin.changes)), findingsIf(true))
	}
	if err != nil {
		return err
	}
	at := path
	if done.At != path {
		at = fmt.Sprintf("%s, a link to %s", path, done.At)
	}
	if done.Backup != "" {
		fmt.Fprintf(env.Stderr, "backup written to %s\n", done.Backup)
	}
	if done.Changed {
		fmt.Fprintf(env.Stderr, "added %s to %s for %s\n", e.Name, at, host.Title)
	} else {
		fmt.Fprintf(env.Stderr, "already configured in %s\n", at)
	}
	return cmp.Or(plugin.write(env), printDifferences(env.Stdout, slices.Concat(replaced, plugin.changes)))
}

// printDifferences prints the old and the new values of an entry.
func printDifferences(w io.Writer, list []hostconfig.Difference) error {
	var b strings.Builder
	for _, d := range list {
		if d.Have != "" {
			fmt.Fprintf(&b, "- %s: %s\n", d.Path, d.Have)
		}
		if d.Want != "" {
			fmt.Fprintf(&b, "+ %s: %s\n", d.Path, d.Want)
		}
	}
	return printClean(w, b.String())
}
