package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

// maxSize is the maximum size of a profile's file.
const maxSize = 64 << 20

// Scope is the owner of a profile.
type Scope string

// The scopes. A user's profile hides a project's profile with the same name, because a cloned repository must
// not replace a server that the user knows.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// ErrUnknown reports that there is no profile with the given name.
var ErrUnknown = errors.New("unknown profile; run jptoolgen profile list to see the known ones")

// A Store holds the profiles that can be used in a directory.
type Store struct {
	dirs   map[Scope]string
	base   map[Scope]string // the directory to which profile directories are relative
	lookup func(string) (string, bool)
	names  target.Names
}

// Open returns the store of the user's profiles in config, and of the profiles of the project that contains dir. If
// config is "", the store has no user profiles. The project extends up to the root of the repository. names resolves
// other names of servers, and may be nil.
func Open(dir, config string, lookup func(string) (string, bool), names target.Names) *Store {
	root := projectOf(dir)
	s := &Store{
		dirs:   map[Scope]string{Project: filepath.Join(root, ".jptool", "profiles")},
		base:   map[Scope]string{Project: root, User: dir},
		lookup: lookup,
		names:  names,
	}
	if config != "" {
		s.dirs[User] = filepath.Join(config, "jptool", "profiles")
	}
	return s
}

// projectOf returns the nearest directory with profiles at or above dir, within the repository. If there is
// none, it returns the root of the repository, or dir if there is no repository.
func projectOf(dir string) string {
	above := files.Above(dir)
	for _, at := range above {
		if info, err := os.Stat(filepath.Join(at, ".jptool", "profiles")); err == nil && info.IsDir() {
			return at
		}
	}
	return above[len(above)-1]
}

// Base returns the directory to which the profile directories of a scope are relative.
func (s *Store) Base(scope Scope) string { return s.base[scope] }

// Path returns the file of a profile.
func (s *Store) Path(scope Scope, name string) string {
	return filepath.Join(s.dirs[scope], name+".json")
}

// An Entry is a profile in a store.
type Entry struct {
	Name  string
	Scope Scope
	// Hidden reports whether the user has a profile with the same name.
	Hidden  bool
	Profile *Profile
	// Err is the error that prevented reading the profile.
	Err error
}

// scopes returns the scopes to search: the given one, or all if it is "". It leaves out a scope without a directory.
func (s *Store) scopes(scope Scope) []Scope {
	return slices.DeleteFunc([]Scope{User, Project}, func(sc Scope) bool {
		return scope != "" && sc != scope || s.dirs[sc] == ""
	})
}

// Load returns the profile with the given name: the user's profile, or else the project's. If scope is not "",
// it only searches that scope. The error for an unknown name is [ErrUnknown].
func (s *Store) Load(scope Scope, name string) (*Profile, Scope, error) {
	if err := CheckName(name); err != nil {
		return nil, "", err
	}
	for _, sc := range s.scopes(scope) {
		p, err := s.read(sc, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return p, sc, err
		}
	}
	return nil, "", fmt.Errorf("@%s: %w", name, ErrUnknown)
}

// read reads a file in the directory of the scope. It does not follow links that lead out of the directory.
func (s *Store) read(scope Scope, name string) (*Profile, error) {
	root, err := os.OpenRoot(s.dirs[scope])
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := files.ReadIn(root, name+".json", maxSize)
	if err != nil {
		return nil, err
	}
	p, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path(scope, name), err)
	}
	return p, nil
}

// List returns all profiles: first the user's profiles, then the project's, each sorted by name.
func (s *Store) List() ([]Entry, error) {
	var all []Entry
	seen := map[string]bool{}
	for _, scope := range s.scopes("") {
		files, err := os.ReadDir(s.dirs[scope])
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, f := range files {
			name, ok := strings.CutSuffix(f.Name(), ".json")
			if !ok || CheckName(name) != nil {
				continue
			}
			e := Entry{Name: name, Scope: scope, Hidden: seen[name]}
			e.Profile, e.Err = s.read(scope, name)
			all, seen[name] = append(all, e), true
		}
	}
	return all, nil
}

// Save writes a profile atomically. Only the owner can read the file.
func (s *Store) Save(scope Scope, name string, p *Profile) error {
	if err := errors.Join(CheckName(name), p.Check()); err != nil {
		return err
	}
	if s.dirs[scope] == "" {
		return errors.New("cannot find the user's configuration directory; set HOME, or add --project")
	}
	data, err := p.Write()
	if err != nil {
		return err
	}
	root, err := files.Make(s.dirs[scope], 0o700)
	if err == nil {
		defer root.Close()
		err = files.WriteIn(root, name+".json", data, 0o600)
	}
	if err != nil {
		return fmt.Errorf("saving the profile: %w", err)
	}
	return nil
}

// Remove removes a profile and returns its scope.
func (s *Store) Remove(scope Scope, name string) (Scope, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	for _, sc := range s.scopes(scope) {
		err := os.Remove(s.Path(sc, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return sc, err
		}
	}
	return "", fmt.Errorf("@%s: %w", name, ErrUnknown)
}

// Resolve returns the target that a word names, or nil if the word is not a name. The word is @PROFILE,
// @PROFILE/TOOL?ARGUMENT=VALUE, @PROFILE?resource=URI or @PROFILE?list=resources, or another name.
func (s *Store) Resolve(dir, word string) (*target.Target, error) {
	name, tool, query, err := Split(word)
	switch {
	case err != nil:
		return nil, err
	case name == "" && s.names == nil:
		return nil, nil
	case name == "":
		return s.names.Resolve(dir, word)
	}
	p, scope, err := s.Load("", name)
	if err != nil {
		return nil, err
	}
	t, err := s.Target(scope, name, p)
	switch {
	case err != nil:
	case tool != "":
		t.Tool, t.Arguments = tool, query
	case query != nil:
		t.Arguments = query
		err = t.Operate()
	}
	return t, err
}

// Target returns the target of a profile in the store. The user must confirm the target of a project's profile,
// because someone else may have written the file.
func (s *Store) Target(scope Scope, name string, p *Profile) (*target.Target, error) {
	t, err := p.Open(name, s.base[scope], s.lookup, s.names)
	if err == nil && scope == Project {
		t.Project = s.Path(scope, name)
	}
	return t, err
}

// Split returns the parts of a word @PROFILE/TOOL?ARGUMENT=VALUE, whose tool may be missing. The name is "" if the word
// does not start with @.
func Split(word string) (name, tool string, query url.Values, err error) {
	word, ok := strings.CutPrefix(word, "@")
	if !ok {
		return "", "", nil, nil
	}
	path, text, asks := strings.Cut(word, "?")
	name, path, deep := strings.Cut(path, "/")
	if err := CheckName(name); err != nil || !deep && !asks {
		return name, "", nil, err
	}
	if tool, err = url.PathUnescape(path); err == nil {
		query, err = url.ParseQuery(text)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("@%s: %w", name, err)
	case !deep && !query.Has("tool") && !query.Has("resource") && !query.Has("list"):
		err = CheckName(word)
	case tool == "" && deep:
		err = fmt.Errorf("missing tool after @%s/; write @%[1]s for the server itself", name)
	}
	return name, tool, query, err
}
