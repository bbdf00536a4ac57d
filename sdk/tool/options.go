package tool

import (
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/jptool/jptool/sdk/gen/decode"
)

// decodeOptions decodes layers of options. Later layers override earlier ones by name.
// Without layers it returns the declared defaults.
func decodeOptions[T any](layers []json.RawMessage, dst *T, fields func(*decode.Object, *T)) decode.Report {
	data, problem := overlay(layers)
	if problem != nil {
		return decode.Report{Problems: []decode.Problem{*problem}}
	}
	return decode.Into(data, dst, fields, decode.Options{What: "option"})
}

// overlay merges layers of options into one object. A single layer is returned unchanged, so
// that the decoder validates it.
func overlay(layers []json.RawMessage) (json.RawMessage, *decode.Problem) {
	switch len(layers) {
	case 0:
		return nil, nil
	case 1:
		return layers[0], nil
	}
	merged := map[string]json.RawMessage{}
	for _, layer := range layers {
		if len(layer) == 0 {
			continue
		}
		// Unmarshaling into a map keeps the members that the layer does not have.
		if err := jsonv2.Unmarshal(layer, &merged); err != nil || merged == nil {
			return nil, &decode.Problem{Path: "options", Expected: "an object, each name once", Got: "another value"} // it may have a secret
		}
	}
	data, err := json.Marshal(merged)
	if err != nil {
		return nil, &decode.Problem{Path: "options", Expected: "an object, each name once", Got: err.Error()}
	}
	return data, nil
}
