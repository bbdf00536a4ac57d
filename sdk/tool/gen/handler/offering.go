package handler

import (
	"encoding/json"
	"io/fs"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/gen/decode"
	"github.com/jptool/jptool/sdk/gen/encode"
	"github.com/jptool/jptool/sdk/tool"
)

// Bytes renders binary content of a resource.
func Bytes[T ~[]byte](v T) (Result, error) {
	return Result{Result: tool.Result{Blocks: content.Blocks{content.Resource{Blob: append([]byte{}, v...)}}}}, nil
}

// Content renders content of a resource with its own URI and MIME type; "" means those of the request and the contract.
func Content(v content.Resource) (Result, error) { return Contents([]content.Resource{v}) }

// Contents is like [Content] for several parts, such as the files of a directory.
func Contents(v []content.Resource) (Result, error) {
	var r Result
	for _, part := range v {
		r.Blocks = append(r.Blocks, part)
	}
	return r, nil
}

// Directory renders a directory, of which a request reads one file.
func Directory(v fs.FS) (Result, error) {
	if v == nil {
		return Result{}, errNoResult()
	}
	return Result{directory: v}, nil
}

// Messages renders the messages of a prompt.
func Messages(v content.Messages) (Result, error) { return Result{Messages: v}, nil }

// Values renders the values of a completion.
func Values[S ~[]T, T ~string](v S) (Result, error) {
	var c tool.Completions
	for _, value := range v {
		c.Values = append(c.Values, string(value))
	}
	return Completions(c)
}

// Completions renders the values of a completion, with their number.
func Completions(v tool.Completions) (Result, error) { return Result{completions: v}, nil }

// Completing returns the decoder of a request to complete a value. fields decodes the arguments or variables. Those
// that are missing or invalid are zero.
func Completing[In any](fields func(*decode.Object, *In)) func(*decode.Object, *tool.Completion[In]) {
	return func(o *decode.Object, c *tool.Completion[In]) {
		decode.Field(o, "value", &c.Value, decode.String)
		decode.Field(o, "arguments", &c.Arguments, func(v decode.Value, dst *In) {
			var known []byte
			if decode.Raw(v, &known); known != nil {
				decode.Into(known, dst, fields, decode.Options{})
			}
		})
	}
}

// Listing returns a function that renders resources in the list of a template. fields encodes the variables.
func Listing[In any](fields func(*encode.Object, *In)) func(tool.Page[tool.Listed[In]]) (Result, error) {
	item := encode.Struct(func(o *encode.Object, l *tool.Listed[In]) {
		encode.Field(o, "variables", &l.Variables, encode.Struct(fields))
		encode.Field(o, "name", &l.Name, encode.String)
		encode.Omit(o, l.Title == "", "title", &l.Title, encode.String)
		encode.Omit(o, l.Description == "", "description", &l.Description, encode.String)
		encode.Omit(o, l.MIMEType == "", "mimeType", &l.MIMEType, encode.String)
		encode.Omit(o, l.Size == 0, "size", &l.Size, encode.Int)
		encode.Omit(o, l.Annotations.IsZero(), "annotations", &l.Annotations, annotations)
	})
	return Structured(func(o *encode.Object, p *tool.Page[tool.Listed[In]]) {
		encode.Field(o, "items", &p.Items, encode.List[[]tool.Listed[In]](item))
		encode.Omit(o, p.NextCursor == "", "next_cursor", &p.NextCursor, encode.String)
	})
}

// annotations encodes annotations as MCP does.
func annotations(w *encode.Writer, a *content.Annotations) {
	text, _ := json.Marshal(struct { // cannot fail: package content has checked the priority
		Audience     []content.Role `json:"audience,omitempty"`
		LastModified string         `json:"lastModified,omitempty"`
		Priority     *float64       `json:"priority,omitempty"`
	}{a.Audience, a.Modified(), a.Priority})
	encode.Raw(w, &text)
}

// URI returns the URI of a template with the variables of in. Generated code calls it. It panics if in cannot be
// encoded, for example a time whose year has five digits.
func URI[In any](template string, fields func(*encode.Object, *In), in In) string {
	variables, err := encode.From(&in, fields)
	if err != nil {
		panic(err)
	}
	return expand(template, []byte(variables))
}

// expand returns the URI of a template with variables, which are an object. Generated code has a valid template.
func expand(template string, variables []byte) string {
	t, err := uris.Parse(template)
	if err != nil {
		panic(err)
	}
	uri, err := Expand(t, variables)
	if err != nil {
		panic(err)
	}
	return uri
}

// Expand returns the URI of a template with variables, which are an object.
func Expand(t *uris.Template, variables []byte) (string, error) {
	values := map[string]string{}
	for _, m := range rawjson.Parts(variables) {
		switch m.Value.Kind() {
		case '"':
			values[m.Name] = rawjson.Text(m.Value)
		case 'n': // the variable has no value
		default:
			values[m.Name] = string(m.Value)
		}
	}
	return t.Expand(values)
}
