//! A module that is called as a folder of old archives.
/// A function in it.
pub fn implement() {}
