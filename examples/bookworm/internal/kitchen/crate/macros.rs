//! Procedural macros, which a crate has to itself.
extern crate proc_macro;
use proc_macro::TokenStream;

/// Derives nothing at all.
#[proc_macro_derive(Stir, attributes(spoon))]
pub fn stir(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Leaves an item as it is.
#[proc_macro_attribute]
pub fn seasoned(_: TokenStream, item: TokenStream) -> TokenStream {
    item
}
