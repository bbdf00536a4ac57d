// Package declared computes digests of the declarations that generated code depends on. It only parses syntax,
// so a test can check quickly, without the Go compiler, whether the generated code is older than its source.
package declared

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"slices"
	"strings"
)

// The files that jptoolgen generates next to the source.
const (
	Code     = "jp_gen.go"
	Contract = "jp.lock.json"
)

// A Kind is a kind of declaration.
type Kind string

// Kinds of declarations.
const (
	Server   Kind = "server"   // the type with the //jp:server line
	Method   Kind = "method"   // a tool, or a method that encoding/json calls on a type
	Type     Kind = "type"     // a parameter or result type of a tool
	Constant Kind = "constant" // a value of a parameter or result type, or an error code
)

// A Declaration describes a Go declaration that generated code depends on. A name that several files declare for
// different platforms has a Declaration for each file.
type Declaration struct {
	Kind Kind
	// Package is the import path, or "" for the package of the server.
	Package string
	// Name is the name of the declaration. The name of a method starts with the name of its type.
	Name string
	// Digest changes if and only if the declaration changes in a way that affects the contract or the generated
	// code.
	Digest string
	Pos    token.Position
}

// String returns the kind and the name, such as "method Notes.Create".
func (d Declaration) String() string {
	if d.Package != "" {
		return string(d.Kind) + " " + d.Package + "." + d.Name
	}
	return string(d.Kind) + " " + d.Name
}

// Read returns the declarations on which the generated code of the server in a directory depends:
// the server, its tools, their error codes, the types of the module in their parameters and
// results, and the constants of these types. It includes files that are not built for this
// platform. It returns nil if the directory has no server.
func Read(dir string) ([]Declaration, error) {
	home, err := open(dir)
	if err != nil || home == nil {
		return nil, err
	}
	return home.declarations(), nil
}

// sum returns the digest of text. The digest does not depend on the line endings of the system.
func sum(text string) string {
	digest := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(digest[:8])
}

// digests returns the names of declarations in order, and the digests of each name.
func digests(all []Declaration) (names []string, byName map[string]string) {
	lists := map[string][]string{}
	for _, d := range all {
		if lists[d.String()] == nil {
			names = append(names, d.String())
		}
		lists[d.String()] = append(lists[d.String()], d.Digest)
	}
	byName = map[string]string{}
	for name, list := range lists { // a name has several declarations if files for different platforms declare it
		slices.Sort(list)
		byName[name] = strings.Join(slices.Compact(list), "-")
	}
	return names, byName
}
