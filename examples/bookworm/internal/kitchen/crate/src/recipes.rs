/*! Recipes. */

/// A recipe.
///
/// Go back to [the kitchen](crate), [the pot](super::Pot) or [its field](super::Pot::litres).
pub struct Recipe {
    /// The steps.
    pub steps: Vec<String>,
}

impl Recipe {
    /// Adds a step.
    pub fn step(mut self, text: &str) -> Self {
        self.steps.push(text.into());
        self
    }
}
