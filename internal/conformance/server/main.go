// Command server runs the conformance server, for MCP's conformance suite.
package main

import (
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/internal/conformance"
)

func main() { sdk.Main(conformance.New()) }
