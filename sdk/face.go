package sdk

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A Face selects a part of what a server offers: tools, resources and prompts. What it does not select is not listed,
// and cannot be used. The zero Face selects everything that is on by default.
type Face struct {
	// Toolsets are names of toolsets, "all", or "default" for those that are on by default. Tools are names of tools,
	// resources and prompts. If either is not empty, only what one of them names is selected.
	Toolsets, Tools []string
	// Exclude are names of tools, resources and prompts to leave out.
	Exclude []string
	// ReadOnly selects only tools that are declared as read-only, and resources and prompts. NoDestructive leaves out
	// tools that are not declared as read-only or as not destructive.
	ReadOnly, NoDestructive bool
}

// face returns the face for a choice, or nil if it selects nothing in particular.
func (s *Server) face(f Face) (*face.Face, error) {
	if len(f.Toolsets)+len(f.Tools)+len(f.Exclude) == 0 && !f.ReadOnly && !f.NoDestructive {
		return nil, nil
	}
	return face.New(s.contract, face.Choice(f), s.addedExtras() != nil)
}

// faceSettings are the flags that select a face. A variable sets a flag that is not on the command line.
type faceSettings struct{ Face }

// A selector is a way to select a face: a flag, which is also the name of a variable, and a header.
type selector struct {
	flag, header, help string
	list               func(*Face) *[]string
	is                 func(*Face) *bool
}

var selectors = []selector{
	{
		"toolsets", "X-Mcp-Toolsets",
		"offer only these `TOOLSETS`, separated by commas; all for everything, default for those that are on by default",
		func(f *Face) *[]string { return &f.Toolsets }, nil,
	},
	{
		"tools", "X-Mcp-Tools",
		"offer only these `TOOLS`, resources and prompts, separated by commas, in addition to those of --toolsets",
		func(f *Face) *[]string { return &f.Tools }, nil,
	},
	{
		"exclude", "X-Mcp-Exclude-Tools",
		"do not offer these `TOOLS`, resources and prompts, separated by commas",
		func(f *Face) *[]string { return &f.Exclude }, nil,
	},
	{
		"read-only", "X-Mcp-Readonly", "offer only tools that are declared as read-only",
		nil, func(f *Face) *bool { return &f.ReadOnly },
	},
	{
		"no-destructive", "X-Mcp-No-Destructive",
		"do not offer tools that may delete or overwrite data",
		nil, func(f *Face) *bool { return &f.NoDestructive },
	},
}

// variable returns the name of the environment variable.
func (s *selector) variable(of *Server) string {
	return (&manifest.Tool{Shared: []string{s.flag}}).Variable(of.Name(), s.flag)
}

// isOption reports whether a variable sets an option of a tool, resource or prompt.
func (s *Server) isOption(variable string) bool {
	for t := range s.contracts {
		if slices.ContainsFunc(optionNames(t), func(option string) bool { return t.Variable(s.Name(), option) == variable }) {
			return true
		}
	}
	return false
}

// define adds the flags.
func (set *faceSettings) define(f *pflag.FlagSet, of *Server) {
	for _, s := range selectors {
		help := s.help + " (or the environment variable " + s.variable(of) + ")"
		if s.list != nil {
			f.StringSliceVar(s.list(&set.Face), s.flag, nil, help)
		} else {
			f.BoolVar(s.is(&set.Face), s.flag, false, help)
		}
	}
}

// read returns the face that flags, which may be nil, and the environment select.
func (set *faceSettings) read(flags *pflag.FlagSet, of *Server) (Face, error) {
	for _, s := range selectors {
		if flags != nil && flags.Changed(s.flag) {
			continue
		}
		variable := s.variable(of)
		value := os.Getenv(variable)
		if value == "" || of.isOption(variable) {
			continue
		}
		if err := s.set(&set.Face, value); err != nil {
			return Face{}, fmt.Errorf("environment variable %s: %w", variable, err)
		}
	}
	return set.Face, nil
}

// set sets the part of a face that s selects.
func (s *selector) set(f *Face, value string) (err error) {
	if s.list != nil {
		*s.list(f) = strings.Split(value, ",")
		return nil
	}
	if *s.is(f), err = strconv.ParseBool(strings.TrimSpace(value)); err != nil {
		return fmt.Errorf("invalid value %.20q: must be true or false", value)
	}
	return nil
}

// requested returns the face that a request selects with headers, and with what its URL selects.
func (s *Server) requested(header http.Header, path Face) (*face.Face, error) {
	var headers *Face // allocated only if a header selects something
	for i := range selectors {
		values := header[selectors[i].header]
		switch {
		case len(values) > 1: // a proxy may use another value
			return nil, fmt.Errorf("the %s header occurs more than once; send it once", selectors[i].header)
		case len(values) == 0 || values[0] == "":
			continue
		}
		if headers == nil {
			headers = new(Face)
		}
		if err := selectors[i].set(headers, values[0]); err != nil {
			return nil, fmt.Errorf("header %s: %w", selectors[i].header, err)
		}
	}
	var first *face.Face
	var err error
	if headers != nil {
		first, err = s.face(*headers)
	}
	if err != nil {
		return nil, err
	}
	second, err := s.face(path)
	return first.Within(second), err
}

// facePath returns the face that a URL selects with what follows the path of the server: /readonly, /x/TOOLSETS or
// /x/TOOLSETS/readonly.
func facePath(below string) (f Face, ok bool) {
	below = strings.TrimSuffix(below, "/")
	below, f.ReadOnly = strings.CutSuffix(below, "/readonly")
	if below == "" {
		return f, true
	}
	sets, ok := strings.CutPrefix(below, "/x/")
	if !ok || sets == "" || strings.Contains(sets, "/") {
		return Face{}, false
	}
	f.Toolsets = strings.Split(sets, ",")
	return f, true
}
