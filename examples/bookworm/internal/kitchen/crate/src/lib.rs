//! A kitchen with one of everything that rustdoc writes a page or a section for.
//!
//! See [`Pot`], [the simmering](Pot::simmer), [`recipes::Recipe`] and the [Rust book](https://doc.rust-lang.org/book/).
//!
//! # Utensils & \<tools>
//!
//! | name | `a\|b` | use |
//! |------|:-----:|----:|
//! | pot  | 1     | cooking |
//! | pan  | 2     | *frying* |
//!
//! - [x] washed
//! - [ ] dried
//!   1. by hand
//!   2. by air
//!
//! ```
//! # let hidden = "this line is not shown";
//! let pot = kitchen::Pot::new(3);
//! assert!(pot.litres < 4 && pot.litres > 2);
//!
//! println!("```");
//! ```
//!
//! ```toml
//! [dependencies]
//! kitchen = "1" # a comment
//! ```
//!
//! ```text
//! plain_text *not* emphasised
//! ```
//!
//! ```compile_fail
//! let x: u8 = 256;
//! ```
//!
//! A footnote[^1], ~~nothing~~ something, snake_case_names, 2 * 3 * 4, a_ and _b, <b>bold</b>
//! Vec\<T> -> T, a [link] not, 1\. no list, #hash, \# no heading, a \| b, back\\slash, !wow, https://example.org/a_b and ]]> with &amp; and `]]>`.
//!
//! > Quoted,
//! > twice.
//!
//! [^1]: At the foot.
#![feature(extern_types, trait_alias, rustdoc_internals)]
#![allow(dead_code, internal_features, unused)]
#![cfg_attr(not(old), feature(rustc_attrs))]

/// Re-exported from the crate of macros.
#[doc(inline)]
pub use kitchen_macros::{seasoned, Stir};

#[doc(inline)]
pub use recipes::Recipe;
#[doc(inline)]
pub use recipes::Recipe as Rezept;

pub mod implementors;
pub mod recipes;
pub mod src;
#[path = "измерения.rs"]
pub mod измерения;

/// A pot.
///
/// It has fields with documentation, without, and private ones.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Pot<T = u32>
where
    T: Clone,
{
    /// How much fits in, in [litres](measure::Litre).
    pub litres: T,
    pub lid: bool,
    scratches: Vec<u8>,
}

impl Pot<u32> {
    /// The largest pot.
    pub const MAX: u32 = 50;
    pub const UNDOCUMENTED: &'static str = "1\n2";

    /// Makes a pot.
    ///
    /// # Panics
    ///
    /// If it is larger than [`Pot::MAX`].
    pub fn new(litres: u32) -> Self {
        assert!(litres <= Self::MAX);
        Pot { litres, lid: false, scratches: Vec::new() }
    }

    pub fn simmer(&mut self) -> Result<(), Mishap> {
        Ok(())
    }

    #[deprecated(since = "1.0.0", note = "use simmer")]
    /// Boils over.
    pub unsafe fn boil<'a, F>(&'a self, mut watch: F) -> impl Iterator<Item = &'a u8>
    where
        F: FnMut(&u8) -> bool + 'a,
    {
        self.scratches.iter().filter(move |s| watch(s))
    }
}

impl Pot<u64> {
    /// Makes a very large pot.
    pub fn new(litres: u64) -> Self {
        Pot { litres, lid: true, scratches: Vec::new() }
    }
}

impl<T: Clone> Drop for Pot<T> {
    fn drop(&mut self) {}
}

impl std::ops::Deref for Pot<u32> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.scratches
    }
}

impl Iterator for Pot<u64> {
    type Item = u64;
    /// Takes a litre out.
    fn next(&mut self) -> Option<u64> {
        None
    }
}

impl From<u32> for Pot {
    fn from(litres: u32) -> Self {
        Pot::<u32>::new(litres)
    }
}

impl From<u8> for Pot {
    /// From a small number.
    fn from(litres: u8) -> Self {
        Pot::<u32>::new(litres.into())
    }
}

/// A struct without fields.
pub struct Spoon;

/// A struct with fields without names.
pub struct Pair(pub u8, /** The second. */ pub Spoon, u16);

/// What goes wrong.
#[non_exhaustive]
#[derive(Debug)]
pub enum Mishap {
    /// Too hot.
    Burnt,
    Spilt(u8, String),
    /// With named fields.
    Broken {
        /// How many pieces.
        pieces: usize,
        repaired: bool,
    },
}

pub enum Undocumented {
    /// Only the variant has documentation.
    First,
    Second = 7,
}

impl Undocumented {
    /// Only the method has documentation.
    pub fn only_here() {}
}

/// Overlaid bits.
#[repr(C)]
pub union Bits {
    /// As a whole number.
    pub whole: u32,
    pub broken: f32,
}

/// Something that cooks.
pub trait Cook {
    /// What comes out.
    type Meal: Clone;
    type Waste;
    /// How long it takes.
    const MINUTES: u32;
    const PERSONS: u32 = 4;

    /// Cooks.
    fn cook(&self, with: Pot) -> Self::Meal;
    fn clean(&mut self);
    /// Tastes, by default good.
    fn taste(&self) -> bool {
        true
    }
    fn serve(self)
    where
        Self: Sized,
    {
    }
}

impl Cook for Spoon {
    type Meal = String;
    type Waste = ();
    const MINUTES: u32 = 1;
    fn cook(&self, _: Pot) -> String {
        String::new()
    }
    /// Cleans the spoon.
    fn clean(&mut self) {}
}

impl Cook for str {
    type Meal = u8;
    type Waste = u8;
    const MINUTES: u32 = 2;
    fn cook(&self, _: Pot) -> u8 {
        0
    }
    fn clean(&mut self) {}
}

/// A trait without methods.
pub trait Marker {}

impl<T: Cook> Marker for T {}

/// An alias of bounds.
pub trait Careful = Cook + Send;

/// An alias of a type.
pub type Pots<T> = Vec<Pot<T>>;

/// A type that is declared elsewhere.
extern "C" {
    /// An opaque type.
    pub type Opaque;
    /// A function from elsewhere.
    pub fn stove(heat: i32) -> *mut Opaque;
    /// A variable from elsewhere.
    pub static FLAMES: u8;
}

/// A constant.
pub const SALT: f64 = 1.5e-3;

/// A static.
pub static mut COUNTER: usize = 0;

/// A function.
pub async fn sweep<const N: usize>(floor: [u8; N]) -> usize {
    N
}

pub fn undocumented() {}

/// Measures, made by one macro on one line.
pub mod measure {
    macro_rules! measures {
        ($($name:ident $millilitres:literal),*) => { $(
            /// A measure.
            #[derive(Clone, Copy)]
            pub struct $name;
            impl $name {
                /// How many millilitres it holds.
                pub const fn millilitres() -> u32 { $millilitres }
                pub fn fill(self) -> Self { self }
            }
        )* };
    }
    measures!(Teaspoon 5, Tablespoon 15, Cup 240, Litre 1000);
}

/// Mixes.
///
/// ```
/// kitchen::mix!(1, 2);
/// ```
#[macro_export]
macro_rules! mix {
    () => { 0 };
    ($($part:expr),+ $(,)?) => { 0 $(+ $part)+ };
}

/// Größe, the size.
pub struct Größe {
    /// Der Wert.
    pub wért: u8,
}

impl Größe {
    /// Ändert.
    pub fn ändern(&mut self) {}
}

/// 料理する means to cook.
pub fn 料理する() {}

/// Raw names.
pub mod r#match {
    /// A function called as a keyword.
    pub fn r#fn() {}
    /// Case decides.
    pub struct Thing;
    /// Case decides.
    pub fn thing() {}
}

#[doc(keyword = "match")]
/// The keyword that chooses.
mod match_keyword {}

#[cfg_attr(old, doc(primitive = "never"))]
#[cfg_attr(not(old), rustc_doc_primitive = "never")]
/// What never comes.
mod prim_never {}

/// Has text whose lines begin with digits.
pub const DIGITS: &str = "
1 begins with a digit
22
333 and so does this
";
