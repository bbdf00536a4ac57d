package content_test

import (
	"net/url"
	"testing"

	"github.com/jptool/jptool/sdk/content"
)

func TestFileURI(t *testing.T) {
	for _, test := range []struct{ root, name, want string }{
		// These names cannot be made absolute.
		{"", "", "file:"},
		{"", "src/main.rs", "file:src/main.rs"},
		{"ws", "main.rs", "file:main.rs"},
		{`C:\ws`, `D:main.rs`, "file:D:main.rs"},

		// Different names of a path have the same URI.
		{"/project", "src/main.rs", "file:///project/src/main.rs"},
		{"/project", "./src/../src/main.rs", "file:///project/src/main.rs"},
		{"/project/", "src//main.rs/", "file:///project/src/main.rs"},
		{"/elsewhere", "/project/src/main.rs", "file:///project/src/main.rs"},
		{"", "/project/src/main.rs", "file:///project/src/main.rs"},
		{"/project", "../other", "file:///other"},
		{"/project", "../../../..", "file:///"},
		{"/project", "", "file:///project"},
		{"/", ".", "file:///"},

		// These paths contain characters that must be escaped.
		{"/p", "a b", "file:///p/a%20b"},
		{"/p", "100%", "file:///p/100%25"},
		{"/p", "a%20b", "file:///p/a%2520b"},
		{"/p", "a?b#c", "file:///p/a%3Fb%23c"},
		{"/p", "é", "file:///p/%C3%A9"},
		{"/p", "\xff\n", "file:///p/%FF%0A"},
		{"/p", `[^|"<>{}]`, "file:///p/%5B%5E%7C%22%3C%3E%7B%7D%5D"},
		{"/p", "-._~!$&'()*+,;=:@", "file:///p/-._~!$&'()*+,;=:@"},

		// With a Unix root, these are ordinary names.
		{"/p", `C:\a`, "file:///p/C:%5Ca"},
		{"/p", `\\a\b`, "file:///p/%5C%5Ca%5Cb"},

		// These are Windows paths.
		{`C:\ws`, `src\main.rs`, "file:///C:/ws/src/main.rs"},
		{`c:\ws`, `src/../src/./main.rs`, "file:///C:/ws/src/main.rs"},
		{`c:/ws`, `D:\a b\`, "file:///D:/a%20b"},
		{`C:\ws`, `\main.rs`, "file:///C:/main.rs"},
		{`C:\ws`, `c:main.rs`, "file:///C:/ws/main.rs"},
		{`C:\ws`, `..\..\..`, "file:///C:/"},
		{"C:", "a", "file:///C:/a"},
		{"", `d:\a`, "file:///D:/a"},
		{`\\?\C:\ws`, "a", "file:///C:/ws/a"},
		{`\\?\UNC\Server\share`, "a", "file://server/share/a"},
		{`\\Server\share`, `b\c`, "file://server/share/b/c"},
		{`C:\ws`, `\\server\share\a`, "file://server/share/a"},
	} {
		got := content.FileURI(test.root, test.name)
		if got != test.want {
			t.Errorf("FileURI(%q, %q) = %s, want %s", test.root, test.name, got, test.want)
		}
		if _, err := url.Parse(got); err != nil {
			t.Errorf("FileURI(%q, %q): %v", test.root, test.name, err)
		}
	}
}

// FuzzFileURI checks that an absolute name can be recovered from its URI, and that the URI is valid.
func FuzzFileURI(f *testing.F) {
	f.Add("/project", "a/../b c%")
	f.Add(`C:\x`, `\\?\UNC\a`)
	f.Add("/", "\xff\x00")
	f.Fuzz(func(t *testing.T, root, name string) {
		uri := content.FileURI("/"+root, name)
		if err := (content.Blocks{content.Resource{URI: uri}}).Check(); err != nil {
			t.Fatalf("%q under %q is %s: %v", name, root, uri, err)
		}
		u, err := url.Parse(uri)
		if err != nil {
			t.Fatal(err)
		}
		if again := content.FileURI("", u.Path); again != uri {
			t.Errorf("%q under %q is %s, and again %s", name, root, uri, again)
		}
	})
}
