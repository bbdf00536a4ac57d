package wire_test

import (
	"fmt"

	"github.com/jptool/jptool/sdk/jp/wire"
)

func ExampleReadContext() {
	c, err := wire.ReadContext([]byte(`{"action":"Run","root":"/path/to/workspace"}`))
	fmt.Println(c.Action, c.Root, err)

	_, err = wire.ReadContext([]byte(`{"root":42}`))
	fmt.Println(err)
	// Output:
	// run /path/to/workspace <nil>
	// root: expected a string, got a number
}
