package handler

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/internal/rawjson"
	"github.com/jptool/jptool/internal/uris"
	"github.com/jptool/jptool/sdk/fault"
)

// checkSpelling returns a fault unless the URI has each value as the decoded variables are written, so that a resource
// has a single URI. The integer 7 is also decoded from "7.0", for example. variables points to them.
func (r *Run) checkSpelling(variables any) error {
	if r.Offer == nil || r.Offer.Action != Read {
		return nil
	}
	odd := false
	for _, value := range r.Offer.Values {
		odd = odd || spelled(r.of.variable(variables, value.Variable), value.Text) != value.Text
	}
	if !odd {
		return nil
	}
	none := fault.New(fault.NotFound, "there is no resource %.200q", r.Offer.URI)
	values := map[string]string{}
	for _, value := range r.Offer.Values {
		values[value.Variable] = spelled(r.of.variable(variables, value.Variable), value.Text)
	}
	if t, err := uris.Parse(r.Offer.Resource.URITemplate); err == nil {
		if uri, err := t.Expand(values); err == nil {
			none.Message += "; did you mean " + strconv.Quote(uri) + "?"
			none.Details = map[string]any{"nearest": uri}
		}
	}
	return none
}

// variable returns the field of a struct that has a variable, or the zero value if there is none.
func (t *Tool) variable(in any, name string) reflect.Value {
	for _, f := range t.variables() {
		if strings.EqualFold(f.name, name) {
			v, _ := f.in(in)
			return v
		}
	}
	return reflect.Value{}
}

// variablesOf returns the fields of a struct that may have variables.
func variablesOf(input reflect.Type) (all []field) {
	if input.Kind() != reflect.Struct {
		return nil
	}
	for _, f := range reflect.VisibleFields(input) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.IsExported() && (!f.Anonymous || tag != "") {
			all = append(all, field{cmp.Or(tag, f.Name), f.Index})
		}
	}
	return all
}

// spelled returns the text of a variable as package encode writes it, or text if there is no such value.
func spelled(v reflect.Value, text string) string {
	if v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if !v.IsValid() || !v.CanInterface() {
		return text
	}
	marshals := v.NumMethod() > 0 && (v.Type().Implements(reflect.TypeFor[json.Marshaler]()) ||
		v.Type().Implements(reflect.TypeFor[encoding.TextMarshaler]()))
	switch kind := v.Kind(); {
	case !marshals && kind == reflect.String:
		return v.String()
	case !marshals && kind == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case !marshals && v.CanInt():
		if d := time.Duration(v.Int()).String(); v.Type() == reflect.TypeFor[time.Duration]() || d == text {
			return d // also of a type that is defined as a duration
		}
		return strconv.FormatInt(v.Int(), 10)
	case !marshals && v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	data, err := plainJSON("variables", v.Interface())
	switch value := jsontext.Value(data); {
	case err != nil:
		return text
	case value.Kind() == '"':
		return rawjson.Text(value)
	default:
		return string(value)
	}
}
