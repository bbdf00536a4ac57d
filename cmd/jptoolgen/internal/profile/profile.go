// Package profile stores named servers: their locations, and their contracts at the time they were saved.
package profile

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Format is the version of the file format that [Read] supports.
const Format = 1

// A Profile is a server that is saved under a name.
type Profile struct {
	// Target and Arguments are the words of the command line: TARGET, and the arguments after --.
	Target    string   `json:"target"`
	Arguments []string `json:"arguments,omitempty"`
	// Dir is the directory in which the program runs and to which Target and Arguments are relative. It is
	// absolute, or relative to the root of the project. It is empty for a URL.
	Dir string `json:"dir,omitempty"`
	// Env is added to the environment of the program, and Headers are added to every request. When the profile
	// is used, ${NAME} in a value is replaced with the value of that environment variable.
	Env     map[string]string `json:"env,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Validation controls what happens if the server has changed when the profile is used.
	Validation Validation `json:"validation"`
	// Notes are for people and models.
	Notes string `json:"notes,omitempty"`
	// Examples are calls that are known to work.
	Examples []Example `json:"examples,omitempty"`
	// Updated is the time at which the contract was read.
	Updated time.Time `json:"updated"`
	// Whole reports whether the contract includes questions, options and codes. If not, it was built from a tool list.
	Whole bool `json:"whole"`
	// Contract is the contract of the server when the profile was saved.
	Contract *manifest.Server `json:"contract"`
}

// Validation is the action to take if the server of a profile no longer conforms to the contract.
type Validation string

// The possible actions.
const (
	Warn   Validation = "warn"
	Error  Validation = "error"
	Ignore Validation = "ignore"
)

// Validations returns all actions.
func Validations() []Validation { return []Validation{Warn, Error, Ignore} }

// An Example is a call with its expected result.
type Example struct {
	Name      string         `json:"name"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments,omitempty"`
	// Answers are the answers to questions, keyed by id.
	Answers map[string]jsontext.Value `json:"answers,omitempty"`
	// Contains lists strings that the result must contain.
	Contains []string `json:"contains,omitempty"`
	// Error is the code of the expected fault; "*" means any fault, and "" means success.
	Error string `json:"error,omitempty"`
}

// named matches valid profile names, which are valid file names on every system.
var named = lazyregexp.New(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// CheckName returns an error if name is not a valid profile name.
func CheckName(name string) error {
	if !named().MatchString(name) {
		return fmt.Errorf("invalid profile name %.80q: must match [a-z0-9][a-z0-9_-]* and be at most 64 characters", name)
	}
	return nil
}

// file is the JSON form of a profile. Package lock reads the contract.
type file struct {
	Format int `json:"format"`
	*body
	Contract jsontext.Value `json:"contract"`
}

type body Profile

// Read parses a profile. It returns an error if the data has a different structure or [Format], or if
// [Profile.Check] fails.
func Read(data []byte) (*Profile, error) {
	f := file{body: &body{}}
	if err := jsonv2.Unmarshal(data, &f, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	if f.Format != Format {
		return nil, fmt.Errorf("unsupported profile format %d; this program reads format %d", f.Format, Format)
	}
	p := (*Profile)(f.body)
	var err error
	if p.Contract, err = lock.Read(f.Contract); err != nil {
		return nil, err
	}
	return p, p.Check()
}

// Write returns the text of a profile, indented and with a final newline.
func (p *Profile) Write() ([]byte, error) {
	contract, err := p.Contract.Write()
	if err != nil {
		return nil, err
	}
	text, err := rawjson.EncodeIndented(file{Format, (*body)(p), contract})
	if err != nil {
		return nil, fmt.Errorf("writing the profile: %w", err)
	}
	return []byte(terminal.Escape(string(text))), nil
}

// Check returns an error if the profile cannot be used, or if it would store a secret on disk.
func (p *Profile) Check() error {
	var problems []error
	if p.Target == "" && len(p.Arguments) == 0 {
		problems = append(problems, errors.New("the profile has no target"))
	}
	if !slices.Contains(Validations(), p.Validation) {
		problems = append(problems, errors.New("validation must be warn, error or ignore"))
	}
	for i, e := range p.Examples {
		if e.Name == "" || e.Tool == "" {
			problems = append(problems, fmt.Errorf("example %d has no name or no tool", i+1))
		}
	}
	for what, values := range map[string]map[string]string{"header": p.Headers, "env": p.Env} {
		for name, value := range values {
			if err := secret.Check(what, name, value); err != nil {
				problems = append(problems, err)
			}
		}
	}
	slices.SortFunc(problems, func(x, y error) int { return strings.Compare(x.Error(), y.Error()) })
	return errors.Join(problems...)
}

// Open returns the target of a profile. It checks that the environment variables in the values are set, but does
// not replace references to them. name is the name of the profile in errors. base is the directory to which the
// profile's directory is relative. names resolves the profile's target if that is a name, and may be nil.
func (p *Profile) Open(name, base string, lookup func(string) (string, bool), names target.Names) (*target.Target, error) {
	t, err := target.Parse(files.Join(base, filepath.FromSlash(p.Dir)), p.Target, p.Arguments, names)
	if err != nil {
		return nil, fmt.Errorf("@%s: %w", name, err)
	}
	for _, key := range sortedLines(p.Env) {
		if _, err := secret.Expand(p.Env[key], lookup); err != nil {
			return nil, fmt.Errorf("@%s: environment variable %s %w", name, key, err)
		}
		t.Env = append(t.Env, key+"="+p.Env[key]) // references are replaced when the program starts
	}
	for _, key := range sortedLines(p.Headers) {
		if _, err := secret.Expand(p.Headers[key], lookup); err != nil {
			return nil, fmt.Errorf("@%s: header %s %w", name, key, err)
		}
		t.Header = append(t.Header, target.Header{Name: key, Value: p.Headers[key]}) // references are replaced when the header is sent
	}
	return t, nil
}

// Shown returns a profile without possible secrets: values of headers and environment variables keep only their
// references, and a URL has no query.
func (p *Profile) Shown() *Profile {
	bare := *p
	bare.Env, bare.Headers = redact(p.Env), redact(p.Headers)
	if u, err := url.Parse(p.Target); err == nil && strings.HasPrefix(u.Scheme, "http") && u.RawQuery != "" {
		u.RawQuery = "…"
		bare.Target = u.String()
	}
	return &bare
}

func redact(values map[string]string) map[string]string {
	out := maps.Clone(values)
	for name, value := range out {
		out[name] = secret.Redact(value)
	}
	return out
}

func sortedLines(values map[string]string) []string { return slices.Sorted(maps.Keys(values)) }
