package access

import "syscall"

// renameAcross moves a file from one open directory to another. os.Root can only rename below a
// single directory, and by paths that could change in the meantime.
func renameAcross(from, to entry) error {
	old, err := from.dir.Open(".")
	if err != nil {
		return err
	}
	defer old.Close()
	dst, err := to.dir.Open(".")
	if err != nil {
		return err
	}
	defer dst.Close()
	return syscall.Renameat(int(old.Fd()), from.name, int(dst.Fd()), to.name)
}
