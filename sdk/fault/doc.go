// Package fault is errors with codes.
//
// A tool fails with an [Error]: a [Code] from a closed set, a message for the
// model, and two promises about trying again. An error that carries no code
// becomes [Internal] at the boundary, by [From], so that no caller ever sees an
// uncoded one.
package fault
