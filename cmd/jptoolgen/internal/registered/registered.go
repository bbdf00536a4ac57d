// Package registered reads the tools that a Go package registers with go-sdk or mcp-go.
//
// It reads the source and does not run it: constants, composite literals, the options of mcp-go, and the types
// of arguments and results, from which both SDKs infer schemas. It reports the position of each value that
// depends on the state of the program.
package registered

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
	"github.com/jptool/jptool/internal/peer"
)

// The import paths of the SDKs' packages.
const (
	GoSDK    = "github.com/modelcontextprotocol/go-sdk/mcp"
	MCPGo    = "github.com/mark3labs/mcp-go/mcp"
	mcpGoRun = "github.com/mark3labs/mcp-go/server"
)

// A Server describes the server and the tools that a package registers.
type Server struct {
	Package *model.Package
	// Place returns a position as file:line:column.
	Place              func(token.Pos) string
	Name, Instructions string
	// Pos is the position of the call that creates the server, or [token.NoPos].
	Pos   token.Pos
	Tools []peer.Tool
	// Handlers are the handlers of the tools, keyed by tool name.
	Handlers map[string]Handler
	// Notes describe what could not be read, and where.
	Notes []string
}

// A Handler is the function that a package registers for a tool.
type Handler struct {
	Pos token.Pos
	// SDK is the package whose types the function uses: [GoSDK] or [MCPGo].
	SDK string
	// Typed is set if the function is for mcp.AddTool, which passes the parsed arguments as a parameter.
	Typed bool
	// Plain is set if the function returns a value and never the content of the result.
	Plain bool
	// Session is the position where the function uses the session of its request, or [token.NoPos].
	Session token.Pos
	// Wrap is the mcp-go function that creates the handler from the function, or nil.
	Wrap *types.Func
	// Func is the function or method, or nil if the handler is a function literal.
	Func *types.Func
	// Recv is the receiver type if Func is a method, or nil if it is a function.
	Recv types.Type
	// Literal is a function literal that uses no local variables.
	Literal *ast.FuncLit
	// Reason says why other code in the package cannot call the handler, or is "" if it can.
	Reason string
}

// Read returns the server of a package. It returns an error if the package registers no tools.
func Read(p *model.Package, place func(token.Pos) string) (*Server, error) {
	r := &reader{pkg: p, info: p.Info, place: place, server: &Server{Package: p, Place: place, Handlers: map[string]Handler{}},
		values: map[types.Object][]ast.Expr{}, changed: map[types.Object]token.Pos{}, funcs: map[types.Object]*ast.FuncDecl{}}
	for _, f := range p.Files {
		for n := range ast.Preorder(f) {
			r.collect(n)
		}
	}
	for call := range inspector.All[*ast.CallExpr](inspector.New(p.Files)) {
		r.call(call)
	}
	if len(r.server.Tools) == 0 {
		return nil, fmt.Errorf("package %s does not call mcp.AddTool of go-sdk, or AddTool of an mcp-go server", p.Types.Path())
	}
	return r.server, nil
}

type reader struct {
	pkg    *model.Package
	info   *types.Info
	place  func(token.Pos) string
	server *Server
	// values holds the values that the package assigns to variables. changed holds the positions where it
	// modifies parts of a value.
	values  map[types.Object][]ast.Expr
	changed map[types.Object]token.Pos
	funcs   map[types.Object]*ast.FuncDecl
	seen    []types.Type // the types whose schema is being inferred
}

// note adds a note about a position.
func (r *reader) note(pos token.Pos, format string, args ...any) {
	r.server.Notes = append(r.server.Notes, r.place(pos)+": "+fmt.Sprintf(format, args...))
}

// collect records functions and the values of variables.
func (r *reader) collect(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		r.funcs[r.info.Defs[n.Name]] = n
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) > 0 {
				r.assign(name, i, n.Values)
			}
		}
	case *ast.AssignStmt:
		for i, left := range n.Lhs {
			r.assign(left, i, n.Rhs)
		}
	case *ast.CallExpr:
		r.recordPassed(n)
	}
}

// recordPassed records the variables that a call can modify.
func (r *reader) recordPassed(call *ast.CallExpr) {
	if _, path := r.callee(call); slices.Contains([]string{GoSDK, MCPGo, mcpGoRun}, path) {
		return
	}
	for _, arg := range call.Args {
		switch t := r.info.TypeOf(arg); t.Underlying().(type) {
		case *types.Pointer, *types.Map, *types.Slice:
			if address, ok := arg.(*ast.UnaryExpr); ok {
				arg = address.X
			}
			r.change(arg)
		}
	}
}

// change records that a part of a variable is modified.
func (r *reader) change(e ast.Expr) {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		r.change(e.X)
	case *ast.IndexExpr:
		r.change(e.X)
	case *ast.StarExpr:
		r.change(e.X)
	case *ast.Ident:
		if object := r.info.ObjectOf(e); !r.changed[object].IsValid() {
			r.changed[object] = e.Pos()
		}
	}
}

func (r *reader) assign(left ast.Expr, i int, values []ast.Expr) {
	name, ok := left.(*ast.Ident)
	if !ok {
		r.change(left)
		return
	}
	var value ast.Expr // the assigned value; a call with several results is the value of the first name
	if i < len(values) {
		value = values[i]
	}
	object := r.info.ObjectOf(name)
	r.values[object] = append(r.values[object], value)
}

// call reads a call that creates a server or registers tools.
func (r *reader) call(call *ast.CallExpr) {
	f, path := r.callee(call)
	if f == nil {
		return
	}
	method := f.Signature().Recv() != nil
	switch {
	case path == GoSDK && f.Name() == "NewServer" && len(call.Args) == 2:
		r.serverOf(call, r.member(call.Args[0], "Name"), r.member(call.Args[1], "Instructions"))
	case path == mcpGoRun && f.Name() == "NewMCPServer" && len(call.Args) >= 2:
		r.serverOf(call, r.text(call.Args[0]), r.options(call.Args[2:]))
	case path == GoSDK && f.Name() == "AddTool" && len(call.Args) == 3:
		var in, out types.Type // the types of the tool's arguments and result
		h, ok := r.info.TypeOf(call.Args[2]).Underlying().(*types.Signature)
		if ok && h.Params().Len() == 3 && h.Results().Len() == 3 {
			in, out = h.Params().At(2).Type(), h.Results().At(1).Type()
		}
		r.tool(call, call.Args[1], call.Args[2], GoSDK, in, out)
	case (path == GoSDK || path == mcpGoRun) && method && f.Name() == "AddTool":
		sdk := GoSDK
		if path == mcpGoRun {
			sdk = MCPGo
		}
		args := call.Args
		if len(args) == 1 { // the argument may be a call that returns all arguments
			if inner, ok := args[0].(*ast.CallExpr); ok {
				args = r.returnedValues(inner)
			}
		}
		if len(args) == 2 {
			r.tool(call, args[0], args[1], sdk, nil, nil)
		} else {
			r.note(call.Pos(), "this tool was not adopted, because the arguments of AddTool come from a function call that jptoolgen cannot follow; write its method yourself")
		}
	case path == mcpGoRun && method && (f.Name() == "AddTools" || f.Name() == "SetTools"):
		for _, arg := range call.Args {
			r.pair(arg)
		}
	case path != GoSDK && path != mcpGoRun || !method:
	case strings.HasSuffix(f.Name(), "Middleware") || f.Name() == "Use":
		r.note(call.Pos(), "%s was not adopted, so it does not protect the new tools; write an interceptor for Server.Intercept", f.Name())
	case slices.ContainsFunc([]string{"AddResource", "AddPrompt", "AddTaskTool"}, func(prefix string) bool { return strings.HasPrefix(f.Name(), prefix) }):
		r.note(call.Pos(), "%s was not adopted; jptoolgen adopt supports only tools", f.Name())
	}
}

// serverOf records the name and the instructions of the server that a call creates.
func (r *reader) serverOf(call *ast.CallExpr, name, instructions string) {
	if r.server.Pos.IsValid() {
		r.note(call.Pos(), "this is a second server; its tools were added to the first, at %s", r.place(r.server.Pos))
		return
	}
	r.server.Pos, r.server.Name, r.server.Instructions = call.Pos(), name, instructions
}

// pair reads a composite literal of type server.ServerTool.
func (r *reader) pair(arg ast.Expr) {
	literal, ok := arg.(*ast.CompositeLit)
	if !ok {
		r.note(arg.Pos(), "this tool was not adopted, because it is not a server.ServerTool literal; write its method yourself")
		return
	}
	if parts := r.elements(literal); parts["Tool"] != nil && parts["Handler"] != nil {
		r.tool(literal, parts["Tool"], parts["Handler"], MCPGo, nil, nil)
	}
}

func (r *reader) tool(at ast.Node, definition, handler ast.Expr, sdk string, in, out types.Type) {
	before := len(r.server.Notes)
	value, _ := r.eval(definition).(object)
	name, _ := value.get("name").(string)
	if name == "" {
		r.note(at.Pos(), "this tool was not adopted, because its name is not a constant; write its method yourself")
		return
	}
	for i := range r.server.Notes[before:] {
		r.server.Notes[before+i] += " (tool " + name + ")"
	}
	if in != nil && value.get("inputSchema") == nil {
		value.set("inputSchema", r.schemaOf(in, definition.Pos(), object{{"type", "object"}}))
	}
	if out != nil && value.get("outputSchema") == nil {
		if schema := r.schemaOf(out, definition.Pos(), nil); schema != nil {
			value.set("outputSchema", schema)
		}
	}
	text, err := json.Marshal(value)
	var tool peer.Tool
	if err == nil {
		err = json.Unmarshal(text, &tool)
	}
	if err != nil {
		r.note(at.Pos(), "tool %s was not adopted: %v", name, err)
		return
	}
	r.server.Tools = append(r.server.Tools, tool)
	h := Handler{Pos: handler.Pos(), SDK: sdk, Typed: in != nil}
	r.handler(&h, handler)
	r.server.Handlers[name] = h
}

// schemaOf returns the schema that go-sdk infers from a type. For type any, it returns the value of the
// parameter any.
func (r *reader) schemaOf(t types.Type, pos token.Pos, any any) any {
	if t == nil {
		return any
	}
	t = sdktypes.Deref(t)
	if i, ok := t.Underlying().(*types.Interface); ok && i.Empty() {
		return any
	}
	schema, err := r.infer(t)
	if err != nil {
		r.note(pos, "cannot infer a schema from type %s: %v", t, err)
	}
	return schema
}
