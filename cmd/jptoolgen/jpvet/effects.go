package jpvet

import (
	"go/constant"
	"go/types"
	"os"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/sdktypes"
)

// effects are functions of the standard library and the runtime that change something outside of the process, by
// their full names. Functions that work on temporary files, that only read, or that have the same result when
// they are repeated immediately (modes, times, MkdirAll) are left out.
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
			for _, name := range strings.Fields(list) {
				all[prefix+name] = true
			}
		}
		return all
	})
}

// conditional holds functions that have an effect only with certain arguments. It maps each function to the
// condition, and to the index of the argument that it applies to, or -1 if it applies to no argument.
var conditional = map[string]struct {
	arg  int
	acts func(arg ssa.Value) bool
}{
	"(*database/sql.DB).Exec": {1, writes}, "(*database/sql.DB).ExecContext": {2, writes},
	"(*database/sql.Conn).ExecContext": {2, writes},
	"(*database/sql.Stmt).Exec":        {-1, writes}, "(*database/sql.Stmt).ExecContext": {-1, writes},
	"(*database/sql.DB).Query": {1, changes}, "(*database/sql.DB).QueryContext": {2, changes},
	"(*database/sql.DB).QueryRow": {1, changes}, "(*database/sql.DB).QueryRowContext": {2, changes},
	"(*database/sql.Conn).QueryContext": {2, changes}, "(*database/sql.Conn).QueryRowContext": {2, changes},
	"os.OpenFile": {1, creates}, "(*os.Root).OpenFile": {2, creates}, "(*" + sdktypes.Access + ".FS).OpenFile": {2, creates},
	"syscall.Open": {1, creates}, "golang.org/x/sys/unix.Open": {1, creates}, "golang.org/x/sys/unix.Openat": {2, creates},
}

// effectOf returns the name of the effect of running f, or "" if none is known. If called is set, call calls f,
// so the arguments of the call are the arguments of f.
func effectOf(call ssa.CallInstruction, f *types.Func, called bool) string {
	args := call.Common().Args
	if effects()[f.FullName()] {
		return short(f)
	}
	one, known := conditional[f.FullName()]
	if !called || !known {
		return ""
	}
	var arg ssa.Value
	if 0 <= one.arg && one.arg < len(args) {
		arg = args[one.arg]
	}
	if one.acts(arg) {
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

// creates reports whether flags for opening a file go beyond reading.
func creates(flags ssa.Value) bool {
	c, ok := flags.(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.Int && c.Int64()&int64(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0
}

// writes reports whether an SQL statement may change stored data. CREATE … IF NOT EXISTS does not count.
func writes(v ssa.Value) bool {
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
	switch keyword(text) {
	case "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE":
		return true
	}
	return false
}

// keyword returns the first word of an SQL statement in upper case.
func keyword(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	return strings.ToUpper(words[0])
}

// networks are functions of the standard library that contact other machines.
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
	for _, host := range []string{"localhost", "127.", "[::1]"} {
		if strings.HasPrefix(rest, host) {
			return true
		}
	}
	return address == "unix"
}
