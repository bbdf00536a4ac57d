package cost_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/jptool/jptool/cmd/jptoolgen/internal/cost"
	"github.com/jptool/jptool/cmd/jptoolgen/internal/lock"
	"github.com/jptool/jptool/internal/fixture"
	"github.com/jptool/jptool/internal/fixture/studio"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// The entries made from a contract equal the entries that a server lists for clients that cannot ask questions.
func TestPublishedAsListed(t *testing.T) {
	for name, s := range map[string]*sdk.Server{"fixture": fixture.NewServer(&fixture.Fixture{}), "studio": studio.NewServer(&studio.Studio{})} {
		t.Run(name, func(t *testing.T) {
			c := s.Contract()
			var listed []cost.Entry
			for _, text := range list(t, s) {
				e, err := cost.Listed(text)
				if err != nil {
					t.Fatal(err)
				}
				listed = append(listed, e)
			}
			if len(listed) != len(c.Tools) {
				t.Fatalf("%d tools are listed, want %d", len(listed), len(c.Tools))
			}
			for i := range c.Tools {
				published := c.Tools[i]
				published.Input = published.InputForModels()
				if c.Output != manifest.Always {
					published.Output = nil
				}
				want, err := cost.Published(&published)
				if err != nil || !reflect.DeepEqual(listed[i], want) {
					t.Errorf("%v\nlisted    %v\npublished %v", err, listed[i], want)
				}
			}
			as, err := cost.Of(c, listed)
			if err != nil {
				t.Fatal(err)
			}
			of, err := cost.Of(c, nil)
			if err != nil {
				t.Fatal(err)
			}
			if as.Model != of.Relaying {
				t.Errorf("the list has %d tokens for a model, but the contract has %d", as.Model, of.Relaying)
			}
		})
	}
}

// list returns the tools that a server lists for a client without capabilities.
func list(t *testing.T, s *sdk.Server) []jsontext.Value {
	t.Helper()
	client, server := net.Pipe()
	done := make(chan error, 1)
	go func() { done <- s.Serve(t.Context(), server, sdk.Options{}) }()
	lines := bufio.NewReader(client)
	exchange := func(id int, method, params string) (reply struct {
		Result struct{ Tools []jsontext.Value }
	}) {
		fmt.Fprintf(client, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		line, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(line, &reply)
		}
		if err != nil {
			t.Fatal(err)
		}
		return reply
	}
	exchange(1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	tools := exchange(2, "tools/list", `{}`).Result.Tools
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	<-done
	return tools
}

// The tool lists of the servers in examples, started without flags, have at most 1,200 tokens in total.
func TestListsOfTheExamples(t *testing.T) {
	sum := 0
	for _, dir := range []string{"grizzly/internal/notes", "bookworm/internal/crates"} {
		data, err := os.ReadFile("../../../../examples/" + dir + "/jp.lock.json")
		if err != nil {
			t.Fatal(err)
		}
		c, err := lock.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		c.Tools = slices.DeleteFunc(c.Tools, func(t manifest.Tool) bool { return t.Name == "note_create" })
		r, err := cost.Of(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum += r.List
	}
	if sum > 1200 {
		t.Errorf("the lists have %d tokens", sum)
	}
}

// A tool from another server is counted as the server sent it, without its icons.
func TestListed(t *testing.T) {
	e, err := cost.Listed(jsontext.Value(`{"name":"find", "icons":[{"src":"https://example.com/i.png"}], "description":"Finds notes.",
		"inputSchema":{"type":"object","properties":{"description":{"type":"string","description":"Words in the description."}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := cost.Of(&manifest.Server{Name: "s"}, []cost.Entry{e})
	if err != nil {
		t.Fatal(err)
	}
	got := r.Tools[0]
	want := cost.Tool{Name: "find", Views: r.Views, Parts: cost.Parts{Name: 5, Description: 8, Parameters: 7, Schema: 17}}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if all := (cost.Views{Model: 35, Relaying: 35, List: 35, Outputs: 35}); r.Views != all {
		t.Errorf("got %+v, want %+v", r.Views, all)
	}
}
