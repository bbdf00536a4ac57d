//! Brew tea by the clock.
//!
//! A [`Teapot`] holds water, and a [`Brew`] says for how long the leaves stay in it:
//!
//! ```
//! use tea_time::{Brew, Teapot};
//!
//! let mut pot = Teapot::new(750);
//! assert_eq!(pot.fill(Brew::Green)?, 120);
//! # Ok::<(), tea_time::BrewError>(())
//! ```

pub mod blend;
pub mod water;

use std::fmt;

/// The least water, in milliliters, that a pot is worth heating for.
pub const LEAST_WATER: u32 = 200;

/// How many cups were poured since the program began.
pub static CUPS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

/// Anything that leaves can stay in.
///
/// Only [`Steep::seconds`] must be written.
pub trait Steep {
    /// What becomes of the leaves.
    type Output;

    /// The longest that leaves may stay.
    const LONGEST: u32 = 600;

    /// For how many seconds the leaves stay in.
    fn seconds(&self) -> u32;

    /// Whether it takes longer than [`Steep::LONGEST`].
    fn is_too_long(&self) -> bool {
        self.seconds() > Self::LONGEST
    }
}

/// A kind of tea.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brew {
    /// Two minutes, with water of 80 °C.
    Green,
    /// Four minutes, with boiling water.
    Black,
    /// As many minutes as you like.
    Herbal {
        /// For how many minutes.
        minutes: u32,
    },
}

impl Steep for Brew {
    type Output = ();

    fn seconds(&self) -> u32 {
        match self {
            Brew::Green => 120,
            Brew::Black => 240,
            Brew::Herbal { minutes } => 60 * minutes,
        }
    }
}

/// Why no tea was made.
#[derive(Debug)]
pub enum BrewError {
    /// There is less than [`LEAST_WATER`] in the pot.
    TooLittleWater(u32),
    /// The pot is not empty.
    Full,
}

impl fmt::Display for BrewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrewError::TooLittleWater(ml) => write!(f, "{ml} ml are too little"),
            BrewError::Full => f.write_str("the pot is full"),
        }
    }
}

impl std::error::Error for BrewError {}

/// A pot, and what is in it.
///
/// # Examples
///
/// ```
/// # use tea_time::*;
/// let pot = Teapot::new(500);
/// assert!(pot.is_empty());
/// ```
#[derive(Debug)]
pub struct Teapot {
    /// Milliliters of water.
    pub water: u32,
    brew: Option<Brew>,
}

impl Teapot {
    /// Returns a pot with water in it, and no tea yet.
    pub fn new(water: u32) -> Self {
        Teapot { water, brew: None }
    }

    /// Puts leaves in, and returns for how many seconds to wait.
    ///
    /// # Errors
    ///
    /// [`BrewError::TooLittleWater`] if the pot is [not worth it](LEAST_WATER), and
    /// [`BrewError::Full`] if there is tea in it already.
    pub fn fill(&mut self, brew: Brew) -> Result<u32, BrewError> {
        if self.water < LEAST_WATER {
            return Err(BrewError::TooLittleWater(self.water));
        }
        if self.brew.is_some() {
            return Err(BrewError::Full);
        }
        self.brew = Some(brew);
        Ok(brew.seconds())
    }

    pub fn is_empty(&self) -> bool {
        self.brew.is_none()
    }
}

/// How strong a tea becomes, by grams of leaves and seconds.
pub fn strength(grams: f32, seconds: u32) -> f32 {
    grams * seconds as f32 / 120.0
}

/// Seconds of so many minutes.
///
/// ```
/// assert_eq!(tea_time::minutes!(2), 120);
/// ```
#[macro_export]
macro_rules! minutes {
    ($n:expr) => {
        60 * $n
    };
}

/// A result of making tea.
pub type Result<T, E = BrewError> = std::result::Result<T, E>;
