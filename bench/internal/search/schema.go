package search

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

// The schemas of [In] and [Out], with the limits that all servers publish.
var (
	//go:embed input.json
	inputSchema []byte
	//go:embed output.json
	outputSchema []byte
)

// Schemas returns the JSON schemas of [In] and [Out] without white space.
func Schemas() (in, out json.RawMessage, err error) {
	var ins, outs bytes.Buffer
	if err := json.Compact(&ins, inputSchema); err != nil {
		return nil, nil, err
	}
	if err := json.Compact(&outs, outputSchema); err != nil {
		return nil, nil, err
	}
	return ins.Bytes(), outs.Bytes(), nil
}
