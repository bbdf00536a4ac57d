package manifest_test

import (
	"reflect"
	"testing"

	"github.com/jptool/jptool/sdk/manifest"
)

// FuzzLoad holds the quick way to load a contract to the one that says what is wrong:
// what it takes is no error there, and the same contract.
func FuzzLoad(f *testing.F) {
	text, err := sample().Write()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	for _, text := range []string{
		`{"format":01,"name":"a"}`,
		`{"format":1,"name":"\ud800","description":"` + "\xff" + `"}`,
		`{"format":1,"hash":{"full":"x"},"hash":{"contract":"y"},"tools":[{"name":"a"}],"tools":[{"title":"b"}]}`,
		`{"format":1,"tools":[{"input":null,"output":[-0.5e+7,1E400,"\u2028",{"":{"a":[]}}],"annotations":{"read_only":false},"fails":[]}]}`,
		`{"format":1,"tools":[{"input":[1,]}]}`, `{"format":1,"tools":[{"input":{"a":1,}}]}`, `{"format":1,"tools":[{"input":[1 2]}]}`,
		`{"format":1,"tools":[{"input":{"a"}}]}`, `{"format":1,"tools":[{"input":[}]}]}`, `{"format":1,"tools":[{"input":tru}]}`,
		`{"format":1,"tools":[{"input":1.}]}`, `{"format":1,"tools":[{"input":-}]}`, `{"format":1,"tools":[{"input":"a` + "\n" + `"}]}`,
		`{"format":1,"codes":null,"new":{}}`, "{\"format\":1,\v\"name\":\"a\"}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quick, ok := manifest.Scan(text)
		if !ok {
			return
		}
		if quick.Format != manifest.Format {
			return
		}
		slow, err := manifest.LoadSlow(text)
		if err != nil {
			t.Fatalf("%q is loaded: %v", text, err)
		}
		if !reflect.DeepEqual(quick, slow) {
			t.Fatalf("%q is loaded as %+v, want %+v", text, quick, slow)
		}
	})
}
