// Package declared digests the declarations that generated code depends on. It reads
// syntax alone, so that a test can tell quickly, and without the compiler, whether the
// code is older than its source.
package declared

import (
	"crypto/sha256"
	"encoding/hex"
	"go/token"
	"slices"
	"strings"
)

// The files that jptoolgen writes beside the source.
const (
	Code     = "jp_gen.go"
	Contract = "jp.lock.json"
)

// A Kind is a kind of declaration.
type Kind string

// The kinds.
const (
	Server   Kind = "server"   // the type with the //jp:server line
	Method   Kind = "method"   // a tool, or a method by which encoding/json treats a type
	Type     Kind = "type"     // a type that a tool takes or returns
	Constant Kind = "constant" // a value of such a type, or an error code
)

// A Declaration is one that generated code depends on. A name that several files
// declare, each for its platform, has one for each.
type Declaration struct {
	Kind Kind
	// Package is the import path, "" for the package that was read.
	Package string
	// Name is that of the declaration, of a method with the name of its type before it.
	Name string
	// Digest changes with everything that the contract or generated code takes from the
	// declaration, and with nothing else.
	Digest string
	Pos    token.Position
	// Constraint is the //go:build line of its file, with what the name of the file
	// adds to it.
	Constraint string
}

// String returns the kind and the name, such as "method Notes.Create".
func (d Declaration) String() string {
	if d.Package != "" {
		return string(d.Kind) + " " + d.Package + "." + d.Name
	}
	return string(d.Kind) + " " + d.Name
}

// Read returns the declarations that the generated code of the server in a directory
// depends on, sorted: the server, its tools, the types of their parameters and results
// with all types of the module that these contain, the constants of those types, and
// error codes. Files that are not built for this platform are read too. It returns nil
// for a directory without a server.
func Read(dir string) ([]Declaration, error) {
	home, err := open(dir)
	if err != nil || home == nil {
		return nil, err
	}
	return home.declarations(), nil
}

// sum returns the digest of a text, which has the same value on systems with other line
// ends.
func sum(text string) string {
	digest := sha256.Sum256([]byte(strings.ReplaceAll(text, "\r\n", "\n")))
	return hex.EncodeToString(digest[:8])
}

// digests returns one digest for each name.
func digests(all []Declaration) map[string]string {
	byName := map[string][]string{}
	for _, d := range all {
		byName[d.String()] = append(byName[d.String()], d.Digest)
	}
	one := make(map[string]string, len(byName))
	for name, list := range byName {
		slices.Sort(list)
		if list = slices.Compact(list); len(list) == 1 {
			one[name] = list[0]
		} else {
			one[name] = sum(strings.Join(list, " "))
		}
	}
	return one
}
