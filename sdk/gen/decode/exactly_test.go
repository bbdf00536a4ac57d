package decode_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/fault"
	"github.com/jptool/jptool/sdk/gen/decode"
)

type address struct {
	Street string
	Number int64
	Gift   bool
}

func decodeAddress(o *decode.Object, a *address) {
	decode.Field(o, "street", &a.Street, decode.String, decode.Required, decode.MinLength(2))
	decode.Field(o, "number", &a.Number, decode.Int, decode.Required)
	decode.Field(o, "gift", &a.Gift, decode.Bool)
}

func TestExactlyRefuses(t *testing.T) {
	for _, tc := range []struct{ name, data, want string }{
		{"nothing", "", "got nothing"},
		{"white space", " \n", "got nothing"},
		{"null", " null ", "got nothing"},
		{"a list", `[]`, "expected an object"},
		{"an object in a string", `"{\"street\":\"Elm\",\"number\":1}"`, "expected an object"},
		{"cut off", `{"street":"Elm"`, "field"},
		{"a number in a string", `{"street":"Elm","number":"1"}`, `field number: expected an integer, got the string "1"`},
		{"a boolean in a string", `{"street":"Elm","number":1,"gift":"true"}`, "field gift: expected"},
		{"a rule broken", `{"street":"E","number":1}`, "field street: expected a string of at least 2 characters"},
		{"a field missing", `{"street":"Elm"}`, "field number: expected an integer, got nothing"},
		{"a name unknown", `{"street":"Elm","number":1,"numbr":2}`, `field numbr: expected one of the names street, number, gift, got an unknown name; did you mean "number"?`},
		{"a name in another case", `{"street":"Elm","number":1,"Gift":true}`, "field Gift"},
		{"a name twice", `{"street":"Elm","number":1,"number":2}`, "number"},
		{"every problem", `{"street":1,"number":true}`, "field number"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := decode.Exactly(decodeAddress)(json.RawMessage(tc.data))
			if got != (address{}) || fault.CodeOf(err) != fault.InvalidInput || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %+v, %v, want %q", tc.data, got, err, tc.want)
			}
		})
	}
}

func ExampleExactly() {
	read := decode.Exactly(decodeAddress)
	fmt.Println(read(json.RawMessage(`{"street":"Elm","number":"9007199254740993"}`)))
	// Output: {Elm 9007199254740993 false} <nil>
}
