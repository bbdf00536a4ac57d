package decode_test

import (
	"fmt"

	"github.com/jptool/jptool/sdk/gen/decode"
)

type noteInput struct {
	Title    string
	Tags     []string
	Priority int
}

func decodeNote(o *decode.Object, in *noteInput) {
	decode.Field(o, "title", &in.Title, decode.String, decode.Required, decode.MinLength(1), decode.MaxLength(200))
	decode.Field(o, "tags", &in.Tags, decode.List[[]string](decode.String), decode.MaxItems(10))
	decode.Field(o, "priority", &in.Priority, decode.Int, decode.Default("3"), decode.Minimum(1), decode.Maximum(5))
}

func ExampleInto() {
	var in noteInput
	report := decode.Into([]byte(`{"title":"Compost","tags":"[\"garden\"]"}`), &in, decodeNote, decode.Options{})
	fmt.Printf("%+v %v\n", in, report.Err())
	// Output:
	// {Title:Compost Tags:[garden] Priority:3} <nil>
}

// Every problem is found at once.
func ExampleInto_problems() {
	var in noteInput
	report := decode.Into([]byte(`{"titel":"Compost","tags":["garden",7],"priority":"9"}`), &in, decodeNote, decode.Options{})
	fmt.Println(report.Err())
	// Output:
	// invalid_input: argument title: expected a string of 1 to 200 characters, got nothing; rename "titel" to "title"
	// argument tags[1]: expected a string, got the number 7
	// argument priority: expected an integer from 1 to 5, got the string "9"
}

func ExampleMap() {
	type stock struct{ Fruit map[string]int }
	var in stock
	report := decode.Into([]byte(`{"fruit":{"apples":3,"pears":"2"}}`), &in, func(o *decode.Object, in *stock) {
		decode.Field(o, "fruit", &in.Fruit, decode.Map[map[string]int](decode.StringKey, decode.Int))
	}, decode.Options{})
	fmt.Println(in.Fruit, report.Err())
	// Output:
	// map[apples:3 pears:2] <nil>
}

func ExampleEnum() {
	type size string
	var chosen size
	report := decode.Into([]byte(`{"size":"medum"}`), &chosen, func(o *decode.Object, dst *size) {
		decode.Field(o, "size", dst, decode.Enum[size]("small", "medium", "large"))
	}, decode.Options{})
	fmt.Println(report.Problems[0].Hint)
	// Output:
	// did you mean "medium"?
}
