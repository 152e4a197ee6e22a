//! Lists of all variants of an enum, derived from its declaration.

use strum::VariantArray;

/// Returns the `N` variants of an enum in the order of declaration.
///
/// # Panics
/// If the enum has another number of variants. In a constant, this is an error at compile time.
#[must_use]
pub const fn variants<T: VariantArray + Copy, const N: usize>() -> [T; N] {
    match T::VARIANTS.first_chunk() {
        Some(all) if T::VARIANTS.len() == N => *all,
        _ => panic!("the number of variants differs"),
    }
}
