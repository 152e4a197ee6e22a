//! What this program was built from, and for which processors.

/// The commit that this program was built from, if the build recorded it, as `make` does.
pub const COMMIT: Option<&str> = option_env!("DEEPFEELING_COMMIT");

/// The system and the processor family that this program was built for.
const SYSTEM: &str = if cfg!(target_os = "windows") {
    "Windows"
} else if cfg!(target_os = "macos") {
    "macOS"
} else if cfg!(target_os = "linux") {
    "Linux"
} else {
    "another system"
};
const PROCESSOR: &str = if cfg!(target_arch = "x86_64") {
    "x86-64"
} else if cfg!(target_arch = "aarch64") {
    "ARM 64"
} else {
    "another processor"
};

/// A processor feature that affects speed.
#[derive(Clone, Copy, Debug)]
struct ProcessorFeature {
    name: &'static str,
    /// Whether this build uses it.
    is_used: bool,
    /// Whether the processor of this machine has the feature.
    is_present: bool,
}

#[cfg(target_arch = "x86_64")]
fn features() -> [ProcessorFeature; 5] {
    let feature = |name, is_used, is_present| ProcessorFeature { name, is_used, is_present };
    [
        feature("popcnt", cfg!(target_feature = "popcnt"), is_x86_feature_detected!("popcnt")),
        feature("avx2", cfg!(target_feature = "avx2"), is_x86_feature_detected!("avx2")),
        feature("bmi1", cfg!(target_feature = "bmi1"), is_x86_feature_detected!("bmi1")),
        feature("bmi2", cfg!(target_feature = "bmi2"), is_x86_feature_detected!("bmi2")),
        feature("avx512f", cfg!(target_feature = "avx512f"), is_x86_feature_detected!("avx512f")),
    ]
}

/// On other architectures there is nothing to choose.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> [ProcessorFeature; 0] {
    []
}

/// Returns the processor features that this machine has but this build does not use.
pub fn unused_features() -> Vec<&'static str> {
    features().iter().filter(|one| one.is_present && !one.is_used).map(|one| one.name).collect()
}

/// Returns the version, commit, system and processor features of this program, one per line.
pub fn description() -> String {
    let used: Vec<&str> = features().iter().filter(|one| one.is_used).map(|one| one.name).collect();
    format!(
        "{}\ncommit: {}\nsystem: {SYSTEM}, {PROCESSOR}\nprocessor features used: {}",
        env!("CARGO_PKG_VERSION"),
        COMMIT.unwrap_or("not recorded (make records it)"),
        if used.is_empty() { "none".to_owned() } else { used.join(" ") },
    )
}
