//! Enums of which every variant has a name, and arrays with one value per variant.
//!
//! The facts, goals and groups of a game are such enums. Each knows the type of an array with as many
//! entries as it has variants, so the general mind needs neither hash maps nor a largest number.

use std::{array, fmt::Debug};

/// An array with one `T` per variant of an enum. Every `[T; N]` is one.
pub trait Row<T>: AsRef<[T]> + AsMut<[T]> + IntoIterator<Item = T> {
    /// Creates the array from a function of the index.
    fn from_fn(value: impl FnMut(usize) -> T) -> Self;
}

impl<T, const N: usize> Row<T> for [T; N] {
    fn from_fn(value: impl FnMut(usize) -> T) -> Self {
        array::from_fn(value)
    }
}

/// A [`Row`] of ratios.
pub trait RatioRow: Row<f64> + Copy + Debug + PartialEq {
    /// The array with 1 in every entry.
    const ONES: Self;
}

impl<const N: usize> RatioRow for [f64; N] {
    const ONES: Self = [1.0; N];
}

/// An enum of which every variant has a name.
pub trait Listed: Copy + Debug + Eq + 'static {
    /// One `T` per variant: `[T; N]`, where `N` is the number of variants.
    type Each<T>: Row<T>;

    /// Every variant, in the order of declaration.
    const ALL: Self::Each<Self>;

    /// Returns the name used in profiles and tables, in snake case.
    fn name(self) -> &'static str;

    /// Returns the place in [`Self::ALL`]. An enum can override this with `self as usize`.
    #[must_use]
    fn index(self) -> usize {
        // every variant is in the list
        Self::ALL.as_ref().iter().position(|other| *other == self).unwrap_or_default()
    }

    /// Returns the variant with this name.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}

/// One `T` per variant of `L`, an array.
pub type Each<L, T> = <L as Listed>::Each<T>;

/// Returns the value of `variant` in an array with one value per variant.
#[must_use]
pub fn value_of<L: Listed, T: Copy>(values: &L::Each<T>, variant: L) -> T {
    values.as_ref()[variant.index()]
}
