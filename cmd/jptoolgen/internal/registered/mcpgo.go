package registered

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/jptool/jptool/internal/phrase"
)

// mcpgo returns the tool that an mcp-go function creates, or unknown.
func (r *reader) mcpgo(function string, e *ast.CallExpr) any {
	switch {
	case function == "NewTool" && len(e.Args) > 0:
		tool := object{{"name", r.eval(e.Args[0])}, {"inputSchema", object{{"type", "object"}, {"properties", object{}}}},
			{"annotations", object{{"readOnlyHint", false}, {"destructiveHint", true}, {"idempotentHint", false}, {"openWorldHint", true}}}}
		for _, option := range e.Args[1:] {
			r.toolOption(&tool, option)
		}
		return tool
	case function == "NewToolWithRawSchema" && len(e.Args) == 3:
		return object{{"name", r.eval(e.Args[0])}, {"description", r.eval(e.Args[1])}, {"inputSchema", r.eval(e.Args[2])}}
	}
	return unknown{}
}

// option returns the name of the mcp-go function that an expression calls, and the call.
func (r *reader) option(e ast.Expr) (string, *ast.CallExpr) {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		if f, path := r.callee(call); path == MCPGo || path == mcpGoRun {
			return f.Name(), call
		}
	}
	return "", nil
}

// kinds maps the options that declare a parameter to its JSON type.
var kinds = map[string]string{"WithString": "string", "WithNumber": "number", "WithInteger": "integer", "WithBoolean": "boolean",
	"WithObject": "object", "WithArray": "array", "WithAny": ""}

// toolOption applies an option of mcp.NewTool.
func (r *reader) toolOption(tool *object, e ast.Expr) {
	name, call := r.option(e)
	kind, parameter := kinds[name]
	switch {
	case name == "WithDescription":
		tool.set("description", r.eval(call.Args[0]))
	case name == "WithToolTitle":
		tool.set("title", r.eval(call.Args[0]))
	case name == "WithToolAnnotation":
		tool.set("annotations", r.eval(call.Args[0]))
	case strings.HasPrefix(name, "With") && strings.HasSuffix(name, "Annotation"):
		hint := strings.TrimSuffix(strings.TrimPrefix(name, "With"), "Annotation")
		annotations, _ := tool.get("annotations").(object)
		annotations.set(strings.ToLower(hint[:1])+hint[1:], r.eval(call.Args[0]))
		tool.set("annotations", annotations)
	case name == "WithRawInputSchema" || name == "WithRawOutputSchema":
		tool.set(strings.ToLower(name[7:8])+name[8:], r.eval(call.Args[0]))
	case name == "WithInputSchema" || name == "WithOutputSchema":
		if schema := r.schemaOf(r.typeArgument(call), call.Pos(), nil); schema != nil {
			tool.set(strings.ToLower(name[4:5])+name[5:], schema)
		}
	case name == "WithSchemaAdditionalProperties":
		input, _ := tool.get("inputSchema").(object)
		input.set("additionalProperties", r.eval(call.Args[0]))
		tool.set("inputSchema", input)
	case parameter && len(call.Args) > 0:
		r.parameter(tool, kind, call)
	default:
		r.note(e.Pos(), "option %s is not supported and was not adopted", phrase.Clip(types.ExprString(e), maxShown))
	}
}

func (r *reader) parameter(tool *object, kind string, call *ast.CallExpr) {
	name := r.text(call.Args[0])
	input, ok := tool.get("inputSchema").(object)
	if name == "" || !ok {
		return
	}
	schema := object{}
	if kind != "" {
		schema.set("type", kind)
	}
	if kind == "object" {
		schema.set("properties", object{})
	}
	r.properties(&schema, call.Args[1:])
	if schema.get("required") == true {
		schema = slices.DeleteFunc(schema, func(m member) bool { return m.name == "required" })
		required, _ := input.get("required").([]any)
		input.set("required", append(required, name))
	}
	properties, _ := input.get("properties").(object)
	properties.set(name, schema)
	input.set("properties", properties)
	tool.set("inputSchema", input)
}

// properties applies the options of a parameter to its schema.
func (r *reader) properties(schema *object, options []ast.Expr) {
	for _, e := range options {
		name, call := r.option(e)
		switch {
		case call == nil:
			r.note(e.Pos(), "option %s is not supported and was not adopted", phrase.Clip(types.ExprString(e), maxShown))
		case name == "Required":
			schema.set("required", true)
		case name == "Enum":
			values := []any{}
			for _, arg := range call.Args {
				values = append(values, r.eval(arg))
			}
			if call.Ellipsis.IsValid() {
				values, _ = r.eval(call.Args[0]).([]any)
			}
			schema.set("enum", values)
		case name == "WithStringEnumItems":
			schema.set("items", object{{"type", "string"}, {"enum", r.eval(call.Args[0])}})
		case strings.HasPrefix(name, "With") && strings.HasSuffix(name, "Items"):
			items := object{{"type", strings.ToLower(strings.TrimSuffix(name[4:], "Items"))}}
			r.properties(&items, call.Args)
			schema.set("items", items)
		case len(call.Args) == 1:
			if value := r.eval(call.Args[0]); value != (unknown{}) {
				schema.set(keyword(name), value)
			}
		}
	}
}

// keyword returns the JSON Schema keyword of an option.
func keyword(option string) string {
	switch {
	case option == "Max" || option == "Min":
		return strings.ToLower(option) + "imum"
	case strings.HasPrefix(option, "Default"):
		return "default"
	}
	return strings.ToLower(option[:1]) + option[1:]
}

// options returns the instructions that the options of a server set.
func (r *reader) options(options []ast.Expr) (instructions string) {
	for _, e := range options {
		name, call := r.option(e)
		switch {
		case name == "WithInstructions" && len(call.Args) == 1:
			instructions = r.text(call.Args[0])
		case strings.HasSuffix(name, "Middleware") || name == "WithHooks" || name == "WithToolFilter":
			r.note(e.Pos(), "%s was not adopted, so it does not protect the new tools; write an interceptor for Server.Intercept", name)
		}
	}
	return instructions
}
