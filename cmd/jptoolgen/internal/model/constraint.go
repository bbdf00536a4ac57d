package model

import (
	"go/ast"
	gobuild "go/build"
	"go/build/constraint"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// constraintOf returns the //go:build line of a file, combined with the platform in its name, or "" if there is
// neither. Code generated from the file has the same constraint.
func constraintOf(file *ast.File, name string) string {
	line := ""
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				line = c.Text
			}
		}
	}
	platform := platformOf(filepath.Base(name))
	expr, err := constraint.Parse(line)
	switch {
	case platform == "":
		return line
	case err != nil:
		return "//go:build " + platform
	}
	own, err := constraint.Parse("//go:build " + platform)
	if err != nil {
		return line
	}
	return "//go:build " + (&constraint.AndExpr{X: own, Y: expr}).String()
}

// platformOf returns the platform in a file name as an expression: linux for a_linux.go, and linux && amd64 for
// a_linux_amd64.go. Package go/build knows the platforms, but only reports which files it excludes.
func platformOf(name string) string {
	parts := strings.Split(strings.TrimSuffix(name, ".go"), "_")
	n := len(parts)
	if n < 2 || builds("none", "none", "a_"+parts[n-1]+".go") {
		return ""
	}
	if n > 2 && !builds("none", parts[n-1], "a_"+parts[n-2]+"_"+parts[n-1]+".go") && builds(parts[n-2], parts[n-1], "a_"+parts[n-2]+"_"+parts[n-1]+".go") {
		return parts[n-2] + " && " + parts[n-1]
	}
	return parts[n-1]
}

// builds reports whether a file with this name is built for a platform.
func builds(system, architecture, name string) bool {
	c := gobuild.Context{
		GOOS: system, GOARCH: architecture, Compiler: "gc",
		OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package a\n")), nil },
	}
	match, err := c.MatchFile("", name)
	return match && err == nil
}

// manyTags is the maximum number of build tags whose combinations are all tried.
const manyTags = 12

// together reports whether a build can include files with both constraints, each a //go:build line or "". It
// returns true if that cannot be determined.
func together(a, b string) bool {
	x, err := constraint.Parse(a)
	if err != nil {
		return true
	}
	y, err := constraint.Parse(b)
	if err != nil {
		return true
	}
	var tags []string
	collect := func(tag string) bool {
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
		return false
	}
	x.Eval(collect)
	y.Eval(collect)
	if len(tags) > manyTags {
		return true
	}
	for set := range 1 << len(tags) {
		is := func(tag string) bool { return set>>slices.Index(tags, tag)&1 == 1 }
		if onePlatform(tags, is) && x.Eval(is) && y.Eval(is) {
			return true
		}
	}
	return false
}

// onePlatform reports whether the tags that are set contain at most one operating system and one architecture.
func onePlatform(tags []string, is func(string) bool) bool {
	systems, architectures := 0, 0
	for _, tag := range tags {
		switch {
		case !is(tag) || builds("none", "none", "a_"+tag+".go"):
		case builds("none", "amd64", "a_"+tag+"_amd64.go"):
			architectures++
		default:
			systems++
		}
	}
	return systems <= 1 && architectures <= 1
}
