//! The `feel` command: prints the feelings about a position and their effect on the evaluation.

use super::PositionArgs;
use crate::explain::feeling::Feeling;
use std::io::Write;

pub(super) fn run(args: &PositionArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let feeling = Feeling::of(args.game()?, args.profile.profile()?);
    Ok(super::print(out, args.table, &feeling.record(), &feeling)?)
}
