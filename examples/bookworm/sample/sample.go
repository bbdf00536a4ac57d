// Package sample is a small crate and its documentation, for demonstrations and tests.
package sample

import _ "embed" // for the embedded files

// Name and Version identify the crate.
const (
	Name    = "tea-time"
	Version = "1.2.0"
)

// Docs is the output of rustdoc 1.95 for the crate, zipped in the same way as on docs.rs, without the files that
// all crates share. `make sample` regenerates it.
//
//go:embed tea-time-1.2.0.zip
var Docs []byte

// Readme is the README of the crate as crates.io renders it.
//
//go:embed readme.html
var Readme string
