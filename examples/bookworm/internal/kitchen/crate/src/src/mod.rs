//! A module that is called as the folder of sources.
/// A struct in it.
pub struct Sieve {
    pub mesh: u8,
}
