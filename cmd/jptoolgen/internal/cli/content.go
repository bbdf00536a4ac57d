package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/files"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/terminal"
	"github.com/jptool/jptool/internal/peer"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/tty"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// content prints or saves the only content of a resource.
func (p *getPlan) content(env Env, content peer.Contents) error {
	data, err := content.Binary()
	switch {
	case err != nil:
		return err
	case p.output == "-" && data == nil:
		data = []byte(content.Text)
	case p.output == "-":
	case p.output != "" && data == nil:
		data = []byte(content.Text)
		fallthrough
	case p.output != "":
		_, err = files.Write(env.path(p.output), data, 0o666)
		return err
	case data == nil:
		return printText(env.Stdout, content.Text)
	case tty.Is(env.Stdout):
		return fmt.Errorf("the resource is binary (%s, %d bytes); use --output FILE", content.MIMEType, len(data))
	}
	_, err = env.Stdout.Write(data)
	return err
}

// Error codes for a resource that does not exist, in older versions and in version 2026-07-28 (MCP, Resources).
const (
	resourceNotFound = -32002
	invalidParams    = -32602
)

// nearResource returns a hint that names the listed resource most similar to a URI, or "" if none is similar.
func nearResource(ctx context.Context, c *target.Conn, uri string) string {
	list, err := c.Resources(ctx)
	if err != nil {
		return "" // the original error describes the problem
	}
	var uris []string
	for _, r := range list {
		uris = append(uris, r.URI)
	}
	if near, ok := phrase.Nearest(uri, uris); ok {
		return "; did you mean " + near + "?"
	}
	return "; run jptoolgen inspect TARGET for the resources"
}

// printText cleans text from a server and prints it with a final newline.
func printText(w io.Writer, text string) error {
	if text = terminal.Clean(text); text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func resourceNames(c *manifest.Server) (names []string) {
	for _, r := range slices.Concat(c.Resources, c.Templates) {
		names = append(names, r.Name)
	}
	return names
}
