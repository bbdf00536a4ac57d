package model

import (
	"go/parser"
	"go/token"
	"testing"
)

func TestConstraint(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.go", "package a\n\n//go:build late\n", ""},
		{"a.go", "// Text.\n\npackage a\n", ""},
		{"a.go", "//go:build linux && x\n\npackage a\n", "//go:build linux && x"},
		{"a.go", "// Text.\n\n//go:build !x\n\npackage a\n", "//go:build !x"},
		{"linux.go", "package a\n", ""},
		{"a_b.go", "package a\n", ""},
		{"a_linux.go", "package a\n", "//go:build linux"},
		{"dir_windows/a.go", "package a\n", ""},
		{"a_amd64.go", "package a\n", "//go:build amd64"},
		{"a_windows_arm64.go", "package a\n", "//go:build windows && arm64"},
		{"a_linux_windows.go", "package a\n", "//go:build windows"},
		{"a_b_windows.go", "//go:build x || y\n\npackage a\n", "//go:build windows && (x || y)"},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", tt.text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := constraintOf(f, tt.name); got != tt.want {
			t.Errorf("%s: %q: got %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

func TestTogether(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"", "//go:build windows", true},
		{"//go:build linux", "//go:build windows", false},
		{"//go:build linux", "//go:build linux && special", true},
		{"//go:build linux && !special", "//go:build special", false},
		{"//go:build linux && amd64", "//go:build arm64", false},
		{"//go:build linux || windows", "//go:build windows && arm64", true},
		{"//go:build !windows", "//go:build windows", false},
	} {
		if got := together(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: got %v", tt.a, tt.b, got)
		}
	}
}
