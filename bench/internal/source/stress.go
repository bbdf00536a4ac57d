package source

import (
	"os"
	"path/filepath"
)

// Stress creates the directory dir and writes a package main into it: a server whose tools wait, ask, quote and
// crash, and report the resource usage of the process.
func Stress(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte(stress), 0o644)
}

const stress = `// Command stress serves tools that wait, quote, crash and ask.
package main

import (
	"context"
	"runtime"

	"github.com/jptool/jptool/bench/internal/serve"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/content"
	"github.com/jptool/jptool/sdk/elicit"
)

// Stress has tools that wait, quote, crash and ask.
//
//jp:server name=stress
type Stress struct{}

// Wait waits until its call ends.
//
//jp:tool name=wait readonly=true
func (*Stress) Wait(ctx context.Context) error { return serve.Wait(ctx) }

// QuoteIn is untrusted text.
type QuoteIn struct {
	// Text from an untrusted source.
	Text string ` + "`json:\"text\"`" + `
}

// Quote returns untrusted text unchanged.
//
//jp:tool name=quote readonly=true
func (*Stress) Quote(_ context.Context, in QuoteIn) (content.Blocks, error) {
	return content.Of(in.Text), nil
}

// Crash panics.
//
//jp:tool name=crash readonly=true
func (*Stress) Crash(context.Context) error { panic("a requested crash") }

// Usage is the resource usage of the process.
type Usage struct {
	// Goroutines is the number of goroutines.
	Goroutines int ` + "`json:\"goroutines\"`" + `
}

// Usage reports the resource usage of the process after a garbage collection.
//
//jp:tool name=usage readonly=true
func (*Stress) Usage(context.Context) (Usage, error) {
	runtime.GC()
	return Usage{Goroutines: runtime.NumGoroutine()}, nil
}

// Asked holds the questions of Ask.
type Asked struct {
	// Name asks for a name.
	Name elicit.Text ` + "`jsonschema:\"minLength=2,maxLength=20\"`" + `
	// Sure asks before the name is used.
	Sure elicit.Confirm
}

// Ask asks for a name and for confirmation.
//
//jp:tool name=ask destructive=false
func (*Stress) Ask(ctx context.Context, ask Asked) (string, error) {
	name, err := ask.Name.Ask(ctx, "Which name?")
	if err != nil {
		return "", err
	}
	sure, err := ask.Sure.Ask(ctx, "Use %s?", name)
	if err != nil || !sure {
		return "not used", err
	}
	return "used " + name, nil
}

func main() { sdk.Main(NewServer(&Stress{})) }
`
