//! Water, and how hot it is.

/// A temperature in degrees Celsius.
pub type Celsius = f32;

/// The point at which water boils, at the sea.
pub const BOILING: Celsius = 100.0;

/// Water as it comes from somewhere.
pub trait Source {
    /// Fills a pot with as many milliliters.
    fn draw(&mut self, milliliters: u32) -> u32;
}
