package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// What this file knows of package jen, so that no other has to: a comment of
// several lines is a block unless each is given by itself, a struct tag made from
// a map is sorted, a string literal is never raw, and an import whose name is not
// told gets an alias.

// comment returns lines of comment, each as it is.
func comment(lines ...string) *jen.Statement {
	s := jen.Null()
	for i, line := range lines {
		if i > 0 {
			s.Line()
		}
		s.Comment(strings.TrimSpace("// " + line))
	}
	return s
}

// tag returns a struct tag as the author wrote it.
func tag(text string) *jen.Statement {
	if strings.ContainsRune(text, '`') {
		return jen.Op(strconv.Quote(text))
	}
	return jen.Op("`" + text + "`")
}

// text returns a string literal, raw where that is easier to read.
func text(s string) *jen.Statement {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return jen.Op("`" + s + "`")
	}
	return jen.Lit(s)
}

// exactly returns code as it is.
func exactly(code string) *jen.Statement { return jen.Op(code) }

// lines returns a composite literal with a line for each value, in their order.
func lines(values ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, values...)
}

// hanging returns the arguments of a call, the first beside it and the others on
// lines of their own. What ends the last is ")", or ",\n)" for a long list.
func hanging(end string, first jen.Code, rest ...jen.Code) *jen.Statement {
	s := jen.Op("(").Add(first)
	for _, arg := range rest {
		s.Op(",").Line().Add(arg)
	}
	return s.Op(end)
}
