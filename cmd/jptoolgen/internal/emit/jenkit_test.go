package emit

import (
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
)

func TestRender(t *testing.T) {
	f := jen.NewFilePathName("example.com/m", "m")
	f.ImportName("example.com/b", "b")
	f.Add(gofile.Comment("First line.", "", "Second  line."))
	f.Var().Id("x").Op("=").Index().Any().Add(lines(
		jen.Qual("example.com/b", "Z"), jen.Qual("context", "A"), jen.Qual("bytes", "B"),
		text("plain"), text(`quoted "as is"`), text("back`quote\""), number("1"), number("-2147483649"), number("18446744073709551615"), number("1e3"),
	))
	f.Var().Id("_").Struct(jen.Id("A").String().Add(tag(`json:"a"`)), jen.Id("B").String().Add(tag("`")))
	f.Add(jen.Func().Id("f").Params().Block(jen.Id("g").Add(hangingArgs(",\n)", jen.Lit(1), jen.Lit(2)))))
	got, err := gofile.Text(f)
	if err != nil {
		t.Fatal(err)
	}
	const want = `package m

import (
	"bytes"
	"context"

	"example.com/b"
)

// First line.
//
// Second  line.
var x = []any{
	b.Z,
	context.A,
	bytes.B,
	"plain",
	` + "`quoted \"as is\"`" + `,
	"back` + "`" + `quote\"",
	1,
	int64(-2147483649),
	uint64(18446744073709551615),
	1e3,
}
var _ struct {
	A string ` + "`json:\"a\"`" + `
	B string "` + "`" + `"
}

func f() {
	g(1,
		2,
	)
}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
