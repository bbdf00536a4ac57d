//go:build !linux

package access

// renameAcross moves a file by its path below the root, since the standard library cannot move files
// between open directories on this system. If a directory is replaced with a link during the move, the
// link is followed, but never out of the root.
func renameAcross(from, to entry) error {
	if from.base != to.base {
		return refuse(elsewhere, from.given)
	}
	old, _ := relative(from.base.dir, from.path)
	dst, _ := relative(to.base.dir, to.path)
	return from.base.root.Rename(old, dst)
}
