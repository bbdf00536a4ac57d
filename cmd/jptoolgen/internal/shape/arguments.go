package shape

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// maxFile is the maximum size of the file in NAME=@FILE, in bytes.
const maxFile = 16 << 20

// An Assignment is a word of the form NAME=VALUE or NAME:=JSON. If the value is @FILE, the content of the file
// is used instead. A value that starts with @@ is text that starts with a single @.
type Assignment struct {
	Name, Word string
	JSON       bool
}

// Assign parses a word as an assignment. A relative file name is relative to dir.
func Assign(word, dir string) (Assignment, error) {
	name, value, ok := strings.Cut(word, "=")
	if !ok || name == "" || name == ":" {
		return Assignment{}, fmt.Errorf("%s is neither NAME=VALUE nor NAME:=JSON", quoteShort(word))
	}
	a := Assignment{Name: name, Word: value}
	if a.Name, a.JSON = strings.CutSuffix(name, ":"); !a.JSON {
		a.Name = name
	}
	if file, ok := strings.CutPrefix(value, "@"); ok && !strings.HasPrefix(file, "@") {
		data, err := File(file, dir)
		if err != nil {
			return a, fmt.Errorf("%s: %w", a.Name, err)
		}
		a.Word = string(data)
	} else if ok {
		a.Word = file
	}
	if a.JSON && !jsontext.Value(a.Word).IsValid() {
		return a, fmt.Errorf("%s: %s is not valid JSON; for text, use %s=TEXT", a.Name, quoteShort(a.Word), a.Name)
	}
	if !utf8.ValidString(a.Word) { // JSON cannot represent invalid UTF-8
		return a, fmt.Errorf("%s: the text is not valid UTF-8", a.Name)
	}
	return a, nil
}

// File reads a file. A relative name is relative to dir.
func File(name, dir string) ([]byte, error) { return files.ReadText(files.Join(dir, name), maxFile) }

// Arguments converts assignments to a JSON object according to the schema. The object also has the members of base. If
// base is not nil, required properties are not checked, because the server validates them. Repeated assignments to a
// list append their items. An error lists all problems. what is the name of the schema's owner in errors.
func (s *Schema) Arguments(what string, list []Assignment, base map[string]jsontext.Value) (jsontext.Value, error) {
	members := map[string]jsontext.Value{}
	maps.Copy(members, base)
	var problems []error
	given := map[string]bool{}
	for _, a := range list {
		p, known := s.Property(a.Name)
		if !known && !s.Open {
			problems = append(problems, s.unknown(what, a.Name))
			continue
		}
		if p == nil {
			p = &Property{}
		}
		value := jsontext.Value(a.Word)
		if !a.JSON {
			var err error
			if value, err = p.Value(a.Word); err != nil && p.Items != nil && strings.Contains(a.Word, ",") {
				items := strings.FieldsFunc(phrase.Clip(phrase.Visible(a.Word), 60), func(r rune) bool { return r == ',' || r == ' ' })
				err = fmt.Errorf("%w; repeat the argument for each item: %s=%s", err, a.Name, strings.Join(items, " "+a.Name+"="))
			}
			if err != nil {
				problems = append(problems, fmt.Errorf("%s %w", a.Name, err))
				continue
			}
		}
		if given[a.Name] {
			joined, ok := join(members[a.Name], value, p)
			if !ok {
				problems = append(problems, fmt.Errorf("%s is set more than once", a.Name))
				continue
			}
			value = joined
		}
		given[a.Name], members[a.Name] = true, value
	}
	if base == nil {
		problems = append(problems, s.missing(what, members, list)...)
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	for name, value := range members { // numbers in JSON, too
		if p, known := s.Property(name); known && value.Kind() == '0' && withoutSafe(p.Limits) != p.Limits && isLarge("integer", value) {
			members[name] = rawjson.Quote(string(value))
		}
	}
	return json.Marshal(members, json.Deterministic(true))
}

// Unchecked converts assignments to a JSON object without checks. The object also has the members of base. A value that
// the schema does not accept is a string, and the values of a repeated assignment are a list.
func (s *Schema) Unchecked(list []Assignment, base map[string]jsontext.Value) (jsontext.Value, error) {
	members, all := map[string]jsontext.Value{}, map[string][]jsontext.Value{}
	maps.Copy(members, base)
	for _, a := range list {
		p, known := s.Property(a.Name)
		if !known {
			p = &Property{Schema: Schema{Types: []string{"string"}}}
		}
		value := jsontext.Value(a.Word)
		if typed, err := p.Value(a.Word); !a.JSON && err == nil {
			value = typed
		} else if !a.JSON {
			value = rawjson.Quote(a.Word)
		}
		all[a.Name] = append(all[a.Name], value)
		if len(all[a.Name]) > 1 {
			joined, ok := join(members[a.Name], value, p)
			if value = joined; !ok {
				value, _ = json.Marshal(all[a.Name]) // cannot fail: all values are valid JSON
			}
		}
		members[a.Name] = value
	}
	return json.Marshal(members, json.Deterministic(true))
}

// join concatenates two lists if the property is a list.
func join(a, b jsontext.Value, p *Property) (jsontext.Value, bool) {
	if !slices.Contains(p.Types, "array") {
		return nil, false
	}
	var x, y []jsontext.Value
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return nil, false
	}
	out, err := json.Marshal(append(x, y...))
	return out, err == nil
}

func (s *Schema) unknown(what, name string) error {
	if near, ok := phrase.Nearest(name, s.Names()); ok {
		return fmt.Errorf("%s does not accept %q; did you mean %s?", what, name, near)
	}
	if len(s.Properties) == 0 {
		return fmt.Errorf("%s does not accept %q; it takes no arguments", what, name)
	}
	return fmt.Errorf("%s does not accept %q; it accepts %s", what, name, strings.Join(s.Names(), ", "))
}

func (s *Schema) missing(what string, members map[string]jsontext.Value, list []Assignment) []error {
	var out []error
	for i := range s.Properties {
		p := &s.Properties[i]
		tried := slices.ContainsFunc(list, func(a Assignment) bool { return a.Name == p.Name })
		if _, there := members[p.Name]; p.Required && !there && !tried {
			each := ""
			if slices.Contains(p.Types, "array") {
				each = "; repeat " + p.Name + "=… for each additional item"
			}
			out = append(out, fmt.Errorf("%s requires %s: add %s=… (%s)%s", what, p.Name, p.Name, p.Type(), each))
		}
	}
	return out
}
