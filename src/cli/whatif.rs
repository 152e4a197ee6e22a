//! The `whatif` command: compares a feeling with the feeling under changed concepts or facts.

use super::{ProfileArgs, TableArgs, game};
use crate::explain::whatif::{Intervention, WhatIf};
use clap::Args;
use std::io::Write;

const WORDS_HELP: &str = "FEN or startpos, optionally followed by moves and a list of moves, \
    then the changes. A concept is fixed at a value from -1 to 1: material, mobility, \
    king_safety, king_exposure, or one that the map derives from these ('deepfeeling map' lists \
    them). A fact of the board is true or false ('deepfeeling why' lists them)";

#[derive(Args, Debug)]
pub(super) struct WhatIfArgs {
    #[arg(required = true, num_args = 1.., value_name = "FEN|CONCEPT=VALUE|FACT=TRUE",
          help = WORDS_HELP)]
    words: Vec<String>,
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &WhatIfArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let words = args.words.iter().flat_map(|word| word.split_whitespace());
    let (given, position): (Vec<&str>, Vec<&str>) = words.partition(|word| is_intervention(word));
    let position: Vec<_> = position.into_iter().map(str::to_owned).collect();
    let interventions = Intervention::read_all(&given)?;
    let answer = WhatIf::of(game(&position)?, args.profile.profile()?, interventions);
    Ok(super::print(out, args.table, &answer.record(), &answer)?)
}

/// Returns whether `word` sets a concept or a fact. The only other words with an equals sign are
/// promotions such as `e8=Q`. They have a rank before it, and no concept or fact ends with a digit.
fn is_intervention(word: &str) -> bool {
    word.split_once('=').is_some_and(|(before, _)| !before.ends_with(['1', '8']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_is_a_move_and_not_an_intervention() {
        for (word, expected) in [
            ("king_safety=-1", true),
            ("endgame=true", true),
            ("=1", true),
            ("e8=Q", false),
            ("dxc1=N+", false),
            ("e4", false),
        ] {
            assert_eq!(is_intervention(word), expected, "{word}");
        }
    }
}
