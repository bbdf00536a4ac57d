package encode_test

import (
	"fmt"
	"math"
	"time"

	"github.com/jptool/jptool/sdk/gen/encode"
)

type reading struct {
	Sensor string
	Taken  time.Time
	Values []float64
	Note   string
}

func encodeReading(o *encode.Object, r *reading) {
	encode.Field(o, "sensor", &r.Sensor, encode.String)
	encode.Field(o, "taken", &r.Taken, encode.Time)
	encode.Field(o, "values", &r.Values, encode.List[[]float64](encode.Float))
	encode.Omit(o, r.Note == "", "note", &r.Note, encode.String)
}

func ExampleFrom() {
	r := reading{Sensor: "roof", Taken: time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)}
	data, err := encode.From(&r, encodeReading)
	fmt.Println(string(data), err)

	r.Values = []float64{20.5, math.NaN()}
	_, err = encode.From(&r, encodeReading)
	fmt.Println(err)
	// Output:
	// {"sensor":"roof","taken":"2026-01-31T12:00:00Z","values":[]} <nil>
	// internal: the result cannot be encoded as JSON
	// values[1]: NaN is not a JSON number
}

func ExampleFromValue() {
	stock := map[string]int{"pears": 2, "apples": 3}
	data, err := encode.FromValue(&stock, encode.Map[map[string]int](encode.StringKey, encode.Int))
	fmt.Println(string(data), err)
	// Output:
	// {"apples":3,"pears":2} <nil>
}
