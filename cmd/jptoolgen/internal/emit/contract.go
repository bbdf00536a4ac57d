package emit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// published returns the variables of the contract. Their values are constants and pointers that the linker
// initializes, so the contract costs no time at startup.
func (e *emitter) published(c *manifest.Server) ([]*jen.Statement, error) {
	value, err := e.data(reflect.ValueOf(c).Elem())
	if err != nil {
		return nil, fmt.Errorf("the contract: %w", err)
	}
	hints := comment(e.yes+" and "+e.no+" are values for pointers in the contract.").Line().
		Var().List(jen.Id(e.yes), jen.Id(e.no)).Op("=").List(jen.True(), jen.False())
	contract := comment(
		e.contract + " describes the server, with the same content as " + declared.Contract + ".",
	).Line().Var().Id(e.contract).Op("=").Add(value)
	file := comment(
		"The program does not read the file. It is embedded so that the go command builds and vets",
		"this package again when the file changes.",
		"",
	).Line().Add(exactly("//go:embed " + declared.Contract)).Line().Var().Id("_").String()
	return []*jen.Statement{hints, contract, file}, nil
}

// data returns a value of package manifest as a literal, without zero members.
func (e *emitter) data(v reflect.Value) (*jen.Statement, error) {
	switch {
	case v.Type() == reflect.TypeFor[manifest.Schema]():
		if name := e.schemas[string(v.Bytes())]; name != "" {
			return jen.Qual(manifestPath, "Schema").Call(jen.Id(name)), nil
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, v.Bytes()); err != nil {
			return nil, err
		}
		return jen.Qual(manifestPath, "Schema").Call(text(compact.String())), nil
	case v.Kind() == reflect.Struct:
		members, err := e.members(v)
		return jen.Qual(manifestPath, v.Type().Name()).Add(members), err
	case v.Kind() == reflect.Slice:
		return e.elements(v)
	case v.Kind() == reflect.Pointer:
		return jen.Op("&").Id(map[bool]string{true: e.yes, false: e.no}[v.Elem().Bool()]), nil
	case v.Kind() == reflect.String:
		return text(v.String()), nil
	}
	return jen.Lit(v.Interface()), nil
}

// members returns the members of a struct literal, and the tokens that enclose them.
func (e *emitter) members(v reflect.Value) (*jen.Statement, error) {
	var fields []jen.Code
	short := true // set if no member is a list or a struct
	for i := range v.NumField() {
		field := v.Field(i)
		short = short && field.Kind() != reflect.Slice && field.Kind() != reflect.Struct
		if field.IsZero() || field.Type() == reflect.TypeFor[manifest.Schema]() && field.Len() == 0 {
			continue
		}
		value, err := e.data(field)
		if err != nil {
			return nil, err
		}
		fields = append(fields, jen.Id(v.Type().Field(i).Name).Op(":").Add(value))
	}
	if short {
		return jen.Values(fields...), nil
	}
	return lines(fields...), nil
}

// elements returns a list of structs or strings as a literal.
func (e *emitter) elements(v reflect.Value) (*jen.Statement, error) {
	var all []jen.Code
	for i := range v.Len() {
		if v.Index(i).Kind() == reflect.String {
			all = append(all, text(v.Index(i).String()))
			continue
		}
		element, err := e.members(v.Index(i))
		if err != nil {
			return nil, err
		}
		all = append(all, element)
	}
	if v.Type().Elem().Kind() == reflect.String {
		return jen.Index().String().Values(all...), nil
	}
	return jen.Index().Qual(manifestPath, v.Type().Elem().Name()).Add(lines(all...)), nil
}
