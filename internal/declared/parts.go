package declared

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A layout divides a generated file into parts. Each part contains the lines about one tool or constant, so
// branches that add tools change different parts.
type layout struct {
	// section and element match the first line of a part and capture its name.
	section, element *regexp.Regexp
	// maker matches the comment of a function that an element may call. It captures the names of the function and of
	// the tool; nil means that there are no such functions.
	maker *regexp.Regexp
	// end holds the prefixes of the line after the last element of a list. That line belongs to the section
	// again.
	end []string
	// ignored holds the lines between parts, which depend on the neighbors of a part.
	ignored []string
}

func layoutOf(name string) layout {
	if name == Contract {
		return layout{
			section: regexp.MustCompile(`^()\{$`), element: regexp.MustCompile(`^      "(?:name|uri|uri_template)": "(.*)",$`),
			end: []string{"  ]"}, ignored: []string{"    {", "    }", "    },"},
		}
	}
	return layout{
		section: regexp.MustCompile(`^// (?:Tool|Resource|Prompt) (\S+):$`),
		element: regexp.MustCompile(`^\t(?:\t(?:\w+\.New\(|[\t{](?:Name|URI|URITemplate):\s+)"([^"]*)"|` +
			`\t(make\w+)\(\w+\),|_ = map\[bool\]string\{(\S+) ==)`),
		maker: regexp.MustCompile(`(?m)^// (make\w+) returns the (?:tool|resource|prompt) (\w+)\.`),
		end:   []string{")", "}", "\t)", "\t}"}, ignored: []string{"", "\t\t{", "\t\t},"},
	}
}

// partsOf returns the digests of the parts of a generated file. The names of parts start with the name of the
// file. The part with the lines that belong to no tool has the name of the file itself.
func partsOf(name, text string) map[string]string {
	l := layoutOf(name)
	texts := map[string][]byte{name: nil}
	tools := map[string]string{} // keyed by the function that makes them
	if l.maker != nil {
		for _, m := range l.maker.FindAllStringSubmatch(text, -1) {
			tools[m[1]] = m[2]
		}
	}
	section := name
	part := section
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		line = strings.TrimSuffix(line, "\n")
		if m := l.section.FindStringSubmatch(line); m != nil {
			section = strings.TrimSpace(name + " " + m[1])
			part = section
		} else if m := l.element.FindStringSubmatch(line); m != nil {
			of := strings.Join(m[1:], "")
			part = name + " " + cmp.Or(tools[of], of)
		} else if slices.ContainsFunc(l.end, func(prefix string) bool { return strings.HasPrefix(line, prefix) }) {
			part = section
		}
		if !slices.Contains(l.ignored, line) {
			texts[part] = append(append(texts[part], line...), '\n')
		}
	}
	digests := map[string]string{}
	for part, text := range texts {
		digests[part] = sum(string(text))
	}
	return digests
}

// isEdited reports whether a generated file differs from the recorded digests of its parts.
func isEdited(name, text string, recorded map[string]string) bool {
	parts := map[string]string{}
	for part, digest := range recorded {
		if part == name || strings.HasPrefix(part, name+" ") {
			parts[part] = digest
		}
	}
	return !maps.Equal(parts, partsOf(name, text))
}
