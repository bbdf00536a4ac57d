package face_test

import (
	"encoding/json"
	"testing"

	"github.com/jptool/jptool/internal/face"
	"github.com/jptool/jptool/sdk/gen/manifest"
)

// A face that is stored with a task shows the same when it is read again.
func TestStoredFace(t *testing.T) {
	server := &manifest.Server{
		Toolsets: []manifest.Toolset{{Name: "a", Default: true}, {Name: "b"}},
		Tools: []manifest.Tool{
			{Name: "a1", Toolset: "a"}, {Name: "b1", Toolset: "b", Annotations: manifest.Annotations{ReadOnly: new(true)}}, {Name: "b2", Toolset: "b"}, {Name: "c"},
		},
	}
	off := face.Off(server)
	for _, choices := range [][2]face.Choice{
		{}, {{Toolsets: []string{"b"}}}, {{Toolsets: []string{"all"}}, {ReadOnly: true}}, {{Toolsets: []string{"default"}}, {Exclude: []string{"c"}}},
	} {
		first, err := face.New(server, choices[0], false)
		if err != nil {
			t.Fatal(err)
		}
		second, err := face.New(server, choices[1], false)
		if err != nil {
			t.Fatal(err)
		}
		f, again := first.Within(second), new(face.Face)
		text, err := json.Marshal(f)
		if err == nil {
			err = json.Unmarshal(text, again)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range server.Tools {
			tool := &server.Tools[i]
			shown := face.Shows(tool, off, f, nil)
			if face.Shows(tool, off, again, nil) != shown || face.Shows(tool, off, first, second) != shown {
				t.Errorf("%+v: %s: shown %t, which differs after storing or when both faces are given", choices, tool.Name, shown)
			}
		}
	}
}
