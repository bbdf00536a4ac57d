//! A file with CRLF at the ends of its lines.

/// Says
/// hello.
pub fn hello() -> &'static str {
    "a\r\n\
    b"
}
