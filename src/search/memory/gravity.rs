//! The update rule of all histories: entries stay within a bound and forget old results.
//! <https://www.chessprogramming.org/History_Heuristic>

/// Adds `bonus` with gravity: the closer the entry is to ±`most`, the smaller the change.
pub(in crate::search) fn add(entry: &mut i16, bonus: i32, most: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / most) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::params::HISTORY_MAX;

    #[test]
    fn gravity_keeps_histories_within_bounds() {
        const BONUS: i32 = 1700;
        let mut entry = 0;
        for _ in 0..10_000 {
            add(&mut entry, BONUS, HISTORY_MAX);
        }
        assert!(i32::from(entry) > HISTORY_MAX * 9 / 10 && i32::from(entry) <= HISTORY_MAX);
        for _ in 0..10_000 {
            add(&mut entry, -BONUS, HISTORY_MAX);
        }
        assert!(i32::from(entry) < -HISTORY_MAX * 9 / 10);
    }
}
