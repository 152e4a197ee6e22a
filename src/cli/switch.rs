//! `on` or `off`, as the value of an option.

use clap::ValueEnum;

/// Whether something is switched on. Older scripts may still say `true` and `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Switch {
    #[value(alias = "true")]
    On,
    #[value(alias = "false")]
    Off,
}

impl Switch {
    pub(super) fn is_on(self) -> bool {
        self == Self::On
    }
}
