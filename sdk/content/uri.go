package content

import (
	"path"
	"strings"
)

// FileURI returns the URI of the file of that name, which is absolute or relative
// to root (RFC 8089). All names of one path have one URI: . and .. are resolved by
// the names alone and not through links, a slash at the end is dropped, what
// RFC 3986 does not allow in a path is escaped, and a drive letter is in upper case.
//
// The names are those of Windows if root starts with a drive letter or two
// backslashes, or name does and root is empty. Where the program runs is not asked.
//
// A name that cannot be made absolute, because root is not, gives a URI that
// [Blocks.Check] refuses.
func FileURI(root, name string) string {
	if windows(root) || root == "" && windows(name) {
		return windowsURI(root, name)
	}
	if !strings.HasPrefix(name, "/") {
		if !strings.HasPrefix(root, "/") {
			return "file:" + escape(name)
		}
		name = root + "/" + name
	}
	return "file://" + escape(path.Clean(name))
}

// windows reports whether name is absolute on Windows.
func windows(name string) bool {
	if strings.HasPrefix(name, `\\`) {
		return true
	}
	return hasDrive(name) && (len(name) == 2 || name[2] == '/' || name[2] == '\\')
}

func hasDrive(name string) bool {
	if len(name) < 2 || name[1] != ':' {
		return false
	}
	letter := name[0] | 0x20
	return 'a' <= letter && letter <= 'z'
}

func windowsURI(root, name string) string {
	volume, rest := cutVolume(root)
	own, ownRest := cutVolume(name)
	switch {
	case own != "" && strings.HasPrefix(ownRest, "/"):
		volume, rest = own, ownRest
	case own != "" && own != volume:
		// D:x is relative to a directory that only its process knows.
		return "file:" + escape(name)
	case own == "" && strings.HasPrefix(ownRest, "/"):
		rest = ownRest
	default:
		rest += "/" + ownRest
	}
	if host, isHost := strings.CutPrefix(volume, "//"); isHost {
		return "file://" + escape(host) + escape(path.Clean(rest))
	}
	return "file:///" + volume + escape(path.Clean(rest))
}

// cutVolume splits a name of Windows into its drive, as C:, or its server, as
// //server, and the rest with slashes. The prefixes of long names are dropped.
func cutVolume(name string) (volume, rest string) {
	name = strings.ReplaceAll(name, `\`, "/")
	if long, ok := strings.CutPrefix(name, "//?/"); ok {
		name = long
		if share, ok := strings.CutPrefix(long, "UNC/"); ok {
			name = "//" + share
		}
	}
	if hasDrive(name) {
		return strings.ToUpper(name[:2]), name[2:]
	}
	if share, ok := strings.CutPrefix(name, "//"); ok {
		host, rest, _ := strings.Cut(share, "/")
		return "//" + strings.ToLower(host), "/" + rest
	}
	return "", name
}

// escape escapes every byte but a slash and those that RFC 3986 allows in the
// segment of a path. net/url escapes some of these as well.
func escape(name string) string {
	const hex = "0123456789ABCDEF"
	var out strings.Builder
	for _, b := range []byte(name) {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9',
			strings.IndexByte("/-._~!$&'()*+,;=:@", b) >= 0:
			out.WriteByte(b)
		default:
			out.Write([]byte{'%', hex[b>>4], hex[b&15]})
		}
	}
	return out.String()
}
