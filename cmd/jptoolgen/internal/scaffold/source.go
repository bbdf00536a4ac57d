package scaffold

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/gofile"
)

const (
	sdkPath    = runtime + "/sdk"
	faultPath  = runtime + "/sdk/fault"
	elicitPath = runtime + "/sdk/elicit"
	toolPath   = runtime + "/sdk/tool"
	jptestPath = runtime + "/sdk/jptest"

	replaceDoc       = "Whether to replace a file that exists."
	alwaysReplaceDoc = "Replace files without asking."
)

// mainSource is the server and its program.
func mainSource(server, name string) ([]byte, error) {
	f := newFile("main")
	f.PackageComment("The program " + name + " serves tools to language models.")
	f.Comment("//go:generate go tool jptoolgen")
	f.Line()
	doc(f, server+" keeps texts in files.", "", "//jp:server name="+name)
	f.Type().Id(server).Struct()
	f.Line()
	f.Func().Id("main").Params().Block(
		jen.Qual(sdkPath, "Main").Call(jen.Id("NewServer").Call(jen.Op("&").Id(server).Values())),
	)
	return gofile.Text(f)
}

// saveSource is a tool with a question and an option.
func saveSource(server string) ([]byte, error) {
	f := newFile("main")
	doc(f, "SaveInput is what the model sends.")
	f.Type().Id("SaveInput").Struct(
		field("Path of the file, relative to the directory of the call.", jen.Id("Path").String(), `json:"path" jsonschema:"minLength=1,maxLength=200"`),
		field("Text that the file is to hold.", jen.Id("Text").String(), `json:"text" jsonschema:"maxLength=100000"`),
	)
	f.Line()
	doc(f, "SaveQuestions is everything Save may ask.")
	f.Type().Id("SaveQuestions").Struct(
		field(replaceDoc, jen.Id("Replace").Qual(elicitPath, "Confirm"), `default:"false"`),
	)
	f.Line()
	doc(f, "SaveOptions is what the user may configure.", "", "//jp:options")
	f.Type().Id("SaveOptions").Struct(
		field(alwaysReplaceDoc, jen.Id("AlwaysReplace").Bool(), `json:"always_replace,omitempty"`),
	)
	f.Line()
	doc(f, "Save writes a text to a file, and asks before it replaces one.", "",
		`//jp:tool name=save title="Save a text" destructive=true idempotent=true openworld=false`, "//jp:fails conflict permission_denied")
	f.Func().Params(jen.Id("*"+server)).Id("Save").Params(
		jen.Id("ctx").Qual("context", "Context"),
		jen.Id("in").Id("SaveInput"),
		jen.Id("ask").Id("SaveQuestions"),
		jen.Id("opt").Id("SaveOptions"),
		jen.Id("call").Op("*").Qual(toolPath, "Call"),
	).Params(jen.String(), jen.Error()).Block(
		jen.List(jen.Id("files"), jen.Err()).Op(":=").Id("call").Dot("Files").Call().Comment("confined to the directory of the call, and to what the user grants"),
		failed(),
		jen.If(
			jen.List(jen.Id("_"), jen.Err()).Op(":=").Id("files").Dot("Stat").Call(jen.Id("in").Dot("Path")),
			jen.Err().Op("==").Nil().Op("&&").Op("!").Id("opt").Dot("AlwaysReplace"),
		).Block(
			jen.List(jen.Id("replace"), jen.Err()).Op(":=").Id("ask").Dot("Replace").Dot("For").Call(jen.Id("in").Dot("Path")).Dot("Ask").Call(
				jen.Id("ctx"), jen.Lit("%s exists. Replace it?"), jen.Id("in").Dot("Path")),
			jen.If(jen.Err().Op("!=").Nil()).Block(
				jen.Return(jen.Lit(""), jen.Err()).Comment("declined, or not answered yet: hand it on"),
			),
			jen.If(jen.Op("!").Id("replace")).Block(
				jen.Return(jen.Lit(""), jen.Qual(faultPath, "New").Call(
					jen.Qual(faultPath, "Conflict"), jen.Lit("%s exists and was not replaced"), jen.Id("in").Dot("Path"))),
			),
		),
		jen.If(
			jen.Err().Op(":=").Id("files").Dot("WriteFile").Call(
				jen.Id("in").Dot("Path"), jen.Index().Byte().Parens(jen.Id("in").Dot("Text")), jen.Op("0o644")),
			jen.Err().Op("!=").Nil(),
		).Block(jen.Return(jen.Lit(""), jen.Err())),
		jen.Return(jen.Lit("Saved ").Op("+").Id("in").Dot("Path").Op("+").Lit("."), jen.Nil()),
	)
	return gofile.Text(f)
}

// saveTest tests the tool as a host that asks back would use it.
func saveTest(server string) ([]byte, error) {
	f := newFile("main")
	f.Func().Id("TestSaveAsksBeforeItReplaces").Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(
		jen.Id("root").Op(":=").Id("t").Dot("TempDir").Call(),
		jen.Id("kit").Op(":=").Qual(jptestPath, "NewWith").Call(
			jen.Id("t"), jen.Id("NewServer").Call(jen.Op("&").Id(server).Values()),
			jen.Qual(jptestPath, "Options").Values(jen.Dict{jen.Id("Root"): jen.Id("root")}),
		),
		saveCall("one").Dot("OK").Call(jen.Id("t")),
		saveCall("two", answer(false)).Dot("Failed").Call(jen.Id("t"), jen.Qual(faultPath, "Conflict")),
		wantText("one"),
		saveCall("two", answer(true)).Dot("OK").Call(jen.Id("t")),
		wantText("two"),
	)
	f.Line()
	f.Func().Id("wantFile").Params(
		jen.Id("t").Op("*").Qual("testing", "T"), jen.List(jen.Id("path"), jen.Id("want")).String(),
	).Block(
		jen.Id("t").Dot("Helper").Call(),
		jen.List(jen.Id("got"), jen.Err()).Op(":=").Qual("os", "ReadFile").Call(jen.Id("path")),
		jen.If(jen.Err().Op("!=").Nil().Op("||").String().Parens(jen.Id("got")).Op("!=").Id("want")).Block(
			jen.Id("t").Dot("Errorf").Call(jen.Lit("%s holds %q, %v; want %q"), jen.Id("path"), jen.Id("got"), jen.Err(), jen.Id("want")),
		),
	)
	return gofile.Text(f)
}

func saveCall(text string, replies ...jen.Code) *jen.Statement {
	args := append([]jen.Code{jen.Lit("save"), jen.Map(jen.String()).Any().Values(
		jen.Lit("path").Op(":").Lit("a.txt"), jen.Lit("text").Op(":").Lit(text))}, replies...)
	return jen.Id("kit").Dot("Call").Call(args...)
}

func answer(yes bool) jen.Code {
	return jen.Qual(jptestPath, "Answer").Call(jen.Lit("replace"), jen.Lit(yes))
}

func wantText(text string) jen.Code {
	return jen.Id("wantFile").Call(jen.Id("t"), jen.Qual("path/filepath", "Join").Call(jen.Id("root"), jen.Lit("a.txt")), jen.Lit(text))
}

func newFile(pkg string) *jen.File {
	f := jen.NewFile(pkg)
	for _, path := range []string{sdkPath, faultPath, elicitPath, toolPath, jptestPath} {
		f.ImportName(path, path[strings.LastIndexByte(path, '/')+1:])
	}
	return f
}

// doc writes a doc comment, a line each.
func doc(f *jen.File, lines ...string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "//") {
			f.Comment(line)
		} else {
			f.Comment(strings.TrimSpace("// " + line))
		}
	}
}

// field is a field of a struct, its comment and its tag.
func field(comment string, name *jen.Statement, tag string) jen.Code {
	return jen.Comment("// " + comment).Line().Add(name).Op("`" + tag + "`")
}

// failed hands an error on.
func failed() jen.Code {
	return jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Lit(""), jen.Err()))
}
