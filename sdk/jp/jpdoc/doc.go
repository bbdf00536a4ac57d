// Package jpdoc reads the documents that tools send to JP, and writes those that JP sends to tools, as JP does.
//
// A tool answers with an [Outcome], which may contain a [Question], or with a [Document] of content blocks. JP
// defines these types in Rust with serde, and this package parses documents as serde does. Unlike in
// encoding/json, member names are case-sensitive, a repeated known member is rejected, a required field must
// not be null, and a struct may be an array of its fields.
//
// The envelope of an outcome has several versions. Each has a [Codec].
package jpdoc
