package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/directive"
)

// manual returns the manual page, in the format of man(7).
func manual() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH JPTOOLGEN 1 \"\" %q\n", roff("jptoolgen "+programVersion()))
	section := func(title, text string) { fmt.Fprintf(&b, ".SH %s\n%s\n", title, text) }
	section("NAME", roff("jptoolgen - generate, check and try MCP servers"))
	for i, c := range commands() {
		if i == 0 {
			section("SYNOPSIS", literal(c.usage+"\njptoolgen COMMAND [flags] [arguments]"))
			section("DESCRIPTION", prose(c.help)+"\n.PP\n"+literal(c.flagSet().FlagUsages()))
			section("COMMANDS", roff("Run jptoolgen COMMAND --help for the help of one command."))
			continue
		}
		fmt.Fprintf(&b, ".SS %s\n%s\n.PP\n%s\n", roff(c.name), literal(c.usage), prose(c.help))
		if usages := c.flagSet().FlagUsages(); usages != "" {
			fmt.Fprintf(&b, ".PP\n%s\n", literal(usages))
		}
	}
	section("DIRECTIVES", literal(directive.Help()))
	section("EXIT STATUS", roff("0 on success, 1 for findings and failed tools, 2 for wrong usage and other errors, 7 for a question that needs\nan answer when no terminal is attached."))
	return b.String()
}

// roff escapes text, so that roff does not read a line as a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
}

// literal formats lines that must be printed unchanged.
func literal(text string) string { return ".nf\n" + roff(strings.Trim(text, "\n")) + "\n.fi" }

// prose formats paragraphs whose lines may be filled.
func prose(text string) string {
	return strings.ReplaceAll(roff(strings.TrimSpace(text)), "\n\n", "\n.PP\n")
}
