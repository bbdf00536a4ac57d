// Package face selects a part of what a server offers.
//
// The operator of a server selects with flags and variables, a caller with headers and paths. Each selection can
// only narrow the others. What a face does not show cannot be listed and cannot be used.
package face

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Words for several toolsets.
const (
	all     = "all"     // everything
	initial = "default" // the default toolsets, and what belongs to no toolset
)

// A Choice is what one party selects. The zero Choice selects nothing by name, and excludes nothing.
type Choice struct {
	// Toolsets are names of toolsets, "all" or "default". Tools are names of tools, resources and prompts. If either
	// is not empty, only what one of them names is selected.
	Toolsets, Tools []string
	// Exclude are names of tools, resources and prompts that are not selected, although their toolset may be.
	Exclude []string
	// ReadOnly selects only what is declared to change no data. NoDestructive excludes tools that may destroy data,
	// or that do not declare that they do not.
	ReadOnly, NoDestructive bool
}

// A Face is the choice of one party, and of a second party within it. Nil is the face of a party that chose nothing.
//
// The JSON form of a face is stored with the tasks of its caller.
type Face struct {
	Choice   Choice   `json:"choice"`
	Defaults []string `json:"defaults,omitempty"` // the names of the default toolsets
	Outer    *Face    `json:"outer,omitempty"`
}

// New returns the face for a choice. It removes repeated names, and replaces former names of tools. If the choice names
// something that the server does not have, New returns an error, unless open is set: then, tools may have any name,
// because the program may add them later.
func New(server *manifest.Server, c Choice, open bool) (*Face, error) {
	f := &Face{Choice: Choice{ReadOnly: c.ReadOnly, NoDestructive: c.NoDestructive}}
	for _, set := range server.Toolsets {
		if set.Default {
			f.Defaults = append(f.Defaults, set.Name)
		}
	}
	var err error
	if f.Choice.Toolsets, err = known(c.Toolsets, "toolset", toolsets(server), nil); err != nil {
		return nil, err
	}
	check, resolve := names(server), func(name string) string {
		if t, _, ok := server.Resolve(name); ok {
			return t.Name
		}
		return name
	}
	if open {
		check = nil
	}
	if f.Choice.Tools, err = known(c.Tools, "tool", check, resolve); err != nil {
		return nil, err
	}
	if f.Choice.Exclude, err = known(c.Exclude, "tool", check, resolve); err != nil {
		return nil, err
	}
	return f, nil
}

// known returns the names in a list without repetitions. If names is not nil, it returns an error for other names.
func known(list []string, kind string, names []string, resolve func(string) string) (checked []string, err error) {
	for _, name := range list {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if resolve != nil {
			name = resolve(name)
		}
		if names != nil && !slices.Contains(names, name) {
			return nil, unknown(kind, name, names)
		}
		if !slices.Contains(checked, name) {
			checked = append(checked, name)
		}
	}
	return checked, nil
}

func unknown(kind, name string, names []string) error {
	if near, ok := phrase.Nearest(name, names); ok {
		return fmt.Errorf("unknown %s %s; did you mean %s?", kind, phrase.Quoted(name, 60), near)
	}
	if len(names) == 0 || kind == "toolset" && len(names) == 2 {
		return fmt.Errorf("unknown %s %s; the server has no %ss", kind, phrase.Quoted(name, 60), kind)
	}
	return fmt.Errorf("unknown %s %s (known: %s)", kind, phrase.Quoted(name, 60), strings.Join(names, ", "))
}

func toolsets(server *manifest.Server) []string {
	names := []string{all, initial}
	for _, set := range server.Toolsets {
		names = append(names, set.Name)
	}
	return names
}

// names returns the names of the tools, resources and prompts of a server.
func names(server *manifest.Server) []string {
	names := []string{}
	for _, t := range server.Calls() {
		names = append(names, t.Name)
	}
	return names
}

// Within returns the face that shows what both f and outer show. Either may be nil.
func (f *Face) Within(outer *Face) *Face {
	if f == nil || outer == nil {
		if f == nil {
			return outer
		}
		return f
	}
	both := *f
	both.Outer = f.Outer.Within(outer)
	return &both
}

// IsWhole reports whether f is the face of parties that chose nothing.
func (f *Face) IsWhole() bool {
	for ; f != nil; f = f.Outer {
		if c := &f.Choice; c.selects() || len(c.Exclude) > 0 || c.ReadOnly || c.NoDestructive {
			return false
		}
	}
	return true
}

// Shows reports whether both faces show a tool, resource or prompt, which has the contract of a tool. Either may be
// nil. The toolsets in off are shown only if one of the choices selects something by name. Shows does not allocate.
func Shows(t *manifest.Tool, off map[string]bool, first, second *Face) bool {
	chosen := !off[t.Toolset]
	for _, f := range [...]*Face{first, second} {
		for ; f != nil; f = f.Outer {
			if !f.permits(t) {
				return false
			}
			chosen = chosen || f.Choice.selects()
		}
	}
	return chosen
}

// permits reports whether the choice of one party includes a tool.
func (f *Face) permits(t *manifest.Tool) bool {
	c := &f.Choice
	reads := t.Annotations.ReadOnly != nil && *t.Annotations.ReadOnly
	harmless := reads || t.Annotations.Destructive != nil && !*t.Annotations.Destructive
	switch {
	case c.ReadOnly && !reads, c.NoDestructive && !harmless, slices.Contains(c.Exclude, t.Name):
		return false
	case !c.selects() || slices.Contains(c.Tools, t.Name) || slices.Contains(c.Toolsets, all):
		return true
	case t.Toolset == "" || slices.Contains(f.Defaults, t.Toolset):
		return slices.Contains(c.Toolsets, initial) || t.Toolset != "" && slices.Contains(c.Toolsets, t.Toolset)
	}
	return slices.Contains(c.Toolsets, t.Toolset)
}

// selects reports whether the choice names what it selects.
func (c *Choice) selects() bool { return len(c.Toolsets)+len(c.Tools) > 0 }

// Off returns the toolsets that only a choice selects, or nil.
func Off(server *manifest.Server) map[string]bool {
	var off map[string]bool
	for _, set := range server.Toolsets {
		if !set.Default {
			if off == nil {
				off = map[string]bool{}
			}
			off[set.Name] = true
		}
	}
	return off
}
