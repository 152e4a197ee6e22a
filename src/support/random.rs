//! A small random number generator that gives the same numbers for the same seed on every machine.
//!
//! The algorithm is `SplitMix64`: a counter with a fixed increment whose bits are mixed (Steele,
//! Lea and Flood 2014). [`unforeseen`] returns unpredictable bits instead, for uses outside play.
//! <https://www.chessprogramming.org/Pseudorandom_Number_Generator>

use std::io;

/// A pseudorandom sequence determined by its seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the sequence for `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    /// Returns a number from 0 to `bound` - 1, almost uniformly distributed. Returns 0 if `bound`
    /// is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// Returns a number from 0 (included) to 1 (excluded).
    pub fn unit(&mut self) -> f64 {
        f64::from((self.bits() >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
    }

    /// Shuffles `items` in place.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Returns unpredictable bits from the operating system, for identifiers and secrets.
///
/// # Errors
/// If the operating system cannot provide them.
pub fn unforeseen() -> io::Result<u64> {
    getrandom::u64().map_err(|error| io::Error::other(error.to_string()))
}

/// Mixes `bits` so that each bit of the result depends on all of them.
#[must_use]
pub const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Returns a hash of `name` that depends on `seed`. It is the same on every machine.
#[must_use]
pub fn hashed(seed: u64, name: &str) -> u64 {
    name.bytes().fold(seed, |hash, byte| mixed(hash ^ u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_matches_the_reference_implementation() {
        // first outputs of the authors' splitmix64.c for seed 1234567
        let mut random = Random::new(1_234_567);
        let first = [random.bits(), random.bits(), random.bits()];
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn numbers_stay_below_their_bound_and_cover_the_range() {
        let mut random = Random::new(1);
        let mut seen = [0; 5];
        (0..1000).for_each(|_| seen[random.below(5)] += 1);
        assert!(seen.iter().all(|&n| (150..250).contains(&n)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.unit())));
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<_> = (0..100).collect();
        Random::new(7).shuffle(&mut items);
        assert!(!items.is_sorted());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
