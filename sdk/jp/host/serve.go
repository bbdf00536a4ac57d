package host

import "strconv"

// parseErrorLine is what rmcp answers a line with that it cannot read. It carries no id, which some
// servers do not survive.
const parseErrorLine = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`

// answerServer returns JP's answer to a request of the server, and nil for a notification. JP has
// no roots, declines every elicitation and refuses sampling.
func answerServer(m message) []byte {
	if m.id == nil {
		return nil
	}
	head := `{"jsonrpc":"2.0","id":` + string(m.id)
	switch m.method {
	case "ping":
		return []byte(head + `,"result":{}}`)
	case "roots/list":
		return []byte(head + `,"result":{"roots":[]}}`)
	case "elicitation/create":
		return []byte(head + `,"result":{"action":"decline"}}`)
	}
	line := strconv.AppendInt([]byte(head+`,"error":{"code":`), codeMethodNotFound, 10)
	return append(quote(append(line, `,"message":`...), m.method), "}}"...)
}

const codeMethodNotFound = -32601
