//! The text of a profile that is another one with other weights.

use super::{Profile, ProfileError, error::one_line, file::weights_toml, unreadable};
use crate::eval::weights::Weights;
use std::fs;

/// The text of a profile file that differs from `start` by its weights alone: it extends a built-in
/// profile, and repeats one that was read from a file (without its comments).
///
/// # Errors
/// If `start` was read from a file that cannot be read again.
pub fn refitted(start: &Profile, weights: &Weights) -> Result<String, ProfileError> {
    let source = start.source.as_str();
    let rest = if Profile::BUILTIN.contains(&source) {
        let (name, summary) = (&start.name, &start.summary);
        format!(
            "[about]\nname = \"{name} tuned\"\nsummary = {}\nextends = \"{source}\"\n",
            toml::Value::from(summary.as_str())
        )
    } else {
        let refuse = |reason: String| unreadable(source, one_line(&reason));
        let text = fs::read_to_string(source).map_err(|e| refuse(e.to_string()))?;
        let mut table: toml::Table = text.parse().map_err(|e| refuse(format!("{e}")))?;
        table.remove("weights");
        table.to_string()
    };
    Ok(format!(
        "# Weights fitted by `deepfeeling tune`, from those of {}.\n{rest}\n{}",
        one_line(source),
        weights_toml(weights)
    ))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail loudly")]
mod tests {
    use super::*;
    use crate::score::Tapered;
    use std::path::Path;

    #[test]
    fn all_but_the_weights_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tuned.toml");
        for name in Profile::BUILTIN {
            let start = Profile::builtin(name).unwrap();
            let mut weights = start.weights.clone();
            weights.0[0] = Tapered::new(77, -78);
            fs::write(&path, refitted(&start, &weights).unwrap()).unwrap();
            let tuned = Profile::from_file(&path).unwrap();
            assert_eq!(tuned.mind, start.mind, "{name}");
            assert_eq!(tuned.weights, weights);
            // and once more, from that file
            weights.0[1] = Tapered::new(79, 80);
            fs::write(&path, refitted(&tuned, &weights).unwrap()).unwrap();
            let again = Profile::from_file(&path).unwrap();
            assert_eq!((again.weights, again.name), (weights, tuned.name));
            assert_eq!((again.mind, again.evaluator), (start.mind, start.evaluator));
        }
    }

    #[test]
    fn a_profile_that_is_gone_is_refused() {
        let mut start = Profile::builtin("default").unwrap();
        start.source = Path::new("/no/such.toml").display().to_string();
        assert!(refitted(&start, &start.weights).is_err());
    }
}
