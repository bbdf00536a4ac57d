package access_test

import (
	"fmt"
	"net/url"
	"os"

	"github.com/jptool/jptool/sdk/access"
)

func Example() {
	root, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)

	files, err := access.Open(root, &access.Policy{FS: []access.FSRule{
		{Path: ".", Read: true},
		{Path: "notes", Read: true, Write: true, Delete: new(false)},
	}})
	if err != nil {
		panic(err)
	}
	defer files.Close()

	fmt.Println(files.MkdirAll("notes", 0o755))
	fmt.Println(files.WriteFile("notes/tea.md", []byte("green"), 0o644))
	fmt.Println(files.WriteFile("tea.md", nil, 0o644))
	fmt.Println(files.Remove("notes/tea.md"))
	fmt.Println(files.Open("../etc/passwd"))
	// Output:
	// <nil>
	// <nil>
	// permission_denied: access denied: create on "tea.md" is not granted; it is granted only below notes
	// permission_denied: access denied: delete on "notes/tea.md" is not granted; it is not granted on any path
	// <nil> invalid_input: "../etc/passwd" is above the root directory; use a path inside it, such as "passwd"
}

func ExamplePolicy_CheckURL() {
	p := &access.Policy{Net: []access.NetRule{
		{Host: "api.github.com", Allow: true},
		{Host: "api.github.com", PathPrefix: "/admin"},
	}}
	for _, address := range []string{"https://api.github.com/repos", "https://api.github.com/admin/users"} {
		u, err := url.Parse(address)
		if err != nil {
			panic(err)
		}
		fmt.Println(p.CheckURL(u))
	}
	// Output:
	// <nil>
	// permission_denied: access denied: "https://api.github.com/admin/users" is not granted
}
