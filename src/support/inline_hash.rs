//! Hashes by which a content security policy allows one inline script or style, and no other.

use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// Returns the source expression for an inline element with this text, such as `'sha256-…'`.
/// <https://www.w3.org/TR/CSP3/#grammardef-hash-source>
#[must_use]
pub fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_standard_has_its_hash() {
        let expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert_eq!(source("alert('Hello, world.');"), expected);
    }
}
