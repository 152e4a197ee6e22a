//! The `eval` command: prints the static evaluation of a position, term by term.

use super::PositionArgs;
use crate::explain::evaluation::Evaluation;
use std::io::Write;

pub(super) fn run(args: &PositionArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let evaluation = Evaluation::of(args.game()?, args.profile.profile()?);
    Ok(super::print(out, args.table, &evaluation.record(), &evaluation)?)
}
