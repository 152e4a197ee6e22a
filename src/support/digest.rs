//! A short checksum that identifies a content, the same on every machine.

/// Returns eight hexadecimal digits of the 64-bit FNV-1a hash of `bytes`.
/// <https://datatracker.ietf.org/doc/html/rfc9923>
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    format!("{:08x}", (hash >> 32 ^ hash) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_matches_published_fnv_1a_hashes() {
        // FNV-1a of the empty string and of "a": cbf29ce484222325 and af63dc4c8601ec8c
        assert_eq!(digest(b""), format!("{:08x}", 0xcbf2_9ce4_u32 ^ 0x8422_2325));
        assert_eq!(digest(b"a"), format!("{:08x}", 0xaf63_dc4c_u32 ^ 0x8601_ec8c));
    }
}
