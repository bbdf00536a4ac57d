package jpvet

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

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

// networkOf returns the name of the function by which a call contacts another machine, "" if none is known. A
// function whose argument is an address of this machine does not count.
func networkOf(call ssa.CallInstruction, f *types.Func, called bool) string {
	if !networks[f.FullName()] {
		return ""
	}
	for _, arg := range call.Common().Args {
		if text, ok := stringOf(arg); ok && called && local(text) {
			return ""
		}
	}
	return short(f)
}

// local reports whether an address of a connection is on this machine.
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
