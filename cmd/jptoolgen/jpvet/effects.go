package jpvet

import (
	"go/constant"
	"go/types"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// effects holds the full names of standard library and runtime functions that change something outside of the
// process. Functions that work on temporary files, that only read, or that have the same result when they are
// repeated immediately, such as Chmod and MkdirAll, are left out.
var effects = names(map[string]string{
	"os.":                            "CopyFS Create Link Mkdir Remove RemoveAll Rename StartProcess Symlink Truncate WriteFile",
	"(*os.Root).":                    "Create Link Mkdir Remove RemoveAll Rename Symlink WriteFile",
	"(*os.Process).":                 "Kill Signal",
	"io/ioutil.":                     "WriteFile",
	"(*os/exec.Cmd).":                "CombinedOutput Output Run Start",
	"net/http.":                      "Post PostForm",
	"(*net/http.Client).":            "Post PostForm",
	"net/smtp.":                      "SendMail",
	"(*database/sql.Tx).":            "Commit",
	"(*" + sdktypes.Access + ".FS).": "Create Mkdir Remove Rename WriteFile",
	"syscall.":                       systemCalls,
	"golang.org/x/sys/unix.":         systemCalls,
	"golang.org/x/sys/windows.":      "CreateDirectory CreateHardLink CreateProcess CreateSymbolicLink DeleteFile MoveFile MoveFileEx RemoveDirectory TerminateProcess",
})

// systemCalls are the functions of package syscall that change something.
const systemCalls = "Creat Exec ForkExec Ftruncate Kill Link Linkat Mkdir Mkdirat Mknod Mount Reboot Rename Renameat Renameat2 Rmdir " +
	"StartProcess Symlink Symlinkat Truncate Unlink Unlinkat Unmount"

// names returns a function that, when first called, joins each prefix with the function names listed for it.
func names(by map[string]string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for prefix, list := range by {
			for name := range strings.FieldsSeq(list) {
				all[prefix+name] = true
			}
		}
		return all
	})
}

// conditional holds functions that have an effect only with certain arguments. It maps each function to its
// condition, and to the index of the argument that the condition is about, or -1 if it is about none.
var conditional = map[string]struct {
	arg  int
	acts func(arg ssa.Value) bool
}{
	"(*database/sql.DB).Exec": {1, changesData}, "(*database/sql.DB).ExecContext": {2, changesData},
	"(*database/sql.Conn).ExecContext": {2, changesData},
	"(*database/sql.Stmt).Exec":        {-1, changesData}, "(*database/sql.Stmt).ExecContext": {-1, changesData},
	"(*database/sql.DB).Query": {1, changes}, "(*database/sql.DB).QueryContext": {2, changes},
	"(*database/sql.DB).QueryRow": {1, changes}, "(*database/sql.DB).QueryRowContext": {2, changes},
	"(*database/sql.Conn).QueryContext": {2, changes}, "(*database/sql.Conn).QueryRowContext": {2, changes},
	"os.OpenFile": {1, creates}, "(*os.Root).OpenFile": {2, creates}, "(*" + sdktypes.Access + ".FS).OpenFile": {2, creates},
	"syscall.Open": {1, creates}, "golang.org/x/sys/unix.Open": {1, creates}, "golang.org/x/sys/unix.Openat": {2, creates},
}

// effectOf returns the name of the effect of running f, or "" if none is known. If called is set, call calls f,
// so the arguments of the call are the arguments of f.
func effectOf(call ssa.CallInstruction, f *types.Func, called bool) string {
	acts := effects()[f.FullName()]
	if one, known := conditional[f.FullName()]; known && called {
		var arg ssa.Value
		if args := call.Common().Args; 0 <= one.arg && one.arg < len(args) {
			arg = args[one.arg]
		}
		acts = one.acts(arg)
	}
	if acts {
		return short(f)
	}
	return ""
}

// short returns the name of a function as a caller writes it.
func short(f *types.Func) string {
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := types.TypeString(recv.Type(), func(p *types.Package) string { return p.Name() })
		return strings.TrimPrefix(t, "*") + "." + name
	}
	return f.Pkg().Name() + "." + name
}

// creates reports whether the flags for opening a file allow more than reading it.
func creates(flags ssa.Value) bool {
	c, ok := flags.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64()&int64(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0
}

// changesData reports whether an SQL statement may change stored data. CREATE … IF NOT EXISTS does not count.
func changesData(v ssa.Value) bool {
	text, ok := stringOf(v)
	if !ok {
		return true
	}
	switch keyword(text) {
	case "SELECT", "PRAGMA", "EXPLAIN", "ATTACH", "DETACH", "BEGIN", "ROLLBACK", "SET", "SHOW":
		return false
	case "CREATE":
		return !strings.Contains(strings.ToUpper(text), "IF NOT EXISTS")
	}
	return true
}

// changes reports whether an SQL statement that is run as a query changes stored data, such as INSERT … RETURNING.
func changes(v ssa.Value) bool {
	text, _ := stringOf(v)
	return slices.Contains([]string{"INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE"}, keyword(text))
}

// keyword returns the first word of an SQL statement, converted to upper case.
func keyword(text string) string {
	for word := range strings.FieldsSeq(text) {
		return strings.ToUpper(word)
	}
	return ""
}

// networks are standard library functions that contact other machines.
var networks = names(map[string]string{
	"net.":                        "Dial DialIP DialTCP DialTimeout DialUDP LookupAddr LookupCNAME LookupHost LookupIP LookupMX LookupNS LookupSRV LookupTXT",
	"(*net.Dialer).":              "Dial DialContext",
	"(*net.Resolver).":            "LookupAddr LookupCNAME LookupHost LookupIP LookupIPAddr LookupMX LookupNS LookupSRV LookupTXT",
	"crypto/tls.":                 "Dial DialWithDialer",
	"(*crypto/tls.Dialer).":       "Dial DialContext",
	"net/http.":                   "Get Head Post PostForm",
	"(*net/http.Client).":         "Do Get Head Post PostForm",
	"(*net/http.Transport).":      "RoundTrip",
	"net/rpc.":                    "Dial DialHTTP",
	"net/smtp.":                   "Dial SendMail",
	"golang.org/x/net/websocket.": "Dial",
})

// networkOf returns the name of the function with which a call contacts another machine, or "" if none is known.
// A function whose argument is an address on this machine does not count.
func networkOf(call ssa.CallInstruction, f *types.Func, called bool) string {
	if !networks()[f.FullName()] {
		return ""
	}
	for _, arg := range call.Common().Args {
		if text, ok := stringOf(arg); ok && called && local(text) {
			return ""
		}
	}
	return short(f)
}

// local reports whether the address of a connection is on this machine.
func local(address string) bool {
	_, rest, isURL := strings.Cut(address, "://")
	if !isURL {
		rest = address
	}
	return address == "unix" || slices.ContainsFunc([]string{"localhost", "127.", "[::1]"}, func(host string) bool {
		return strings.HasPrefix(rest, host)
	})
}

// temporary reports whether all paths in a call are derived from temporary files and directories.
func (p *program) temporary(call ssa.CallInstruction) (found bool) {
	for _, arg := range call.Common().Args {
		if isText(arg.Type()) {
			found = p.comesFrom(arg, func(obj *types.Func) bool {
				return obj.FullName() == "os.MkdirTemp" || obj.FullName() == "os.CreateTemp"
			}, func(obj *types.Func) bool {
				return obj.FullName() == "(*os.File).Name" || obj.Pkg() != nil && plain[obj.Pkg().Path()]
			})
			if !found {
				return false
			}
		}
	}
	return found
}

// sentMethod returns the method of the request that a call sends: a constant, a parameter of the calling function, or
// nil if the method is not known.
func (p *program) sentMethod(call ssa.CallInstruction) ssa.Value {
	c := call.Common()
	fn, obj := p.callee(c)
	if obj != nil && obj.FullName() == "(*net/http.Client).Do" && len(c.Args) == 2 {
		return p.methodOf(c.Args[1])
	}
	if did := p.behaviorOf(fn, obj); 0 < did.Method && did.Method <= len(c.Args) {
		return c.Args[did.Method-1]
	}
	return nil
}

// methodOf returns the method of a request, or nil if it is unknown or one of several.
func (p *program) methodOf(request ssa.Value) ssa.Value {
	var methods []ssa.Value
	p.trace(traced{value: request, path: []int{fieldOf(request.Type(), "Method")}}, func(t *trace, e traced) bool {
		switch v := e.value.(type) {
		case *ssa.Const, *ssa.Parameter:
			if isText(v.Type()) {
				methods = append(methods, v)
			}
		case *ssa.Call:
			_, obj := p.callee(&v.Call)
			if obj == nil {
				return false
			}
			switch obj.FullName() {
			case "net/http.NewRequest":
				t.follow(e.whole(v.Call.Args[0]))
			case "net/http.NewRequestWithContext":
				t.follow(e.whole(v.Call.Args[1]))
			case "(*net/http.Request).WithContext", "(*net/http.Request).Clone":
				t.follow(e.of(v.Call.Args[0]))
			default:
				return p.isOwn(obj)
			}
		}
		return false
	})
	others := func(v ssa.Value) bool {
		one, known := stringOf(methods[0])
		other, also := stringOf(v)
		return v != methods[0] && !(known && also && one == other)
	}
	if len(methods) == 0 || slices.ContainsFunc(methods, others) {
		return nil
	}
	return methods[0]
}
