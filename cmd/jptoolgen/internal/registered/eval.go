package registered

import (
	"cmp"
	"encoding/json"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

// An object is a JSON object whose members are in the order of the source.
type object []member

type member struct {
	name  string
	value any
}

func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (o *object) set(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// MarshalJSON implements [json.Marshaler].
func (o object) MarshalJSON() ([]byte, error) {
	var all []rawjson.Member
	for _, m := range o {
		value, _ := json.Marshal(m.value) // cannot fail: every value has a JSON form
		all = append(all, rawjson.Member{Name: m.name, Value: value})
	}
	return rawjson.Object(all), nil
}

// unknown is the value of an expression that depends on the state of the program.
type unknown struct{}

// eval returns the JSON value that an expression has in every run: nil, a string, a bool, a [json.Number], raw
// JSON, a list or an object. It leaves out parts whose value is unknown and adds a note about them.
func (r *reader) eval(e ast.Expr) any {
	e = ast.Unparen(e)
	if tv := r.info.Types[e]; tv.Value != nil {
		return constantOf(tv.Value)
	} else if tv.IsNil() {
		return nil
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return r.eval(e.X)
	case *ast.CompositeLit:
		return r.literal(e)
	case *ast.Ident:
		if value := r.single(e); value != nil {
			return r.eval(value)
		}
	case *ast.CallExpr:
		if value := r.evalCall(e); value != (unknown{}) {
			return value
		}
	}
	reason := "it is not a constant"
	if name, ok := e.(*ast.Ident); ok && r.changed[r.info.Uses[name]].IsValid() {
		reason = "the program can change it at " + r.place(r.changed[r.info.Uses[name]])
	}
	r.note(e.Pos(), "%s was omitted because %s", phrase.Clip(types.ExprString(e), maxShown), reason)
	return unknown{}
}

// maxShown is the maximum number of characters of an expression in a note.
const maxShown = 40

func constantOf(v constant.Value) any {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v)
	case constant.Bool:
		return constant.BoolVal(v)
	}
	if exact := constant.ToInt(v); exact.Kind() == constant.Int {
		return json.Number(exact.ExactString())
	}
	f, _ := constant.Float64Val(v)
	text, err := json.Marshal(f)
	if err != nil {
		return unknown{}
	}
	return json.Number(text)
}

// single returns the only value that is assigned to a variable, or nil if several values are
// assigned or the program modifies parts of the value.
func (r *reader) single(name *ast.Ident) ast.Expr {
	object := r.info.Uses[name]
	if object == nil || len(r.values[object]) != 1 || r.changed[object].IsValid() {
		return nil
	}
	return r.values[object][0]
}

// text returns the value of a constant string expression. For other expressions, it returns "" and adds a note.
func (r *reader) text(e ast.Expr) string {
	text, _ := r.eval(e).(string)
	return text
}

// member returns the constant string that a struct literal assigns to a field, or "" if the literal does not set
// the field.
func (r *reader) member(e ast.Expr, field string) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return r.member(e.X, field)
	case *ast.Ident:
		if value := r.single(e); value != nil {
			return r.member(value, field)
		}
	case *ast.CompositeLit:
		if value := r.elements(e)[field]; value != nil {
			return r.text(value)
		}
		return ""
	}
	if !r.info.Types[e].IsNil() {
		r.note(e.Pos(), "the %s of the server was not adopted, because %s is not a literal", field, phrase.Clip(types.ExprString(e), maxShown))
	}
	return ""
}

// literal returns the value of a composite literal.
func (r *reader) literal(e *ast.CompositeLit) any {
	switch t := sdktypes.Deref(r.info.TypeOf(e)).Underlying().(type) {
	case *types.Struct:
		return r.structure(e, t)
	case *types.Map:
		all := object{}
		for _, elt := range e.Elts {
			pair, ok := elt.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, named := r.eval(pair.Key).(string)
			if value := r.eval(pair.Value); named && value != (unknown{}) {
				all.set(key, value)
			}
		}
		return all
	case *types.Slice, *types.Array:
		all := []any{}
		for _, elt := range e.Elts {
			if value := r.eval(elt); value != (unknown{}) {
				all = append(all, value)
			}
		}
		return all
	}
	return unknown{}
}

// elements returns the values in a struct literal, keyed by field name.
func (r *reader) elements(e *ast.CompositeLit) map[string]ast.Expr {
	all := map[string]ast.Expr{}
	for i, elt := range e.Elts {
		if pair, ok := elt.(*ast.KeyValueExpr); ok {
			all[types.ExprString(pair.Key)] = pair.Value
		} else if t, ok := sdktypes.Deref(r.info.TypeOf(e)).Underlying().(*types.Struct); ok {
			all[t.Field(i).Name()] = elt
		}
	}
	return all
}

// structure returns the JSON encoding of a struct literal.
func (r *reader) structure(e *ast.CompositeLit, t *types.Struct) any {
	all := object{}
	values := r.elements(e)
	for i := range t.NumFields() {
		f := t.Field(i)
		name, options, _ := strings.Cut(reflect.StructTag(t.Tag(i)).Get("json"), ",")
		if name == "-" {
			if name = unwritten[f.Name()]; name == "" {
				continue
			}
		}
		name = cmp.Or(name, f.Name())
		value := values[f.Name()]
		switch f.Type().Underlying().(type) {
		case *types.Signature, *types.Chan: // functions and channels have no JSON form
			continue
		}
		if value == nil {
			if f.Type() == types.Typ[types.Bool] && !strings.Contains(options, "omitempty") {
				all.set(name, false)
			}
		} else if v := r.eval(value); v != (unknown{}) {
			all.set(name, v)
		}
	}
	if strings.HasSuffix(sdktypes.Deref(r.info.TypeOf(e)).String(), "/jsonschema.Schema") {
		return orBool(all)
	}
	return all
}

// unwritten maps fields of the SDKs' structs to the names under which their MarshalJSON methods write them.
var unwritten = map[string]string{
	"Type": "type", "Types": "type", "Items": "items", "ItemsArray": "items",
	"DependencySchemas": "dependencies", "DependencyStrings": "dependencies",
	"RawInputSchema": "inputSchema", "RawOutputSchema": "outputSchema",
}

// orBool returns a schema as jsonschema-go writes it: true for an empty schema, and false for its negation.
func orBool(schema object) any {
	switch {
	case len(schema) == 0:
		return true
	case len(schema) == 1 && schema.get("not") == true:
		return false
	}
	return schema
}

// evalCall returns the value of a call, or unknown.
func (r *reader) evalCall(e *ast.CallExpr) any {
	if r.info.Types[e.Fun].IsType() && len(e.Args) == 1 { // the call is a conversion
		text, ok := r.eval(e.Args[0]).(string)
		if ok && strings.HasSuffix(types.TypeString(r.info.TypeOf(e), nil), "json.RawMessage") && json.Valid([]byte(text)) {
			return json.RawMessage(text)
		}
		return r.eval(e.Args[0])
	}
	if name, ok := ast.Unparen(e.Fun).(*ast.Ident); ok && name.Name == "new" && len(e.Args) == 1 {
		return r.eval(e.Args[0])
	}
	f, path := r.callee(e)
	if f == nil {
		return unknown{}
	}
	if path == MCPGo {
		if value := r.mcpgo(f.Name(), e); value != (unknown{}) {
			return value
		}
	}
	if t := r.typeArgument(e); t != nil && f.Name() == "For" && strings.HasSuffix(path, "/jsonschema") {
		if schema, err := r.infer(t); err == nil {
			return schema
		}
	}
	if signature, ok := r.info.TypeOf(e.Fun).(*types.Signature); ok && signature.Params().Len() == 1 && signature.Results().Len() == 1 {
		p, is := signature.Results().At(0).Type().(*types.Pointer)
		if is && types.Identical(p.Elem(), signature.Params().At(0).Type()) { // the function returns a pointer to its argument
			return r.eval(e.Args[0])
		}
	}
	if results := r.returnedValues(e); len(results) > 0 {
		return r.eval(results[0])
	}
	return unknown{}
}

// callee returns the called function and the path of its package. It returns nil if the function is not known.
func (r *reader) callee(call *ast.CallExpr) (f *types.Func, path string) {
	if f, ok := typeutil.Callee(r.info, call).(*types.Func); ok && f.Pkg() != nil {
		return f, f.Pkg().Path()
	}
	return nil, ""
}

// returnedValues returns the results of a call to a function in the package, or nil if the function does not have
// exactly one return statement.
func (r *reader) returnedValues(e *ast.CallExpr) []ast.Expr {
	if f, _ := r.callee(e); f != nil && r.funcs[f] != nil && r.funcs[f].Body != nil {
		if all := returns(r.funcs[f].Body); len(all) == 1 {
			return all[0].Results
		}
	}
	return nil
}

// typeArgument returns the explicit type argument of a call, or nil.
func (r *reader) typeArgument(e *ast.CallExpr) types.Type {
	if index, ok := ast.Unparen(e.Fun).(*ast.IndexExpr); ok {
		return r.info.TypeOf(index.Index)
	}
	return nil
}
