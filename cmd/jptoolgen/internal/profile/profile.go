// Package profile keeps servers under names: how to reach them, and what they offered then.
package profile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/secret"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Format is the version of the file format that [Read] understands.
const Format = 1

// A Profile is a server under a name.
type Profile struct {
	// Target is what would be typed as TARGET, and Arguments what would be typed behind --.
	Target    string   `json:"target"`
	Arguments []string `json:"arguments,omitempty"`
	// Dir is the directory in which both are meant, and the program runs: absolute, or as seen from the
	// root of the project. A URL has none.
	Dir string `json:"dir,omitempty"`
	// Env is added to the environment of the program, and Headers to every request. ${NAME} in a value
	// stands for a variable of the environment, which is read when the profile is used.
	Env     map[string]string `json:"env,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	// Validation says what happens on use if the server has changed.
	Validation Validation `json:"validation"`
	// Notes are for people and models.
	Notes string `json:"notes,omitempty"`
	// Examples are calls that are known to work.
	Examples []Example `json:"examples,omitempty"`
	// Updated is when the contract was read.
	Updated time.Time `json:"updated"`
	// Whole says that the contract tells questions, options and codes; else it is a list of tools.
	Whole bool `json:"whole"`
	// Contract is what the server offered then.
	Contract *manifest.Server `json:"contract"`
}

// Validation says what the use of a profile does when the server no longer keeps to the contract.
type Validation string

// The validations.
const (
	Warn   Validation = "warn"
	Error  Validation = "error"
	Ignore Validation = "ignore"
)

// UnmarshalText sets v by its name.
func (v *Validation) UnmarshalText(text []byte) error {
	if !slices.Contains([]Validation{Warn, Error, Ignore}, Validation(text)) {
		return fmt.Errorf("unknown validation %.20q: write warn, error or ignore", text)
	}
	*v = Validation(text)
	return nil
}

// MarshalText returns the name of v.
func (v Validation) MarshalText() ([]byte, error) { return []byte(v), nil }

// An Example is a call and what it is known to result in.
type Example struct {
	Name      string         `json:"name"`
	Tool      string         `json:"tool"`
	Arguments jsontext.Value `json:"arguments,omitempty"`
	// Answers are given to questions, by id.
	Answers map[string]jsontext.Value `json:"answers,omitempty"`
	// Contains are texts of the result.
	Contains []string `json:"contains,omitempty"`
	// Error is the code of the fault in which the call ends, "*" for any; "" is none.
	Error string `json:"error,omitempty"`
}

// named is what a profile may be called: a file name on every system.
var named = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// CheckName returns an error if a profile cannot have the name.
func CheckName(name string) error {
	if !named.MatchString(name) {
		return fmt.Errorf("%.80q is no name of a profile: use up to 64 small letters, digits, - and _, and begin with a letter or digit", name)
	}
	return nil
}

// file is a profile as it stands on disk. The contract is read by its own rules.
type file struct {
	Format int `json:"format"`
	*body
	Contract jsontext.Value `json:"contract"`
}

type body Profile

// Read returns the profile that data holds. It refuses data of another shape or [Format], and a profile
// that [Profile.Check] refuses.
func Read(data []byte) (*Profile, error) {
	f := file{body: &body{}}
	if err := jsonv2.Unmarshal(data, &f, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("reading the profile: %w", err)
	}
	if f.Format != Format {
		return nil, fmt.Errorf("the profile has format %d, this program reads format %d", f.Format, Format)
	}
	p := (*Profile)(f.body)
	contract, err := manifest.Read(f.Contract)
	if err != nil {
		return nil, err
	}
	p.Contract = contract
	return p, p.Check()
}

// Write returns the text of a profile: indented, ending in a newline.
func (p *Profile) Write() ([]byte, error) {
	contract, err := p.Contract.Write()
	if err != nil {
		return nil, err
	}
	text, err := rawjson.EncodeIndented(struct {
		Format int `json:"format"`
		*body
		Contract json.RawMessage `json:"contract"`
	}{Format, (*body)(p), json.RawMessage(contract)})
	if err != nil {
		return nil, fmt.Errorf("writing the profile: %w", err)
	}
	return text, nil
}

// Check returns an error if the profile cannot be used, or would keep a secret on disk.
func (p *Profile) Check() error {
	var problems []error
	if p.Target == "" && len(p.Arguments) == 0 {
		problems = append(problems, errors.New("the profile has no target"))
	}
	if _, err := json.Marshal(p.Validation); err != nil || new(Validation).UnmarshalText([]byte(p.Validation)) != nil {
		problems = append(problems, errors.New("validation is warn, error or ignore"))
	}
	for i, e := range p.Examples {
		if e.Name == "" || e.Tool == "" {
			problems = append(problems, fmt.Errorf("example %d lacks its name or its tool", i+1))
		}
	}
	for what, values := range map[string]map[string]string{"header": p.Headers, "env": p.Env} {
		for name, value := range values {
			if err := secret.Check(what, name, value); err != nil {
				problems = append(problems, err)
			}
		}
	}
	slices.SortFunc(problems, func(x, y error) int { return bytes.Compare([]byte(x.Error()), []byte(y.Error())) })
	return errors.Join(problems...)
}

// Open returns the target of a profile that is called name, with the variables of the environment in its
// values. Base is the directory as seen from which its own one is meant.
func (p *Profile) Open(name, base string, lookup func(string) (string, bool)) (*target.Target, error) {
	t, err := target.Parse(join(base, p.Dir), p.Target, p.Arguments, nil)
	if err != nil {
		return nil, fmt.Errorf("@%s: %w", name, err)
	}
	for _, key := range sorted(p.Env) {
		if _, err := secret.Expand(p.Env[key], lookup); err != nil {
			return nil, fmt.Errorf("@%s: its variable %s %w", name, key, err)
		}
		t.Env = append(t.Env, key+"="+p.Env[key]) // whose variables are read when the program starts
	}
	for _, key := range sorted(p.Headers) {
		if _, err := secret.Expand(p.Headers[key], lookup); err != nil {
			return nil, fmt.Errorf("@%s: its header %s %w", name, key, err)
		}
		t.Header = append(t.Header, target.Header{Name: key, Value: p.Headers[key]}) // whose variables are read when it is sent
	}
	return t, nil
}
