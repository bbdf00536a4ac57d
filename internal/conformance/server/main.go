// Command server runs the conformance server, for MCP's conformance suite.
package main

import (
	"github.com/jptool/jptool/internal/conformance"
	"github.com/jptool/jptool/sdk"
)

func main() { sdk.Main(conformance.New()) }
