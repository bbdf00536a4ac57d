package tool

import (
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
)

// Fields is an argument in which the caller names the members that it wants of each item. It is for
// tools that return a list of structs or a [Page] of structs. The names are checked before the
// handler runs. The runtime leaves out the other members; a handler may use the names to do less
// work. Without names, all members are sent.
type Fields []string

// fieldsOf returns the fields in arguments, or nil if the caller names no fields.
func fieldsOf(input any) Fields {
	v := reflect.ValueOf(input).Elem()
	if v.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Type != reflect.TypeFor[Fields]() {
			continue
		}
		if field, err := v.FieldByIndexErr(f.Index); err == nil {
			return field.Interface().(Fields)
		}
	}
	return nil
}

// choose removes the members that the caller did not request from the items of the list.
func (c *Call) choose(r Result) Result {
	if len(c.fields) == 0 || r.Structured == "" {
		return r
	}
	object, err := rawjson.Members([]byte(r.Structured))
	if err != nil {
		return r
	}
	for i, m := range object {
		if m.Name == c.of.list {
			object[i].Value = chosen(m.Value, c.fields)
		}
	}
	r.Structured = string(rawjson.Object(object))
	return r.derived()
}

// chosen returns a list of objects with the named members only.
func chosen(list jsontext.Value, names []string) jsontext.Value {
	if list.Kind() != '[' {
		return list
	}
	items := rawjson.Parts(list)
	for i, item := range items {
		if item.Value.Kind() != '{' {
			return list
		}
		items[i].Value = rawjson.Object(slices.DeleteFunc(rawjson.Parts(item.Value), func(m rawjson.Member) bool { return !slices.Contains(names, m.Name) }))
	}
	return rawjson.Array(items)
}
