package hostconfig

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/target"
	"github.com/jptool/jptool/internal/lazyregexp"
	"github.com/jptool/jptool/internal/phrase"
	"github.com/jptool/jptool/internal/rawjson"
)

const (
	// pluginMark starts the line that describes a command plugin. JP rejects a file that contains it twice.
	pluginMark = "jp-plugin/v"
	// maxPluginLine is the maximum size of the description in bytes (jp_plugin, MAX_MANIFEST_SIZE).
	maxPluginLine = 64 << 10
)

// pluginName matches the names that can be part of a file name, of a source in JP's configuration, and of a command of JP.
var pluginName = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

// Plugin returns the script that JP runs as a command plugin (JP RFD 072) for the tools of the server, and the name of
// its file. The plugin has the name of the entry, because JP takes it from the name of the file. The command has the
// name of the server, because JP compares it with the answer of the program.
func (e Entry) Plugin() (file string, script []byte, err error) {
	isControl := func(word string) bool { return strings.ContainsFunc(word, unicode.IsControl) }
	if !pluginName().MatchString(e.Name) {
		return "", nil, fmt.Errorf("server name %q cannot be the name of a command plugin: must match [A-Za-z0-9_-]+; set another name with --name", e.Name)
	}
	if slices.ContainsFunc(e.Command, isControl) {
		return "", nil, errors.New("the command contains a control character, which a command plugin does not support; remove it")
	}
	line := fmt.Sprintf(`{"protocol":12,"description":%s,"command":[%s]}`,
		rawjson.Quote(cmp.Or(phrase.FirstSentence(e.Contract.Description), e.Contract.Name)), rawjson.Quote(e.Contract.Name))
	script = fmt.Appendf(nil, "#!/bin/sh\n# %s1 %s\nexec %s plugin\n", pluginMark, line, target.CommandLine(e.Command))
	switch {
	case bytes.Count(script, []byte(pluginMark)) > 1:
		return "", nil, fmt.Errorf("the command or the description of the server contains %q, which JP accepts only once in a command plugin; remove it", pluginMark)
	case len(line) > maxPluginLine:
		return "", nil, fmt.Errorf("the first sentence of the server's description is too long for a command plugin: at most %d bytes", maxPluginLine)
	}
	return "jp-" + e.Name, script, nil
}

// ComparePlugin compares the script of a command plugin with the content of its file. If they differ, it returns a
// [Conflict], or another error if the file is not such a script.
func ComparePlugin(file string, old, script []byte) error {
	have, want := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(script), "\n")
	if len(have) != len(want) || have[0] != want[0] || !strings.HasPrefix(have[1], "# "+pluginMark) || !strings.HasSuffix(have[2], " plugin\n") {
		return fmt.Errorf("%s exists and is not a script that jptoolgen config has written; move it, or add --name NAME with another name", file)
	}
	c := &Conflict{Where: []string{file}}
	for i, line := range have {
		if line != want[i] {
			c.Differences = append(c.Differences, Difference{fmt.Sprintf("%s:%d", file, i+1), strings.TrimSpace(line), strings.TrimSpace(want[i])})
		}
	}
	if len(c.Differences) == 0 {
		return nil
	}
	return c
}
