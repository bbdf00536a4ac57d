package jpvet

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"iter"

	"golang.org/x/tools/go/analysis"
)

// comments is a fact about the comments on the declarations of a package. It exists because contracts include
// comments on types of other packages, and go vet analyzes a package again only if its source, the export data
// of its imports or a fact about them changes.
type comments struct {
	Digest string
}

// AFact marks comments as a fact.
func (*comments) AFact() {}

func (c *comments) String() string { return "has comments " + c.Digest }

func exportComments(pass *analysis.Pass, files []*ast.File) {
	h := sha256.New()
	for _, c := range commentsIn(files) {
		h.Write([]byte(c.Text + "\n"))
	}
	pass.ExportPackageFact(&comments{hex.EncodeToString(h.Sum(nil))})
}

func commentsIn(files []*ast.File) iter.Seq2[*ast.File, *ast.Comment] {
	return func(yield func(*ast.File, *ast.Comment) bool) {
		for _, f := range files {
			for _, group := range f.Comments {
				for _, c := range group.List {
					if !yield(f, c) {
						return
					}
				}
			}
		}
	}
}
