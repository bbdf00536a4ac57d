package jpvet

import (
	"go/constant"
	"go/types"
	"os"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// effects are functions of the standard library and the runtime that change something
// outside of the process, by their full names. Those that work on temporary files, that
// only read, or that come to the same when they are repeated at once (modes, times,
// MkdirAll) are none.
var effects = func() map[string]bool {
	all := map[string]bool{}
	for prefix, names := range map[string]string{
		"os.":                       "CopyFS Create Link Mkdir Remove RemoveAll Rename StartProcess Symlink Truncate WriteFile",
		"(*os.Root).":               "Create Link Mkdir Remove RemoveAll Rename Symlink WriteFile",
		"(*os.Process).":            "Kill Signal",
		"io/ioutil.":                "WriteFile",
		"(*os/exec.Cmd).":           "CombinedOutput Output Run Start",
		"net/http.":                 "Post PostForm",
		"(*net/http.Client).":       "Post PostForm",
		"net/smtp.":                 "SendMail",
		"(*database/sql.Tx).":       "Commit",
		"(*" + accessPath + ".FS).": "Create Mkdir Remove Rename WriteFile",
	} {
		for _, name := range strings.Fields(names) {
			all[prefix+name] = true
		}
	}
	return all
}()

// statements are the functions that run an SQL statement, and which argument it is; -1
// stands for one that was prepared.
var statements = map[string]int{
	"(*database/sql.DB).Exec": 1, "(*database/sql.DB).ExecContext": 2,
	"(*database/sql.Conn).ExecContext": 2,
	"(*database/sql.Stmt).Exec":        -1, "(*database/sql.Stmt).ExecContext": -1,
}

// opens are the functions that open a file, and which argument is its flags.
var opens = map[string]int{
	"os.OpenFile": 1, "(*os.Root).OpenFile": 2, "(*" + accessPath + ".FS).OpenFile": 2,
}

// effectOf returns the name of what a call of a function changes, "" for nothing known.
func effectOf(call ssa.CallInstruction, f *types.Func) string {
	if f == nil {
		return ""
	}
	full, args := f.FullName(), call.Common().Args
	if effects[full] {
		return short(f)
	}
	if i, ok := opens[full]; ok && i < len(args) {
		if flags, ok := intOf(args[i]); ok && flags&int64(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0 {
			return short(f)
		}
	}
	if i, ok := statements[full]; ok {
		if i < 0 || i >= len(args) || writes(args[i]) {
			return short(f)
		}
	}
	if full == "(*net/http.Client).Do" && len(args) == 2 {
		if method, ok := methodOf(args[1]); ok && !safe(method) {
			return short(f) + " of a " + method
		}
	}
	return ""
}

// short returns the name of a function as its caller writes it.
func short(f *types.Func) string {
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(p *types.Package) string { return p.Name() })
		return strings.TrimPrefix(t, "*") + "." + name
	}
	return f.Pkg().Name() + "." + name
}

func intOf(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

func stringOf(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// writes reports whether an SQL statement may change what is stored.
func writes(v ssa.Value) bool {
	text, ok := stringOf(v)
	if !ok {
		return true
	}
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	switch strings.ToUpper(word) {
	case "SELECT", "PRAGMA", "EXPLAIN", "ATTACH", "DETACH", "BEGIN", "ROLLBACK", "SET", "SHOW":
		return false
	}
	return true
}

// safe reports whether a method of HTTP only reads (RFC 9110, safe methods).
func safe(method string) bool {
	switch method {
	case "", "GET", "HEAD", "OPTIONS", "TRACE":
		return true
	}
	return false
}

// methodOf returns the method of a request that is made where it is used.
func methodOf(v ssa.Value) (string, bool) {
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return "", false
	}
	f, ok := call.Call.StaticCallee().Object().(*types.Func)
	if !ok {
		return "", false
	}
	switch f.FullName() {
	case "net/http.NewRequest":
		return stringOf(call.Call.Args[0])
	case "net/http.NewRequestWithContext":
		return stringOf(call.Call.Args[1])
	case "(*net/http.Request).WithContext":
		return methodOf(call.Call.Args[0])
	}
	return "", false
}
