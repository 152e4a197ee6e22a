//! Suggests the correct name for a misspelled one ("did you mean …?").

/// Names are compared up to this many characters. More characters would not improve a suggestion.
const LONGEST: usize = 60;

/// Returns the name closest to `found`, by the fewest letters changed, omitted, inserted or
/// swapped. Returns `None` if more than half of the letters differ. Case is ignored.
///
/// ```
/// use deepfeeling::support::spelling::nearest;
/// assert_eq!(nearest("own_knig", ["material", "own_king"]), Some("own_king"));
/// assert_eq!(nearest("tempo", ["material", "own_king"]), None);
/// ```
pub fn nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    all_nearest(found, names).into_iter().next()
}

/// Like [`nearest`], but returns all names at the smallest distance, in their given order.
pub fn all_nearest<'a>(found: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let found: String = found.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    let letters = found.chars().count();
    let mut fewest = usize::MAX;
    let mut nearest = Vec::new();
    for name in names {
        let distance = strsim::osa_distance(&found, &name.to_lowercase());
        if 2 * distance > letters.max(name.chars().count()) || distance > fewest {
            continue;
        }
        if distance < fewest {
            (fewest, nearest) = (distance, Vec::new());
        }
        nearest.push(name);
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_corrected_but_unrelated_names_are_not_suggested() {
        let names = ["material", "mobility", "own_king", "Move Overhead"];
        assert_eq!(nearest("Material", names), Some("material"));
        assert_eq!(nearest("moblitiy", names), Some("mobility"));
        assert_eq!(nearest("moveoverhead", names), Some("Move Overhead"));
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"x".repeat(100_000), names), None);
        assert_eq!(all_nearest("e5", ["e3", "d6", "e4"]), ["e3", "e4"]);
    }
}
