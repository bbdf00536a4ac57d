package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// removedCommands maps the commands that earlier versions had to what the user does instead.
func removedCommands() map[string]string {
	return map[string]string{"servers": passServer}
}

// passServer says what replaces the servers in the configuration of hosts.
const passServer = `pass the program or the URL of the server, or save it with "jptoolgen profile create"`

// removedFlags maps the flags that earlier versions had, each after its command, to what the user does instead.
func removedFlags() map[string]string {
	const vet = `read what a model sees with "jptoolgen docs TARGET", and its size with "jptoolgen cost TARGET"`
	return map[string]string{
		"adopt --source": `run the server, and adopt what it lists, e.g. "jptoolgen adopt ./cmd/notes"`,
		"client --cli":   `call the tools with "jptoolgen call TARGET TOOL"`,
		"vet --tools":    vet,
		"vet --tasks":    vet,
	}
}

// removedCommand returns an error for the name of a command that earlier versions had.
func removedCommand(name string) error { return removed(removedCommands(), name) }

// removedFlag returns the error for a flag of a command that earlier versions had, or nil for other errors.
func removedFlag(c command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return removed(removedFlags(), c.name+" --"+unknown.GetSpecifiedName())
	}
	return nil
}

func removed(instead map[string]string, name string) error {
	if text, ok := instead[name]; ok {
		return fmt.Errorf("%s was removed; %s", name, text)
	}
	return nil
}
