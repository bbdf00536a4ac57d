package emit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A sample is the source of a random server: a package of the author, and packages of another module with the types that
// it uses. The key is the file name below the parent directory of both modules.
type sample struct {
	name  string
	files map[string]string
	// shapes are the kinds of declarations that occur, keyed by name.
	shapes map[string]bool
}

// A source writes random packages.
type source struct {
	r      *rand.Rand
	shapes map[string]bool
	pkgs   []*pkg
}

// A pkg is a package with random types.
type pkg struct {
	name, path string
	types      []declared
	body       strings.Builder
	imports    map[string]bool
}

// A declared is a type of a package.
type declared struct {
	name string
	// kind is struct, text, plain, or method for a type with its own JSON.
	kind string
	// params is the number of type parameters.
	params int
}

// newSample returns a random server. The number makes its package paths unique.
func newSample(seed uint64, n int) *sample {
	s := &source{r: rand.New(rand.NewPCG(seed, uint64(n))), shapes: map[string]bool{}}
	name := fmt.Sprintf("c%05d", n)
	inner := &pkg{name: s.oneOf("inner", "deep", "server", "in", "contract", "decode"), imports: map[string]bool{}}
	inner.path = "example.com/other/" + name + "/" + inner.name
	if s.chance(3) {
		s.shape("internal")
		inner.path = "example.com/other/" + name + "/internal/" + inner.name
	}
	outer := &pkg{name: s.oneOf("outer", "lib", "v", "o", "encode", "yes"), imports: map[string]bool{}}
	outer.path = "example.com/other/" + name + "/" + outer.name
	s.pkgs = []*pkg{inner}
	s.declare(inner, 3+s.r.IntN(4))
	s.pkgs = append(s.pkgs, outer)
	s.declare(outer, 3+s.r.IntN(5))
	home := &pkg{name: name, path: "example.com/m/" + name, imports: map[string]bool{"context": true, "encoding/json": true}}
	s.server(home, outer)
	if strings.Count(home.body.String(), "//jp:tool") == 0 {
		return newSample(seed+1<<32, n)
	}
	out := &sample{name: name, files: map[string]string{}, shapes: s.shapes}
	for _, p := range []*pkg{inner, outer, home} {
		dir := strings.TrimPrefix(p.path, "example.com/")
		out.files[dir+"/"+p.name+".go"] = p.text()
	}
	return out
}

func (p *pkg) text() string {
	var imports []string
	for path := range p.imports {
		name := strings.TrimSuffix(path, "/v2")
		if !strings.Contains(p.body.String(), name[strings.LastIndex(name, "/")+1:]+".") {
			continue // the type that needed it was not written
		}
		imports = append(imports, fmt.Sprintf("\t%q\n", path))
	}
	slices.Sort(imports)
	return "package " + p.name + "\n\nimport (\n" + strings.Join(imports, "") + ")\n\n" + p.body.String()
}

func (s *source) chance(n int) bool { return s.r.IntN(n) == 0 }

func (s *source) oneOf(all ...string) string { return all[s.r.IntN(len(all))] }

func (s *source) shape(name string) { s.shapes[name] = true }

// names are the names of fields. They are few, so that fields shadow each other and are ambiguous.
var names = []string{"A", "B", "C", "D", "Name", "Count", "V"}

// declare writes n types.
func (s *source) declare(p *pkg, n int) {
	for i := range n {
		d := declared{name: fmt.Sprintf("T%d", i), kind: "struct"}
		if s.chance(3) {
			d.name = fmt.Sprintf("t%d", i)
			s.shape("unexported type")
		}
		switch s.r.IntN(12) {
		case 0:
			s.methods(p, &d)
		case 1:
			d.kind = "plain"
			fmt.Fprintf(&p.body, "type %s %s\n\n", d.name, s.oneOf("string", "int", "bool", "float64", "[]string", "map[string]int"))
		case 2:
			if d.params = 1; s.chance(4) {
				s.shape("recursive generic")
				fmt.Fprintf(&p.body, "type %s[P any] struct {\n\tV P `json:\"v\"`\n\tNext []%[1]s[P] `json:\"next,omitempty\"`\n}\n\n", d.name)
				break
			}
			s.shape("generic")
			fmt.Fprintf(&p.body, "type %s[P any] struct {\n\tV P `json:\"v\"`\n%s}\n\n", d.name, s.fields(p, 2, "V"))
		case 3:
			s.shape("alias")
			fmt.Fprintf(&p.body, "type hidden%d struct {\n%s}\n\n// %s is an alias.\ntype %[3]s = hidden%[1]d\n\n", i, s.fields(p, 2), d.name)
		default:
			fmt.Fprintf(&p.body, "// %s is a type.\ntype %[1]s struct {\n%s}\n\n", d.name, s.fields(p, 1+s.r.IntN(5)))
			if s.chance(8) {
				s.shape("method hides field")
				fmt.Fprintf(&p.body, "func (*%s) M() int { return 1 }\n\n", d.name)
			}
			if s.chance(10) {
				s.shape("IsZero")
				fmt.Fprintf(&p.body, "func (%s%s) IsZero() bool { return true }\n\n", s.oneOf("", "*"), d.name)
			}
		}
		p.types = append(p.types, d)
	}
}

// methods writes a type with its own encoding.
func (s *source) methods(p *pkg, d *declared) {
	d.kind = "method"
	fmt.Fprintf(&p.body, "type %s struct{ S string }\n\n", d.name)
	json, text := s.chance(2), s.chance(2)
	if json || !text {
		s.shape("JSON methods")
		p.imports["encoding/json"] = true
		fmt.Fprintf(&p.body, "func (t %s) MarshalJSON() ([]byte, error) { return json.Marshal([]string{t.S}) }\n\n", d.name)
		fmt.Fprintf(&p.body, "func (t *%s) UnmarshalJSON(data []byte) error {\n\tvar all []string\n\terr := json.Unmarshal(data, &all)\n\tif len(all) > 0 {\n\t\tt.S = all[0]\n\t}\n\treturn err\n}\n\n", d.name)
	}
	if text {
		s.shape("text methods")
		fmt.Fprintf(&p.body, "func (t %s) MarshalText() ([]byte, error) { return []byte(t.S), nil }\n\n", d.name)
		fmt.Fprintf(&p.body, "func (t *%s) UnmarshalText(data []byte) error {\n\tt.S = string(data)\n\treturn nil\n}\n\n", d.name)
	}
	if json && text {
		s.shape("JSON and text methods")
	}
}

// fields writes the fields of a struct in a package.
func (s *source) fields(p *pkg, n int, used ...string) string {
	var b strings.Builder
	taken := map[string]bool{}
	for _, name := range used {
		taken[name] = true
	}
	for range n {
		if s.chance(4) {
			if typ, name := s.embedded(p); typ != "" && !taken[name] {
				taken[name] = true
				fmt.Fprintf(&b, "\t%s%s\n", typ, s.oneOf("", "", "", " `json:\"named\"`", " `json:\"-\"`"))
				continue
			}
		}
		name := s.oneOf(names...)
		if s.chance(8) {
			name = strings.ToLower(name)
			s.shape("unexported field")
		}
		if taken[name] {
			continue
		}
		taken[name] = true
		fmt.Fprintf(&b, "\t%s %s%s\n", name, s.typ(p, 2), s.tag(name))
	}
	return b.String()
}

// embedded returns a type to embed and the name of the field.
func (s *source) embedded(p *pkg) (typ, name string) {
	from, d := s.pick(p)
	if d == nil || d.params > 0 || d.kind == "method" && s.chance(2) {
		return "", ""
	}
	typ, name = s.spell(p, from, d), d.name
	s.shape("embedded")
	if d.name[0] == 't' {
		s.shape("embedded unexported")
	}
	if s.chance(3) && d.kind == "struct" {
		typ = "*" + typ
		s.shape("embedded pointer")
	}
	return typ, name
}

// pick returns a type that package p can refer to.
func (s *source) pick(p *pkg) (*pkg, *declared) {
	from := p
	if s.chance(2) {
		from = s.pkgs[0]
	}
	if len(from.types) == 0 {
		return nil, nil
	}
	d := &from.types[s.r.IntN(len(from.types))]
	if from != p && d.name[0] == 't' {
		return nil, nil
	}
	return from, d
}

func (s *source) spell(p, from *pkg, d *declared) string {
	if from == p {
		return d.name
	}
	p.imports[from.path] = true
	return from.name + "." + d.name
}

// typ returns a random type for use in package p.
func (s *source) typ(p *pkg, depth int) string {
	if depth > 0 {
		switch s.r.IntN(14) {
		case 0:
			s.shape("pointer")
			return "*" + s.typ(p, depth-1)
		case 1:
			s.shape("slice")
			return "[]" + s.typ(p, depth-1)
		case 2:
			s.shape("slice of pointers")
			return "[]*" + s.typ(p, 0)
		case 3:
			s.shape("map")
			return "map[" + s.oneOf("string", "string", "int") + "]" + s.typ(p, depth-1)
		case 4:
			s.shape("map of pointers")
			return "map[string]*" + s.typ(p, 0)
		case 5:
			s.shape("array")
			return "[2]" + s.typ(p, depth-1)
		case 6:
			s.shape("literal")
			return "struct {\n" + s.fields(p, 2) + "}"
		case 7:
			if s.chance(2) {
				s.shape("interface with a method")
				return s.oneOf("interface{ m() }", "interface{ M() int }", "func()", "error")
			}
		case 8, 9, 10, 11:
			if from, d := s.pick(p); d != nil {
				name := s.spell(p, from, d)
				if d.params > 0 {
					name += "[" + s.typ(p, 0) + "]"
				}
				return name
			}
		}
	}
	switch s.r.IntN(12) {
	case 0:
		p.imports["time"] = true
		return "time.Time"
	case 1:
		return "[]byte"
	case 2:
		return "any"
	}
	return s.oneOf("string", "string", "int", "int64", "uint8", "float64", "bool")
}

// tag returns a random json tag.
func (s *source) tag(name string) string {
	switch s.r.IntN(9) {
	case 0:
		s.shape("excluded field")
		return " `json:\"-\"`"
	case 1:
		s.shape("omitempty")
		return " `json:\"" + strings.ToLower(name) + ",omitempty\"`"
	case 2:
		s.shape("omitzero")
		return " `json:\"" + strings.ToLower(name) + ",omitzero\"`"
	case 3:
		s.shape("option string")
		return " `json:\"" + strings.ToLower(name) + ",string\"`"
	case 4:
		s.shape("another name")
		return " `json:\"" + strings.ToLower(s.oneOf(names...)) + "\"`"
	case 5:
		s.shape("unknown option")
		return " `json:\",inline\" yaml:\"x\"`"
	}
	return ""
}

// server writes the author's package.
func (s *source) server(home, outer *pkg) {
	home.imports[outer.path], home.imports["math/rand/v2"], home.imports["example.com/m/compare"] = true, true, true
	home.imports["github.com/jptool/jptool/sdk"] = true
	var types []string
	for _, d := range outer.types {
		if d.name[0] == 'T' && d.kind == "struct" {
			name := outer.name + "." + d.name
			if d.params > 0 {
				name += "[string]"
			}
			types = append(types, name)
		}
	}
	lines := "//jp:foreign " + outer.name + ".* reason=\"random\"\n"
	receiver := s.oneOf("", "s ", "v ", outer.name+" ")
	fmt.Fprintf(&home.body, "// S serves.\n//\n//jp:server names=any\n%stype S struct{}\n\n", lines)
	var calls strings.Builder
	for i, t := range types {
		if s.chance(3) {
			fmt.Fprintf(&home.body, "// H%d embeds a type.\ntype H%[1]d struct {\n\t%s\n\t// Own is own.\n\tOwn int `json:\"own\"`\n}\n\n", i, strings.TrimSuffix(t, "[string]")+suffix(t))
			t = fmt.Sprintf("H%d", i)
			s.shape("embedded in a type of the author")
		}
		if receiver == outer.name+" " {
			s.shape("receiver named like a package")
		}
		fmt.Fprintf(&home.body, "var value%d %s\n\n", i, t)
		fmt.Fprintf(&home.body, "// Get%d gets.\n//\n//jp:tool\nfunc (%sS) Get%[1]d(ctx context.Context) (%[3]s, error) { return value%[1]d, nil }\n\n", i, receiver, t)
		fmt.Fprintf(&home.body, "// Put%d puts.\n//\n//jp:tool\nfunc (%sS) Put%[1]d(ctx context.Context, in %[3]s) (string, error) {\n\tdata, err := json.Marshal(&in)\n\treturn string(data), err\n}\n\n", i, receiver, t)
		fmt.Fprintf(&calls, "\tcompare.Fill(r, &value%d)\n\tcompare.Type(server, %[1]d, &value%[1]d)\n", i)
	}
	fmt.Fprintf(&home.body, "// Compare compares the tools with encoding/json.\nfunc Compare(r *rand.Rand) {\n\tvar server *sdk.Server = NewServer(&S{})\n%s}\n", calls.String())
}

func suffix(t string) string {
	if strings.HasSuffix(t, "[string]") {
		return "[string]"
	}
	return ""
}
