// Package access provides file access that is confined to a directory and to the grants of a user.
//
// A [Policy] is what a user lets a tool do (JP RFD 076). [Open] combines a policy with a directory. Every
// method of the returned [FS] resolves its path, asks the policy about the resolved location, and then acts
// on exactly that file, through directory handles that follow no symbolic link. If another process changes
// the path between the check and the operation, the method tries again or fails; it does not act on another
// file. (Renames between directories are weaker on systems other than Linux; docs/access.md lists what else
// is not enforced.)
//
// Paths are relative to the directory and use slashes. A refusal is an error of type *[fault.Error];
// Details["reason"] distinguishes refusals with the same code.
package access
