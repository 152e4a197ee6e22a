//! The right name that was probably meant by a wrong one.

/// Longer names are cut off here: more letters make no name likelier.
const LONGEST: usize = 60;

/// The name in `names` that takes fewest slips of the pen (letters changed, left out, put in, or
/// swapped) to write as `found`, if at most every second letter is a slip. Capitals are no slip.
///
/// ```
/// use deepfeeling::support::spelling::nearest;
/// assert_eq!(nearest("own_knig", ["material", "own_king"]), Some("own_king"));
/// assert_eq!(nearest("tempo", ["material", "own_king"]), None);
/// ```
pub fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_nearest(found, names).into_iter().next()
}

/// Like [`nearest`], but all names that take as few slips as the nearest, in their order.
pub fn all_nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let found: String = found.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let letters = found.chars().count();
    let mut fewest = usize::MAX;
    let mut nearest = Vec::new();
    for name in names {
        let slips = strsim::osa_distance(&found, &name.to_lowercase());
        if 2 * slips > letters.max(name.chars().count()) || slips > fewest {
            continue;
        }
        if slips < fewest {
            (fewest, nearest) = (slips, Vec::new());
        }
        nearest.push(name);
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_forgiven_but_guesses_are_not_made() {
        let names = ["material", "mobility", "own_king", "Move Overhead"];
        assert_eq!(nearest("Material", names), Some("material"));
        assert_eq!(nearest("moblitiy", names), Some("mobility"));
        assert_eq!(nearest("moveoverhead", names), Some("Move Overhead"));
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"x".repeat(100_000), names), None);
        assert_eq!(all_nearest("e5", ["e3", "d6", "e4"]), ["e3", "e4"]);
    }
}
