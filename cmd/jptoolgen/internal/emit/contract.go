package emit

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// contractVars returns the variables of the contract. Their values are constants and pointers that the linker
// initializes, so the contract costs no time at startup.
func (e *emitter) contractVars(c *manifest.Server) []*jen.Statement {
	hints := gofile.Comment("The contract has pointers to "+e.yes+" and "+e.no+".").Line().
		Var().List(jen.Id(e.yes), jen.Id(e.no)).Op("=").List(jen.True(), jen.False())
	contract := gofile.Comment(
		e.contract + " describes the server. It has the same content as " + declared.Contract + ".",
	).Line().Var().Id(e.contract).Op("=").Add(e.data(reflect.ValueOf(c).Elem()))
	file := gofile.Comment(
		"The program does not read the file. It is embedded so that the go command builds and vets",
		"this package again when the file changes.",
		"",
	).Line().Add(verbatim("//go:embed " + declared.Contract)).Line().Var().Id("_").String()
	return []*jen.Statement{hints, contract, file}
}

// data returns a value of package manifest as a literal, without zero members.
func (e *emitter) data(v reflect.Value) *jen.Statement {
	switch {
	case v.Type() == reflect.TypeFor[manifest.Schema]():
		if name := e.schemas[string(v.Bytes())]; name != "" {
			return jen.Qual(manifestPath, "Schema").Call(jen.Id(name))
		}
		var compact bytes.Buffer
		_ = json.Compact(&compact, v.Bytes()) // the parts of a contract are valid JSON
		return jen.Qual(manifestPath, "Schema").Call(text(compact.String()))
	case v.Kind() == reflect.Struct:
		return jen.Qual(manifestPath, v.Type().Name()).Add(e.members(v))
	case v.Kind() == reflect.Slice:
		return e.elements(v)
	case v.Kind() == reflect.Pointer:
		return jen.Op("&").Id(map[bool]string{true: e.yes, false: e.no}[v.Elem().Bool()])
	case v.Kind() == reflect.String:
		return text(v.String())
	}
	return jen.Lit(v.Interface())
}

// members returns the members of a struct literal, and the tokens that enclose them.
func (e *emitter) members(v reflect.Value) *jen.Statement {
	var fields []jen.Code
	short := true // set if no member is a list or a struct
	for i := range v.NumField() {
		field := v.Field(i)
		short = short && field.Kind() != reflect.Slice && field.Kind() != reflect.Struct
		if field.IsZero() || field.Type() == reflect.TypeFor[manifest.Schema]() && field.Len() == 0 {
			continue
		}
		fields = append(fields, jen.Id(v.Type().Field(i).Name).Op(":").Add(e.data(field)))
	}
	if short {
		return jen.Values(fields...)
	}
	return lines(fields...)
}

// elements returns a list of structs or strings as a literal.
func (e *emitter) elements(v reflect.Value) *jen.Statement {
	var all []jen.Code
	if v.Type().Elem().Kind() == reflect.String {
		for i := range v.Len() {
			all = append(all, text(v.Index(i).String()))
		}
		return jen.Index().String().Values(all...)
	}
	for i := range v.Len() {
		all = append(all, e.members(v.Index(i)))
	}
	return jen.Index().Qual(manifestPath, v.Type().Elem().Name()).Add(lines(all...))
}
