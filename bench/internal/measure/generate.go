package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/jptool/jptool/bench/internal/build"
)

// Generation is the cost of generating a server's code again without a change to its source.
type Generation struct {
	Jptoolgen Sample // ms
	List      Sample // ms of go list -export -deps for the same package
	Wrote     bool   // whether jptoolgen wrote a file even though nothing changed
}

// Generate runs jptoolgen and go list alternately, rounds times.
func Generate(ctx context.Context, workspace build.Workspace, sizes []int, rounds int) (map[int]Generation, error) {
	result := map[int]Generation{}
	for _, size := range sizes {
		dir := workspace.Package(size)
		before, err := writeTime(dir)
		if err != nil {
			return nil, err
		}
		var g Generation
		for round := range rounds + 1 {
			begin := time.Now()
			if err := build.Run(ctx, dir, "go", "list", "-export", "-deps", "."); err != nil {
				return nil, err
			}
			listed := time.Now()
			if err := build.Run(ctx, dir, workspace.Generator()); err != nil {
				return nil, err
			}
			if round > 0 {
				g.List = append(g.List, millis(listed.Sub(begin)))
				g.Jptoolgen = append(g.Jptoolgen, millis(time.Since(listed)))
			}
		}
		after, err := writeTime(dir)
		if err != nil {
			return nil, err
		}
		g.Wrote = before != after
		result[size] = g
	}
	return result, nil
}

// writeTime returns the time at which the generated files of a package were last written.
func writeTime(dir string) (string, error) {
	text := ""
	for _, name := range []string{"jp_gen.go", "jp.lock.json"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		text += fmt.Sprint(info.ModTime().UnixNano(), " ")
	}
	return text, nil
}
