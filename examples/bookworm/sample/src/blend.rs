//! Teas of several kinds.

use crate::Brew;

/// A mixture of two teas.
#[derive(Clone, Debug)]
pub struct Blend {
    /// What there is most of.
    pub base: Brew,
    /// What gives it its taste.
    pub accent: Brew,
}

impl Blend {
    /// Mixes two teas.
    pub fn of(base: Brew, accent: Brew) -> Blend {
        Blend { base, accent }
    }
}
