// Command server runs the server of package longcalls.
package main

import (
	"github.com/jptool/jptool/internal/longcalls"
	"github.com/jptool/jptool/sdk"
	"github.com/jptool/jptool/sdk/tasks/filestore"
	"github.com/jptool/jptool/sdk/tasks/valkeystore"
)

func main() {
	server := longcalls.NewServer(&longcalls.Calls{})
	filestore.Use(server)
	valkeystore.Use(server)
	sdk.Main(server)
}
