// Command server runs the server of package longcalls.
package main

import (
	"github.com/jptool/jptool/internal/longcalls"
	"github.com/jptool/jptool/sdk"
	_ "github.com/jptool/jptool/sdk/tasks/filestore"
	_ "github.com/jptool/jptool/sdk/tasks/valkeystore"
)

func main() { sdk.Main(longcalls.NewServer(&longcalls.Calls{})) }
