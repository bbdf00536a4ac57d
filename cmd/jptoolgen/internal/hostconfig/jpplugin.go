package hostconfig

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
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

// pluginName matches the names that can be part of a file name, and of a source in JP's configuration.
var pluginName = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

// Plugin returns the script that JP runs as a command plugin (JP RFD 072) for the tools of the server, and the name of
// its file. The plugin has the name of the entry, because JP takes it from the name of the file. The command has the
// name of the server, because JP compares it with the answer of the program.
func (e Entry) Plugin() (file string, script []byte, err error) {
	server := e.Contract
	line := fmt.Sprintf(`{"protocol":12,"description":%s,"command":[%s]}`,
		rawjson.Quote(cmp.Or(phrase.FirstSentence(server.Description), server.Name)), rawjson.Quote(server.Name))
	command := target.CommandLine(e.Command)
	script = fmt.Appendf(nil, "#!/bin/sh\n# %s1 %s\nexec %s plugin\n", pluginMark, line, command)
	switch {
	case !pluginName().MatchString(e.Name):
		err = fmt.Errorf("server name %q cannot be the name of a command plugin: must match [A-Za-z0-9_-]+; "+
			"set another name with --name", e.Name)
	case strings.ContainsFunc(command, unicode.IsControl):
		err = errors.New("the command contains a control character, which a command plugin does not support; remove it")
	case bytes.Count(script, []byte(pluginMark)) > 1:
		err = fmt.Errorf("the command or the description of the server contains %q, which JP accepts only once in a "+
			"command plugin; remove it", pluginMark)
	case len(line) > maxPluginLine:
		err = fmt.Errorf("the first sentence of the server's description is too long for a command plugin: "+
			"at most %d bytes", maxPluginLine)
	}
	return "jp-" + e.Name, script, err
}

// ComparePlugin returns the differences between the script of a command plugin and the content of its file. It returns
// an error if the file is not such a script.
func ComparePlugin(file string, old, script []byte) ([]Difference, error) {
	have, want := strings.SplitAfter(string(old), "\n"), strings.SplitAfter(string(script), "\n")
	if len(have) != len(want) || have[0] != want[0] || !strings.HasPrefix(have[1], "# "+pluginMark) ||
		!strings.HasSuffix(have[2], " plugin\n") {
		return nil, fmt.Errorf("%s exists and is not a script that jptoolgen config has written; move it, "+
			"or add --name NAME with another name", file)
	}
	var all []Difference
	for i, line := range have {
		if line != want[i] {
			where := fmt.Sprintf("%s:%d", file, i+1)
			all = append(all, Difference{where, strings.TrimSpace(line), strings.TrimSpace(want[i])})
		}
	}
	return all, nil
}
