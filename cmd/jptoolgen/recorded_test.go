package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// serveRecorded serves a tool list from a file over stdio, as a server built with another SDK would.
func serveRecorded() {
	var server struct {
		Name, Instructions string
		Tools              json.RawMessage
	}
	data, err := os.ReadFile(os.Args[1])
	if err == nil {
		err = json.Unmarshal(data, &server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var request struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &request) != nil || request.ID == nil {
			continue
		}
		reply := map[string]any{"jsonrpc": "2.0", "id": request.ID}
		switch request.Method {
		case "initialize":
			reply["result"] = map[string]any{
				"protocolVersion": "2025-11-25", "instructions": server.Instructions,
				"serverInfo": map[string]any{"name": server.Name, "version": "1"}, "capabilities": map[string]any{"tools": map[string]any{}},
			}
		case "tools/list":
			reply["result"] = map[string]any{"tools": server.Tools}
		default:
			reply["error"] = map[string]any{"code": -32601, "message": "unknown method"}
		}
		line, err := json.Marshal(reply)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("%s\n", line)
	}
}
