package hostconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

// maxFile is the maximum size of a configuration file. Some hosts also store their history in it.
const maxFile = 64 << 20

// A Server is an entry of a host's configuration file.
type Server struct {
	Host Host
	// Name is the name of the server in the host's configuration.
	Name string
	// File is the configuration file.
	File string
	// Project reports whether the file belongs to a project, so someone else may have written it.
	Project bool
	// Hidden reports whether the user has a server with the same name in a file outside of the project. A cloned
	// repository must not replace a server that the user knows.
	Hidden bool

	entry  map[string]any
	places Places // Project is the project that contains the file
}

// Target returns the server's name in the form that the command line uses.
func (s Server) Target() string { return s.Host.Name + "/" + s.Name }

// Disabled reports whether the server is disabled in the host.
func (s Server) Disabled() bool { return s.entry["disabled"] == true || s.entry["enabled"] == false }

// Shown returns the part of the entry that is not secret: the program without its arguments, or the host of the
// URL.
func (s Server) Shown() string {
	if u, err := url.Parse(s.address()); err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host
	}
	return target.Shown(s.command())
}

// Configured returns the servers in the configuration files of the hosts. It searches for the files of a project in
// the directory p.Project and its parents, within the repository. The error lists the files that could not be read.
func Configured(p Places) ([]Server, error) {
	var all []Server
	var unreadable []error
	listed := map[string]bool{}
	above := files.Above(p.Project)
	for _, h := range Hosts() {
		for _, file := range h.files(p, above) {
			list, err := file.servers(above)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				unreadable = append(unreadable, err)
			}
			for _, s := range list {
				s.Hidden = listed[s.Target()]
				listed[s.Target()] = true
				all = append(all, s)
			}
		}
	}
	return all, errors.Join(unreadable...)
}

// files returns a Server without a name for each possible configuration file of a host, starting with the user's
// file. above holds the directories of the project.
func (h Host) files(p Places, above []string) []Server {
	var all []Server
	if h.user != nil && filepath.IsAbs(h.user(p)) { // the path is relative if the user has no home directory
		all = append(all, Server{Host: h, File: h.user(p), places: p})
	}
	if h.project != nil {
		for _, dir := range above {
			p.Project = dir
			all = append(all, Server{Host: h, File: h.project(p), Project: true, places: p})
		}
	}
	return all
}

// servers returns the servers in the file of s, sorted by name.
func (s Server) servers(above []string) ([]Server, error) {
	text, err := files.Read(s.File, maxFile)
	if err != nil {
		return nil, err
	}
	entries, err := s.Host.kind.read(bytes.TrimPrefix(text, []byte(mark)), above)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.File, err)
	}
	var all []Server
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		var ok bool
		if s.entry, ok = entries[name].(map[string]any); ok && name != "" {
			s.Name = name
			all = append(all, s)
		}
	}
	return all, nil
}

// read returns the servers in a file. For the user's file of Claude Code, the result includes the servers for
// the project.
func (f jsonFormat) read(text []byte, project []string) (map[string]any, error) {
	tree, err := parseJSON(text)
	if err != nil {
		if !errors.Is(err, errTooLarge) {
			err = errors.New("the file is not valid JSON") // the error may quote a secret
		}
		return nil, err
	}
	tree.Standardize()
	text = tree.Pack()
	var file map[string]any
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, errors.New("the file is not a JSON object")
	}
	all, _ := file[f.member].(map[string]any)
	for _, dir := range project {
		if own, ok := at(file, []string{"projects", dir, f.member}); ok {
			all, _ = union(own, all).(map[string]any)
		}
	}
	return all, nil
}

func (codexFormat) read(text []byte, _ []string) (map[string]any, error) {
	return readTables(text, "mcp_servers")
}

func (jpFormat) read(text []byte, _ []string) (map[string]any, error) {
	return readTables(text, "providers", "mcp")
}

func readTables(text []byte, path ...string) (map[string]any, error) {
	file, err := parseTOML(text)
	if err != nil {
		if !errors.Is(err, errTooLarge) {
			err = errors.New("the file is not valid TOML")
		}
		return nil, err
	}
	tables, _ := at(file, path)
	all, _ := tables.(map[string]any)
	return all, nil
}
