//! The search limit options shared by several commands: nodes, time or depth.

use crate::search::root::limits::Limits;
use clap::Args;
use std::{num::NonZeroU64, time::Duration};

/// The number of nodes if no limit is given.
const DEFAULT_NODES: NonZeroU64 = NonZeroU64::new(100_000).unwrap();

#[derive(Args, Clone, Copy, Debug)]
pub(super) struct LimitArgs {
    /// Nodes per position [default: 100000]
    #[arg(long, group = "limit", value_name = "N")]
    nodes: Option<NonZeroU64>,
    /// Seconds per position
    #[arg(long, group = "limit", value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Search depth for each position, in plies
    #[arg(long, group = "limit", value_name = "PLIES",
          value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
}

impl LimitArgs {
    pub(super) fn limits(self) -> Limits {
        let unlimited = self.time.is_none() && self.depth.is_none();
        let nodes = self.nodes.or(unlimited.then_some(DEFAULT_NODES));
        Limits { nodes, move_time: self.time, depth: self.depth, ..Limits::default() }
    }

    /// Formats the limit: `2000 nodes`, `depth 12` or `0.5 s`.
    pub(super) fn describe(self) -> String {
        let Limits { nodes, move_time, depth, .. } = self.limits();
        match (depth, move_time, nodes) {
            (Some(depth), ..) => format!("depth {depth}"),
            (None, Some(time), _) => format!("{} s", time.as_secs_f64()),
            (None, None, nodes) => format!("{} nodes", nodes.map_or(0, NonZeroU64::get)),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let allowed = Duration::from_millis(1)..=Duration::from_hours(24);
    seconds
        .filter(|seconds| allowed.contains(seconds))
        .ok_or_else(|| "allowed: 0.001 to 86400 seconds".to_owned())
}
