package content

import (
	"cmp"
	"net/url"
	"path"
	"strings"
)

// FileURI returns the URI of a file whose name is absolute or relative to root (RFC 8089). All
// names of the same path have the same URI: . and .. are resolved lexically, a trailing slash is
// removed, characters that RFC 3986 does not allow in a path are escaped, and drive letters are
// upper case. [Blocks.Check] refuses the URI if name is relative and root is not absolute.
//
// On every operating system, names are Windows paths if root starts with a drive letter or two
// backslashes, or if name does and root is empty.
func FileURI(root, name string) string {
	if windows(root) || root == "" && windows(name) {
		return windowsURI(root, name)
	}
	switch {
	case strings.HasPrefix(name, "/"):
	case strings.HasPrefix(root, "/"):
		name = root + "/" + name
	default:
		return "file:" + escape(name)
	}
	return "file://" + escape(path.Clean(name))
}

// windows reports whether name is an absolute Windows path.
func windows(name string) bool {
	return strings.HasPrefix(name, `\\`) || hasDrive(name) && (len(name) == 2 || name[2] == '/' || name[2] == '\\')
}

func hasDrive(name string) bool {
	return len(name) >= 2 && name[1] == ':' && 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z'
}

func windowsURI(root, name string) string {
	volume, rest := cutVolume(root)
	own, ownRest := cutVolume(name)
	own = cmp.Or(own, volume)
	switch {
	case strings.HasPrefix(ownRest, "/"):
		volume, rest = own, ownRest
	case own != volume:
		// D:x is relative to a directory that only its process knows.
		return "file:" + escape(name)
	default:
		rest += "/" + ownRest
	}
	if host, isHost := strings.CutPrefix(volume, "//"); isHost {
		return "file://" + escape(host) + escape(path.Clean(rest))
	}
	return "file:///" + volume + escape(path.Clean(rest))
}

// cutVolume splits a Windows path into its drive, such as C:, or its server, such as //server, and
// the rest with slashes. It removes the prefixes of long paths.
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

// escape escapes every byte except slashes and the bytes that RFC 3986 allows in a path segment.
func escape(name string) string {
	return allowed.Replace((&url.URL{Path: name}).EscapedPath())
}

// allowed restores the bytes that net/url escapes although RFC 3986 allows them.
var allowed = strings.NewReplacer("%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")
