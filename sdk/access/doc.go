// Package access is a file system that stays inside its grants.
//
// A [Policy] is what a user lets a tool do (JP RFD 076). [Open] joins one with a
// directory: every method of the [FS] it returns resolves the path it is given,
// asks the policy about the place that was found, and then acts on that place
// alone, through directory handles that follow no symbolic link. What another
// process changes between the question and the act makes the method try anew or
// fail; it does not make it act elsewhere. (Renames between directories fall short
// of that outside of Linux; docs/access.md says what else is not enforced.)
//
// Paths are relative to the directory, separated by slashes. What an FS refuses is a
// *[fault.Error]; Details["reason"] tells those of one code apart.
package access
