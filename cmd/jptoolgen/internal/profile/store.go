package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
)

// maxSize bounds the file of a profile.
const maxSize = 64 << 20

// Scope says whose a profile is.
type Scope string

// The scopes. A profile of the user hides one of the project with the same name: a repository that was
// cloned must not take the place of a server that the user knows.
const (
	User    Scope = "user"
	Project Scope = "project"
)

// ErrUnknown is returned for a name that no profile has.
var ErrUnknown = errors.New("there is no such profile; jptoolgen profile list shows those there are")

// A Store is the profiles that can be used in a directory.
type Store struct {
	dirs   map[Scope]string
	base   map[Scope]string // as seen from which profiles have their directory
	lookup func(string) (string, bool)
}

// Open returns the profiles of the user, below the directory of their configuration ("" for none), and
// those of the project that dir is in. The project reaches up to the root of the repository.
func Open(dir, config string, lookup func(string) (string, bool)) *Store {
	root := projectOf(dir)
	s := &Store{
		dirs:   map[Scope]string{Project: filepath.Join(root, ".jptool", "profiles")},
		base:   map[Scope]string{Project: root, User: dir},
		lookup: lookup,
	}
	if config != "" {
		s.dirs[User] = filepath.Join(config, "jptool", "profiles")
	}
	return s
}

// projectOf returns the nearest directory upward that has profiles, within the repository; else the root
// of the repository; else dir. Outside of repositories nothing above dir is looked at: it could be anyone's.
func projectOf(dir string) string {
	nearest := ""
	for at := dir; ; at = filepath.Dir(at) {
		if info, err := os.Stat(filepath.Join(at, ".jptool", "profiles")); err == nil && info.IsDir() && nearest == "" {
			nearest = at
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			if nearest == "" {
				return at
			}
			return nearest
		}
		if filepath.Dir(at) == at {
			return dir
		}
	}
}

// Base returns the directory as seen from which the profiles of a scope have theirs.
func (s *Store) Base(scope Scope) string { return s.base[scope] }

// Path returns the file of a profile.
func (s *Store) Path(scope Scope, name string) string {
	return filepath.Join(s.dirs[scope], name+".json")
}

// An Entry is a profile in a store.
type Entry struct {
	Name  string
	Scope Scope
	// Hidden says that a profile of the user has the same name.
	Hidden  bool
	Profile *Profile
	// Err says why it cannot be read.
	Err error
}

// Load returns the profile of a name: that of the user, or else that of the project. A scope that is not
// "" is the only one that is looked at. The error of a name that no profile has is [ErrUnknown].
func (s *Store) Load(scope Scope, name string) (*Profile, Scope, error) {
	if err := CheckName(name); err != nil {
		return nil, "", err
	}
	for _, sc := range []Scope{User, Project} {
		if scope != "" && sc != scope {
			continue
		}
		p, err := s.read(sc, name)
		if !errors.Is(err, fs.ErrNotExist) {
			return p, sc, err
		}
	}
	return nil, "", fmt.Errorf("@%s: %w", name, ErrUnknown)
}

// read reads a file that is in the directory of the scope, and no link out of it.
func (s *Store) read(scope Scope, name string) (*Profile, error) {
	if s.dirs[scope] == "" {
		return nil, fs.ErrNotExist
	}
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

// List returns all profiles: those of the user first, by name.
func (s *Store) List() ([]Entry, error) {
	var all []Entry
	seen := map[string]bool{}
	for _, scope := range []Scope{User, Project} {
		if s.dirs[scope] == "" {
			continue
		}
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

// Save writes a profile, whole or not at all, for its owner alone to read.
func (s *Store) Save(scope Scope, name string, p *Profile) error {
	if err := errors.Join(CheckName(name), p.Check()); err != nil {
		return err
	}
	if s.dirs[scope] == "" {
		return errors.New("the user has no directory for configuration: set HOME, or add --project")
	}
	data, err := p.Write()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dirs[scope], 0o700); err != nil {
		return fmt.Errorf("saving the profile: %w", err)
	}
	root, err := os.OpenRoot(s.dirs[scope])
	if err != nil {
		return fmt.Errorf("saving the profile: %w", err)
	}
	defer root.Close()
	if err := files.WriteIn(root, name+".json", data, 0o600); err != nil {
		return fmt.Errorf("saving the profile: %w", err)
	}
	return nil
}

// Remove removes a profile and returns its scope.
func (s *Store) Remove(scope Scope, name string) (Scope, error) {
	if err := CheckName(name); err != nil {
		return "", err
	}
	for _, sc := range []Scope{User, Project} {
		if scope != "" && sc != scope || s.dirs[sc] == "" {
			continue
		}
		err := os.Remove(s.Path(sc, name))
		if !errors.Is(err, fs.ErrNotExist) {
			return sc, err
		}
	}
	return "", fmt.Errorf("@%s: %w", name, ErrUnknown)
}

// Resolve returns the target of the profile of a name.
func (s *Store) Resolve(name string) (*target.Target, error) {
	p, scope, err := s.Load("", name)
	if err != nil {
		return nil, err
	}
	return p.Open(name, s.base[scope], s.lookup)
}
