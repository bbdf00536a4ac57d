package output

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/breaking"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/diag"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/model"
	"github.com/jptool/jptool/internal/declared"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// Stale adds a finding for each declaration that has changed since the files of the server were
// generated. It also adds a finding if the files are outdated for another reason. made holds the
// generated files of several servers. It has no files for s if they could not be generated.
func Stale(s *model.Server, made []File, list *diag.List) error {
	var files []File
	for _, f := range made {
		if filepath.Dir(f.Path) == filepath.Clean(s.Dir) {
			files = append(files, f)
		}
	}
	changed, err := Changed(files)
	if err != nil || len(files) > 0 && len(changed) == 0 {
		return err
	}
	before, after := contractsOf(files)
	changes := changesOf(before, after)
	found, err := declared.Check(s.Dir)
	for _, d := range found {
		list.AddAt(d.Pos, diag.StaleCode, "%s%s", d.Says, summarize(changes, ofTool(s, d.Declaration))).Suggest("run go generate")
	}
	if err != nil || staleSkills(s, before, after, list) || len(found) > 0 || len(changed) == 0 {
		return err
	}
	list.Add(s.Pos, diag.StaleCode, "%s differs from the output of this version of jptoolgen%s", filepath.Base(changed[0].Path),
		summarize(changes, func(breaking.Change) bool { return true })).Suggest("run go generate")
	return nil
}

// ofTool returns a function that selects the contract changes that a declaration causes. If the declaration is
// the method of a tool, these are the changes to that tool.
func ofTool(s *model.Server, d declared.Declaration) func(breaking.Change) bool {
	name := ""
	for _, t := range s.Tools {
		if d.Kind == declared.Method && d.Name == t.Of.Name()+"."+t.Method.Name() {
			name = t.Name
		}
	}
	return func(c breaking.Change) bool { return name != "" && c.Tool == name }
}

// contractsOf returns the contract on disk and the generated contract, or nil if one cannot be read.
func contractsOf(files []File) (before, after *manifest.Server) {
	for _, f := range files {
		if filepath.Base(f.Path) != declared.Contract {
			continue
		}
		old, err := os.ReadFile(f.Path)
		if err != nil {
			return nil, nil
		}
		if before, err = lock.Read(old); err != nil {
			return nil, nil // the contract was edited, and another finding reports this
		}
		if after, err = lock.Read(f.Data); err != nil {
			return nil, nil
		}
		return before, after
	}
	return nil, nil
}

// changesOf returns the differences between two contracts.
func changesOf(before, after *manifest.Server) []breaking.Change {
	if before == nil {
		return nil
	}
	report, err := breaking.Compare(before, after)
	if err != nil {
		return nil
	}
	return report.Changes
}

// maxChanges is the maximum number of contract changes in a finding.
const maxChanges = 3

// summarize formats some contract changes for the end of a message.
func summarize(changes []breaking.Change, about func(breaking.Change) bool) string {
	var parts []string
	for _, c := range changes {
		if about(c) {
			parts = append(parts, c.Where+" "+strings.ReplaceAll(c.Rule, "-", " "))
		}
	}
	switch {
	case len(parts) == 0:
		return ""
	case len(parts) > maxChanges:
		parts = append(parts[:maxChanges], fmt.Sprintf("and %d more", len(parts)-maxChanges))
	}
	return " (" + strings.Join(parts, ", ") + ")"
}
