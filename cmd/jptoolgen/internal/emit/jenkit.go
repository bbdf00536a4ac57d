package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// This file works around limits of package jen, which sorts struct tags from a map, never prints raw strings, and
// adds an alias to imports whose name is unknown.

// tag returns a struct tag as the author wrote it.
func tag(text string) *jen.Statement {
	if strings.ContainsRune(text, '`') {
		return jen.Op(strconv.Quote(text))
	}
	return jen.Op("`" + text + "`")
}

// text returns a string literal. It is a raw string if that is more readable.
func text(s string) *jen.Statement {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// verbatim returns code as a statement without changing it.
func verbatim(code string) *jen.Statement { return jen.Op(code) }

// lines returns a composite literal with one value per line.
func lines(values ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, values...)
}

// hangingArgs returns arguments with the first argument on the current line and each other argument on
// its own line. end is ")", or ",\n)" for a long list.
func hangingArgs(end string, first jen.Code, rest ...jen.Code) *jen.Statement {
	s := jen.Op("(").Add(first)
	for _, arg := range rest {
		s.Op(",").Line().Add(arg)
	}
	return s.Op(end)
}
