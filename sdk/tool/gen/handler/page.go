package handler

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/tool"
	"github.com/jptool/jptool/sdk/tool/internal/callstate"
)

// A listing is a page that is rendered when it is known how many items fit.
type listing struct {
	callstate.Page
	render func() (Result, error)
	note   string // text about the next page, which is appended after the result has been truncated
}

// renderPage renders a page with as many items as fit. It returns false if not even one item fits.
func (c *Run) renderPage(l *listing, warnings []string) (r Result, fits bool, err error) {
	count, first, err := l.Cuts()
	if err != nil {
		return r, false, err
	}
	try := func(n int) bool {
		l.note = first(n, c.of.cursor().name, c.seal)
		if r, err = l.render(); err != nil {
			return false
		}
		r = c.choose(r)
		r.Warnings, r.page = warnings, l
		return c.holds(r)
	}
	if fits = try(count); fits || err != nil || count <= 1 {
		return r, fits, err
	}
	size := max(blocksSize(r.Blocks), len(r.Structured))
	// fitting is the largest number of items that fit, at least one. If the published schema requires
	// more items, rendering fails.
	fitting := sort.Search(count-2, func(i int) bool { return !try(i+2) && err == nil }) + 1
	if fits = try(fitting); err != nil {
		err = c.refuse(size)
	}
	return r, fits, err
}

// choose removes members that the caller did not request from the items of the list.
func (c *Run) choose(r Result) Result {
	if len(c.fields) == 0 || r.Structured == "" {
		return r
	}
	object := jsontext.Value(r.Structured)
	list := rawjson.Get(object, c.of.list)
	if list.Kind() != '[' {
		return r
	}
	items := rawjson.Parts(list)
	other := func(m rawjson.Member) bool { return !slices.Contains(c.fields, m.Name) }
	for i, item := range items {
		if item.Value.Kind() != '{' {
			return r
		}
		items[i].Value = rawjson.Object(slices.DeleteFunc(rawjson.Parts(item.Value), other))
	}
	r.Structured = string(rawjson.Replace(object, c.of.list, rawjson.Array(items)))
	return r.deriveFirst()
}

func (c *Run) seal(position string) string {
	if c.Rules.Cursors == nil {
		return position
	}
	return c.Rules.Cursors().Mark([]byte(position), c.cursorScope())
}

// query returns the arguments without the cursor. Cursors are bound to it.
func (c *Run) query() json.RawMessage {
	var arguments map[string]json.RawMessage
	if json.Unmarshal(rawjson.Unpacked(jsontext.Value(c.Arguments)), &arguments) != nil {
		return c.Arguments
	}
	maps.DeleteFunc(arguments, func(name string, value json.RawMessage) bool {
		return name == c.of.cursor().name || string(value) == "null"
	})
	query, _ := json.Marshal(arguments) // cannot fail: the values were decoded from JSON
	return query
}

// open replaces the cursor in the arguments with its position, and reads the requested fields.
func (c *Run) open(input any) error {
	for _, f := range c.of.choices {
		if names, ok := f.in(input); ok {
			c.fields = append(c.fields, names.Interface().(tool.Fields)...)
		}
	}
	cursor, ok := c.of.cursor().in(input)
	if !ok || c.Rules.Cursors == nil || cursor.String() == "" { // "" is the first page
		return nil
	}
	position, err := c.Rules.Cursors().OpenMark(cursor.String(), c.cursorScope())
	if err != nil {
		return fault.New(fault.InvalidInput, "%s %.40q is not a cursor for these arguments; send the same arguments as for the previous page, "+
			"or omit %s to get the first page", c.of.cursor().name, cursor.String(), c.of.cursor().name)
	}
	cursor.SetString(string(position))
	return nil
}

type field struct {
	name  string
	index []int
}

// fieldsOf returns the fields of type F in the arguments.
func fieldsOf[F any](input reflect.Type) (fields []field) {
	if input.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(input) {
		if f.Type == reflect.TypeFor[F]() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields = append(fields, field{name, f.Index})
		}
	}
	return fields
}

// in returns the value of the field, or false if it is behind a nil pointer or f is the zero field.
func (f field) in(input any) (reflect.Value, bool) {
	if f.index == nil {
		return reflect.Value{}, false
	}
	v, err := reflect.ValueOf(input).Elem().FieldByIndexErr(f.index)
	return v, err == nil
}
