package load

import (
	"path/filepath"
	"strings"
	"testing"
)

// standInOf returns the stand-in for the root of a module example.com/m.
func standInOf(t *testing.T, files map[string]string) string {
	t.Helper()
	files["go.mod"] = "module example.com/m\n"
	root := tree(t, files)
	overlay, _, err := standIns([]string{root})
	if err != nil {
		t.Fatal(err)
	}
	return string(overlay[filepath.Join(root, Generated)])
}

func TestStandIn(t *testing.T) {
	for _, tt := range []struct{ name, file, want string }{
		{"nothing", "", ""},
		{"no //jp: lines", "package a\n\ntype O struct{}\n", ""},
		{"no server", "package a\n\n//jp:options\ntype O struct{}\n", "package a\n"},
		{"server", "package a\n\n//jp:server\ntype S struct{}\n", "func NewServer(*S) *jpImport0.Server"},
		{"generic", "package a\n\n//jp:server\ntype S[T any] struct{}\n", "package a\n"},
		{"constraint", "//go:build x\n\npackage a\n\n//jp:server\ntype S struct{}\n", "//go:build x\n\npackage a"},
		{"broken", "package a\n\n//jp:server\ntype S struct{\n", "func NewServer(*S) *jpImport0.Server"},
	} {
		got := standInOf(t, map[string]string{"a.go": tt.file})
		if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q", tt.name, got)
		}
	}
}

const asking = `package m

import (
	"context"
	. "fmt"

	q "example.com/m/questions"
	"example.com/other/go-units/v2"
	"github.com/jptool/jptool/sdk/elicit"
	"github.com/jptool/jptool/sdk/tool"
)

//jp:server
type S struct{}

//jp:tool
func (s *S) Do(ctx context.Context, c *tool.Call, o Opt, in struct{ A units.Mass }, ask Ask) ([]units.Mass, error) { return nil, nil }

//jp:tool
func (s *S) Far(ctx context.Context, ask q.Ask) error { return nil }

//jp:tool
func (s *S) mute(ctx context.Context, in Opt) error { return nil }

//jp:tool
func (s *S) low(ctx context.Context, ask Alias) (out q.Kind, err error) { return "", nil }

//jp:tool
func (s *S) Lost(ctx context.Context, in lost.In, ask Ask) error { return nil }

func (s *S) NoTool(ctx context.Context, ask Ask) error { return nil }

//jp:tool
func (x *T) Other(ctx context.Context, ask Ask) error { return nil }

var _ = Println
`

func TestStandInOfTheExhaustiveSide(t *testing.T) {
	got := standInOf(t, map[string]string{
		"m.go": asking,
		"ask.go": "package m\n\nimport e \"github.com/jptool/jptool/sdk/elicit\"\n\n// Ask has no directive.\ntype Ask struct {\n" +
			"\tSure, Really e.Confirm\n\tHow e.Choice[Way]\n\tName e.Text\n\tWhich Which\n\tN e.Number\n\tAll e.Form[*Way]\n\tStray string\n\te.Pick\n}\n\ntype Which = e.Pick\n\ntype Alias = Same\n\ntype Same struct{ Sure e.Confirm }\n",
		"opt.go":                 "package m\n\n//jp:options\ntype Opt struct{}\n\nfunc CallFar() {}\n",
		"ignored.go":             "//go:build ignore\n\npackage m\n\nfunc CallDo() {}\n",
		"other.go":               "package main\n\nfunc CallDo() {}\n",
		"questions/questions.go": "package theirs\n\nimport \"github.com/jptool/jptool/sdk/elicit\"\n\ntype Kind string\n\ntype Ask struct{ Kind elicit.Choice[Kind]; Map elicit.Form[map[string]Kind] }\n",
	})
	const want = `

package m

import jpImport3 "context"
import jpImport5 "example.com/m/questions"
import jpImport2 "example.com/other/go-units/v2"
import jpImport0 "github.com/jptool/jptool/sdk"
import jpImport4 "github.com/jptool/jptool/sdk/elicit"

func NewServer(*S) *jpImport0.Server { for {} }

type DoElicitor interface {
	Sure(jpImport3.Context, jpImport4.Request) (jpImport4.Response[bool], error)
	Really(jpImport3.Context, jpImport4.Request) (jpImport4.Response[bool], error)
	How(jpImport3.Context, jpImport4.Request) (jpImport4.Response[Way], error)
	Name(jpImport3.Context, jpImport4.Request) (jpImport4.Response[string], error)
	Which(jpImport3.Context, jpImport4.Request) (jpImport4.Response[string], error)
	N(jpImport3.Context, jpImport4.Request) (jpImport4.Response[float64], error)
	All(jpImport3.Context, jpImport4.Request) (jpImport4.Response[*Way], error)
}

func CallDo(jpImport3.Context, *S, struct{ A jpImport2.Mass }, Opt, DoElicitor) ([]jpImport2.Mass, error) { for {} }

type FarElicitor interface {
	Kind(jpImport3.Context, jpImport4.Request) (jpImport4.Response[jpImport5.Kind], error)
	Map(jpImport3.Context, jpImport4.Request) (jpImport4.Response[map[string]jpImport5.Kind], error)
}

type lowElicitor interface {
	Sure(jpImport3.Context, jpImport4.Request) (jpImport4.Response[bool], error)
}

func callLow(jpImport3.Context, *S, lowElicitor) (jpImport5.Kind, error) { for {} }
`
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
