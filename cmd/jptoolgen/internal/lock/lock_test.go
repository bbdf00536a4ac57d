package lock

import (
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/gen/manifest"
)

func TestText(t *testing.T) {
	c := &manifest.Server{Format: manifest.Format, Name: "n", Clients: manifest.JP, Unknown: manifest.Ignore, Tools: []manifest.Tool{
		{Name: "t", Description: "Uses <&>.", Input: manifest.Schema(`{"type":"object","properties":{}}`)},
	}}
	data, err := Text(c)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "Uses <&>.") || !strings.HasSuffix(string(data), "}\n") {
		t.Errorf("got %s", data)
	}
	if strings.Contains(string(data), "hash") {
		t.Errorf("the digests prevent a merge of branches that add tools: %s", data)
	}
	c.Hash.Full = "old"
	if data, err = Text(c); err != nil {
		t.Fatal(err)
	}
	read, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Sum(c)
	if err != nil || read.Hash != want || want.Contract == want.Full {
		t.Errorf("got %+v, want %+v, %v", read.Hash, want, err)
	}
}

func TestTextRefusesBrokenSchemas(t *testing.T) {
	c := &manifest.Server{Name: "n", Tools: []manifest.Tool{{Name: "t", Input: manifest.Schema(`{`)}}}
	if data, err := Text(c); err == nil {
		t.Errorf("got %s", data)
	}
}
