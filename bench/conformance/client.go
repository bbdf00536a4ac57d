package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// A client runs jptoolgen against the server of a scenario. The suite starts this program with the -client flag,
// and the program runs jptoolgen as often as the scenario needs.
type client struct {
	jptoolgen, url string
	env            []string  // nil means the environment of this process
	stderr         io.Writer // receives the standard error of jptoolgen
}

// clientScenarios maps the names of the scenarios that are run to their functions.
var clientScenarios = map[string]func(client, context.Context) error{
	"initialize":               client.inspect,
	"request-metadata":         client.inspect,
	"json-schema-ref-no-deref": client.inspect,
	"tools_call": func(c client, ctx context.Context) error {
		return c.call(ctx, "add_numbers", "a=2", "b=3")
	},
	"elicitation-sep1034-client-defaults": func(c client, ctx context.Context) error {
		return c.call(ctx, "test_client_elicitation_defaults", "--answer", "answer:={}")
	},
	"sse-retry": func(c client, ctx context.Context) error {
		return c.call(ctx, "test_reconnection")
	},
	"sep-2322-client-request-state":    client.answer,
	"http-standard-headers":            client.callEach,
	"http-invalid-tool-headers":        client.callEach,
	"http-custom-headers":              client.callGiven,
	"json-schema-2020-12-preservation": client.echo,
}

// runClient runs the function of the scenario that the environment names.
func runClient(ctx context.Context, jptoolgen, url string) error {
	name := os.Getenv("MCP_CONFORMANCE_SCENARIO")
	act, ok := clientScenarios[name]
	if strings.HasPrefix(name, "auth/") {
		act, ok = client.logIn, true
	}
	if !ok {
		return fmt.Errorf("unknown client scenario %q", name)
	}
	return act(client{jptoolgen: jptoolgen, url: url, stderr: os.Stderr}, ctx)
}

// run runs jptoolgen with the given standard input, and returns its output.
func (c client) run(ctx context.Context, stdin []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, c.jptoolgen, args...)
	cmd.Stdin, cmd.Stderr, cmd.Env = bytes.NewReader(stdin), c.stderr, c.env
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("jptoolgen %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

func (c client) inspect(ctx context.Context) error {
	_, err := c.run(ctx, nil, "inspect", c.url)
	return err
}

func (c client) call(ctx context.Context, tool string, args ...string) error {
	_, err := c.run(ctx, nil, append([]string{"call", c.url, tool}, args...)...)
	return err
}

// answer calls all tools of the scenario. Some of them ask questions, and two do not.
func (c client) answer(ctx context.Context) error {
	return errors.Join(
		c.call(ctx, "test_mrtr_echo_state", "--answer", "confirm.confirmed=true"),
		c.call(ctx, "test_mrtr_unrelated"),
		c.call(ctx, "test_mrtr_no_state", "--answer", "confirm.confirmed=true"),
		c.call(ctx, "test_mrtr_no_result_type"),
	)
}

// A listedTool is a tool in the output of jptoolgen.
type listedTool struct {
	Name  string
	Input json.RawMessage
}

// list returns the tools that jptoolgen lists.
func (c client) list(ctx context.Context) ([]listedTool, error) {
	out, err := c.run(ctx, nil, "inspect", "--format", "json", c.url)
	if err != nil {
		return nil, err
	}
	var shown struct {
		Contract struct{ Tools []listedTool }
	}
	if err := json.Unmarshal(out, &shown); err != nil {
		return nil, fmt.Errorf("reading the output of jptoolgen: %w", err)
	}
	return shown.Contract.Tools, nil
}

// callEach calls every tool that jptoolgen lists.
func (c client) callEach(ctx context.Context) error {
	tools, err := c.list(ctx)
	for _, t := range tools {
		var input struct{ Required []string }
		err = errors.Join(err, json.Unmarshal(t.Input, &input))
		var args []string
		for _, name := range input.Required {
			args = append(args, name+"=text")
		}
		err = errors.Join(err, c.call(ctx, t.Name, args...))
	}
	return err
}

// callGiven makes the calls that the suite defines in the environment.
func (c client) callGiven(ctx context.Context) error {
	var given struct {
		ToolCalls []struct {
			Name      string
			Arguments json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given); err != nil {
		return fmt.Errorf("reading MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	for _, g := range given.ToolCalls {
		if _, err := c.run(ctx, g.Arguments, "call", c.url, g.Name, "-"); err != nil {
			return err
		}
	}
	return nil
}

// echo sends a schema from jptoolgen's output back, so that the suite can compare it.
func (c client) echo(ctx context.Context) error {
	tools, err := c.list(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		if t.Name == "json_schema_2020_12_tool" {
			return c.call(ctx, "json_schema_echo", "schema:="+string(t.Input))
		}
	}
	return errors.New("jptoolgen does not list json_schema_2020_12_tool")
}
