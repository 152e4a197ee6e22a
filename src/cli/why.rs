//! The `why` command: explains why a move is played and not another.

use super::{ProfileArgs, TableArgs, game};
use crate::{
    chess::{game::split_position, known::KnownGames},
    explain::{feeling::Feeling, person::PersonView, why::Why},
};
use anyhow::bail;
use clap::Args;
use std::{io::Write, num::NonZeroU64, path::PathBuf, sync::Arc};

#[derive(Args, Debug)]
pub(super) struct WhyArgs {
    /// FEN or startpos, optionally followed by a move to ask about, e.g. 'startpos e4', or by a
    /// list of moves, e.g. 'startpos moves e4 e5 Nf3'. After a list of moves, use --move
    #[arg(required = true, num_args = 1.., value_name = "FEN")]
    position: Vec<String>,
    /// Move to ask about, e.g. e2e4 or Nf3: explain why it is not played, or why no other move is
    #[arg(long = "move", value_name = "MOVE")]
    asked: Option<String>,
    #[command(flatten)]
    profile: ProfileArgs,
    /// Nodes per search. Equal node counts give equal answers
    #[arg(long, default_value = "100000", value_name = "N")]
    nodes: NonZeroU64,
    /// Explain the move that the human style plays at this rating
    #[arg(long, value_name = "ELO", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u16).range(1000..=2200))]
    rating: Option<u16>,
    /// Seed of the human style
    #[arg(long, default_value_t = 1, value_name = "N", requires = "rating")]
    seed: u64,
    /// File of known positions that the engine remembers, as written by remember
    #[arg(long, value_name = "FILE", conflicts_with = "rating")]
    known_games: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
}

pub(super) fn run(args: &WhyArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let words: Vec<_> = args.position.iter().flat_map(|word| word.split_whitespace()).collect();
    let (position, behind) = split(&words);
    let asked = match (behind, args.asked.as_deref()) {
        ([], asked) => asked,
        ([word], None) => Some(*word),
        ([word], Some(asked)) => bail!("found two moves, `{word}` and `{asked}`; allowed: one"),
        (words, _) => bail!(
            "found `{}` after the position; allowed: one move to ask about, or `moves e2e4 …`",
            words.join(" ")
        ),
    };
    let game = game(&position)?;
    let asked = asked.map(|text| game.read_move(text.trim())).transpose()?;
    if let Some(rating) = args.rating {
        let view = PersonView::of(game, args.profile.profile()?, rating, args.seed, asked)?;
        return Ok(super::print(out, args.table, &view.record(), view.to_string().trim_end())?);
    }
    let known = args.known_games.as_deref().map(KnownGames::read).transpose()?;
    let feeling = Feeling::remembering(game, args.profile.profile()?, known.map(Arc::new));
    let why = Why::of(feeling, args.nodes, asked)?;
    Ok(super::print(out, args.table, &why.record(), why.to_string().trim_end())?)
}

/// Splits the words into the position with its list of moves, and the rest.
fn split<'a, 'w>(words: &'a [&'w str]) -> (Vec<String>, &'a [&'w str]) {
    let length = if words.contains(&"moves") {
        words.len()
    } else if words.first() == Some(&"startpos") {
        1
    } else {
        // if there are too few words for a position, the parser reports the error
        split_position(&words.join(" "))
            .map_or(words.len(), |(position, _)| position.split_whitespace().count())
    };
    let (position, behind) = words.split_at(length);
    (position.iter().map(|word| (*word).to_owned()).collect(), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_after_the_position_are_the_question() {
        for (text, position, behind) in [
            ("startpos", "startpos", ""),
            ("startpos e4", "startpos", "e4"),
            ("startpos moves e2e4 e7e5", "startpos moves e2e4 e7e5", ""),
            ("8/8/8 w - - 0 1", "8/8/8 w - - 0 1", ""),
            ("8/8/8 w - - 0 1 Kf2", "8/8/8 w - - 0 1", "Kf2"),
            ("8/8/8 w - - e8=Q", "8/8/8 w - -", "e8=Q"),
            ("8/8/8 w - - 0 1 moves e2e4", "8/8/8 w - - 0 1 moves e2e4", ""),
            ("8/8/8 w", "8/8/8 w", ""),
        ] {
            let words: Vec<_> = text.split_whitespace().collect();
            let (found, rest) = split(&words);
            assert_eq!((found.join(" ").as_str(), rest.join(" ").as_str()), (position, behind));
        }
    }
}
