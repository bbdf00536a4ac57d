package jphost_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jptool/jptool/sdk/jp/jphost"
)

func TestToolsFollowsPages(t *testing.T) {
	s := connect(t, jphost.Options{}, func(r request) []string {
		if r.Method != "tools/list" {
			return nil
		}
		page := strings.Count(r.Params.Cursor, "x")
		next := ""
		if page < 3 {
			next = fmt.Sprintf(`,"nextCursor":%q`, r.Params.Cursor+"x")
		}
		return []string{result(r, fmt.Sprintf(
			`{"tools":[{"name":"t%d","title":"T","description":null,"inputSchema":{},"annotations":{"readOnlyHint":true},"_meta":null}]%s}`, page, next))}
	})
	got, err := s.Tools(deadline(t))
	if err != nil || strings.Join(got, " ") != "t0 t1 t2 t3" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestToolsRefuses(t *testing.T) {
	tests := map[string]struct{ body, want string }{
		"endless":     {`"result":{"tools":[],"nextCursor":"same"}`, "tools/list: more than 1000 pages"},
		"no list":     {`"result":{}`, "tools/list: the result is not a list of tools"},
		"other list":  {`"result":{"resources":[],"tools":[]}`, "tools/list: the result is not a list of tools"},
		"error":       {`"error":{"code":-32601,"message":"no tools"}`, "tools/list: the server returned an error: no tools (-32601)"},
		"name twice":  {`"result":{"tools":[{"name":"a","name":"b","inputSchema":{}}]}`, `tools/list: tool 0 ("b") is malformed`},
		"schema null": {`"result":{"tools":[{"name":"a","inputSchema":null}]}`, `tools/list: tool 0 ("a") is malformed`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := connect(t, jphost.Options{}, func(r request) []string {
				if r.Method != "tools/list" {
					return nil
				}
				return []string{fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, r.ID, test.body)}
			})
			if got, err := s.Tools(deadline(t)); err == nil || err.Error() != test.want {
				t.Errorf("%+v, %v; want %s", got, err, test.want)
			}
		})
	}
}
