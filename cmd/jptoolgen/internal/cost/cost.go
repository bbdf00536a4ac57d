package cost

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/shape"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Encoding is the name of the encoding whose tokens are counted.
const Encoding = "o200k_base"

// A Report holds the token counts of a tool list.
type Report struct {
	Format   int    `json:"format"`
	Encoding string `json:"encoding"`
	Server   string `json:"server"`
	Views
	// Budget is the declared maximum for Model and for Relaying, or 0 for no limit.
	Budget int    `json:"budget,omitempty"`
	Tools  []Tool `json:"tools"`
	// Resources and Prompts count the tokens of the other lists, which clients read, and a model only if a client shows
	// them to it. They are 0 without entries.
	Resources int `json:"resources_list,omitempty"`
	Prompts   int `json:"prompts_list,omitempty"`
	// Before is the report of the list to compare with; nil means that the cost is not compared.
	Before *Report `json:"before,omitempty"`
}

// Views holds the token counts of a tool, or of all tools, for each reader.
type Views struct {
	// Model counts what clients pass to a model: names, descriptions and input schemas.
	Model int `json:"model"`
	// Relaying is like Model, but for clients that cannot ask questions. Their tools have arguments that relay
	// answers.
	Relaying int `json:"model_relaying"`
	// List counts the tokens of the list as it is sent. Outputs counts them with all output schemas.
	List    int `json:"list"`
	Outputs int `json:"list_with_outputs"`
}

// A Tool holds the token counts of a tool.
type Tool struct {
	Name string `json:"name"`
	Views
	Parts Parts `json:"parts"`
}

// Parts holds the token counts of the members of a tool. They are counted separately, so their sum differs
// slightly from the count of the tool. Parameters counts the descriptions in the input schema, and Schema
// counts the rest of that schema.
type Parts struct {
	Name        int `json:"name"`
	Title       int `json:"title"`
	Description int `json:"description"`
	Parameters  int `json:"parameters"`
	Schema      int `json:"schema"`
	Annotations int `json:"annotations"`
	Meta        int `json:"meta"`
	Output      int `json:"output"`
}

// Of counts the tokens of a contract's tool list. If the server does not publish a contract, listed holds the
// entries as it sent them; otherwise listed is nil.
func Of(c *manifest.Server, listed []Entry) (*Report, error) {
	r := &Report{Format: 1, Encoding: Encoding, Server: c.Name, Budget: c.ListBudget, Tools: []Tool{}}
	count := counter{codec: codec.NewO200kBase()}
	for _, e := range listed {
		r.add(count.tool(e, true, nil))
	}
	for i := range c.Tools {
		if listed != nil {
			break
		}
		e, err := Published(&c.Tools[i])
		if err != nil {
			return nil, err
		}
		var relaying any
		if err := json.Unmarshal(c.Tools[i].InputForModels(), &relaying); err != nil {
			return nil, err
		}
		r.add(count.tool(e, c.Output == manifest.Always, relaying))
	}
	r.Resources, r.Prompts = count.lists(c)
	slices.SortFunc(r.Tools, func(a, b Tool) int {
		return cmp.Or(cmp.Compare(b.Model, a.Model), cmp.Compare(a.Name, b.Name))
	})
	return r, count.err
}

func (r *Report) add(t Tool) {
	r.Tools = append(r.Tools, t)
	r.Model += t.Model
	r.Relaying += t.Relaying
	r.List += t.List
	r.Outputs += t.Outputs
}

// Most returns the maximum number of tokens that a client sends to the model.
func (v Views) Most() int { return max(v.Model, v.Relaying) }

// A counter counts tokens and keeps its first error.
type counter struct {
	codec *codec.Codec
	err   error
}

// of counts the tokens of a value as compact JSON. The names of members are sorted, and <, > and & are escaped,
// as other programs that measure servers do.
func (c *counter) of(v any) int {
	text, err := json.Marshal(v)
	n := 0
	if err == nil {
		n, err = c.codec.Count(string(text))
	}
	c.err = cmp.Or(c.err, err)
	return n
}

// lists counts the tokens of the lists of resources and templates, and of prompts.
func (c *counter) lists(s *manifest.Server) (resources, prompts int) {
	for _, r := range slices.Concat(s.Resources, s.Templates) {
		resources += c.of(offer(r.Entry(), r.Name, Entry{"uri": r.URI, "uriTemplate": r.URITemplate, "mimeType": r.MIMEType}))
	}
	for _, p := range s.Prompts {
		e := Entry{}
		if listed := p.Listed(); len(listed) > 0 {
			e["arguments"] = listed
		}
		prompts += c.of(offer(p.Entry(), p.Name, e))
	}
	return resources, prompts
}

// offer returns the entry of a resource or a prompt with more members. Members that are "" are left out.
func offer(e manifest.Entry, name string, more Entry) Entry {
	more[nameMember], more[titleMember], more[descriptionMember] = name, *e.Title, *e.Description
	maps.DeleteFunc(more, func(_ string, v any) bool { return v == "" })
	if e.Meta != nil {
		more[metaMember] = json.RawMessage(e.Meta)
	}
	return more
}

// tool counts the tokens of an entry. outputs is set if lists include the output schema. relaying is the input
// schema for clients that cannot ask questions, or nil if it is the same.
func (c *counter) tool(e Entry, outputs bool, relaying any) Tool {
	t := Tool{}
	t.Name, _ = e[nameMember].(string)
	seen := e.modelView()
	t.Model, t.Outputs = c.of(seen), c.of(e)
	if t.List = t.Outputs; !outputs {
		listed := maps.Clone(e)
		delete(listed, outputMember)
		t.List = c.of(listed)
	}
	if t.Relaying = t.Model; relaying != nil {
		seen[inputMember] = relaying
		t.Relaying = c.of(seen)
	}
	member := func(name string) int {
		value, has := e[name]
		if !has {
			return 0
		}
		return c.of(Entry{name: value})
	}
	t.Parts = Parts{
		Name: member(nameMember), Title: member(titleMember), Description: member(descriptionMember),
		Annotations: member(annotationsMember), Meta: member(metaMember), Output: member(outputMember),
	}
	if input, has := e[inputMember]; has {
		t.Parts.Schema = c.of(Entry{inputMember: shape.Bare(input, []string{descriptionMember})})
		t.Parts.Parameters = member(inputMember) - t.Parts.Schema
	}
	return t
}
