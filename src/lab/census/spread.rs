//! A frequency count of integers, with percentiles.

use std::collections::BTreeMap;

/// How often each integer occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Spread {
    counts: BTreeMap<i32, u64>,
}

impl Spread {
    pub(super) fn add(&mut self, value: i32) {
        *self.counts.entry(value).or_default() += 1;
    }

    pub(super) fn merge(&mut self, other: &Self) {
        for (&value, count) in &other.counts {
            *self.counts.entry(value).or_default() += count;
        }
    }

    /// Returns how often `value` occurs.
    pub(super) fn count(&self, value: i32) -> u64 {
        self.counts.get(&value).copied().unwrap_or(0)
    }

    /// Returns the least value with at least `percent` percent of all values at or below it.
    ///
    /// 0 gives the minimum, 100 the maximum. Returns `None` if nothing was counted.
    pub(super) fn percentile(&self, percent: u64) -> Option<i32> {
        let total: u64 = self.counts.values().sum();
        let wanted = (total * percent).div_ceil(100).max(1);
        let mut seen = 0;
        self.counts.iter().find_map(|(&value, count)| {
            seen += count;
            (seen >= wanted).then_some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_match_the_sorted_list() {
        let mut spread = Spread::default();
        assert_eq!(spread.percentile(50), None);
        for value in 1..=100 {
            spread.add(value);
        }
        let mut more = Spread::default();
        more.add(-7);
        assert_eq!([0, 1, 50, 99, 100].map(|p| spread.percentile(p).unwrap()), [1, 1, 50, 99, 100]);
        spread.merge(&more);
        assert_eq!((spread.percentile(0), spread.count(-7), spread.count(-8)), (Some(-7), 1, 0));
        assert_eq!(more.percentile(99), Some(-7));
    }
}
