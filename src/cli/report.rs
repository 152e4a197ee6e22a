//! `report`: a game as a page to look at.

use super::output::Output;
use crate::{
    games::{self, PlayedGame},
    review::{Review, Reviewer},
    search::{Signals, limits::Limits},
    story::report::{self, Telling},
};
use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::ProgressBar;
use std::{
    io::Write,
    num::{NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
    time::Duration,
};

/// How often the sign of life on stderr moves.
const TICK: Duration = Duration::from_millis(100);

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
    deepfeeling report games.pgn --game 3 --against berserker -o game.html\n\n\
    goes through the third game of the file as two temperaments feel it. The page works in any \
    browser,\nwithout a network: arrow keys, Home and End go through the game.")]
pub(super) struct ReportArgs {
    /// A PGN file, plain or compressed with zstd
    #[arg(value_name = "PGN")]
    games: PathBuf,
    /// Write the page to this file
    #[arg(short, long, value_name = "HTML")]
    output: PathBuf,
    /// Which game of the file, from 1
    #[arg(long, default_value = "1", value_name = "NUMBER")]
    game: NonZeroUsize,
    /// Nodes of the search of each position: the same game has the same page
    #[arg(long, default_value = "20000", value_name = "N")]
    nodes: NonZeroU64,
    /// Whose feelings are shown: a built-in profile, or the path of a TOML file
    #[arg(long, default_value = "standard", value_name = "NAME|TOML")]
    profile: String,
    /// A second temperament, to show where the two part
    #[arg(long, value_name = "NAME|TOML")]
    against: Option<String>,
}

pub(super) fn run(args: &ReportArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.output.display();
    let is_page = |start: &[u8]| start.starts_with(b"<!doctype html>");
    let output = Output::new(&args.output, "HTML page", is_page)?;
    let profiles = [Some(args.profile.as_str()), args.against.as_deref()];
    let mut reviewers = Vec::new();
    for name in profiles.into_iter().flatten() {
        let limits = Limits { nodes: Some(args.nodes), ..Limits::default() };
        reviewers.push(Reviewer::new(super::profile(name)?, limits)?);
    }
    let played = pick(&args.games, args.game.get())?;
    let number = played.number;
    ensure!(!played.moves.is_empty(), "{}: game {number} has no moves", args.games.display());
    let bar = ProgressBar::new_spinner().with_message(format!("going through game {number}"));
    bar.enable_steady_tick(TICK);
    let reviews: Vec<_> = reviewers
        .iter_mut()
        .filter_map(|reviewer| reviewer.review(&played, &Signals::default()))
        .collect();
    bar.finish_and_clear();
    let mut tellings = reviewers.iter().zip(&reviews).map(telling);
    let first = tellings.next().context("the review was stopped")?;
    let page = report::page(first, tellings.next(), &format!("{} nodes a move", args.nodes));
    output.write(&page)?;
    let plies = played.moves.len();
    writeln!(out, "{name}: game {number}, {plies} plies")?;
    Ok(())
}

fn telling<'a>((reviewer, review): (&'a Reviewer, &'a Review)) -> Telling<'a> {
    Telling { profile: reviewer.profile(), review }
}

/// The game of this number.
fn pick(path: &Path, number: usize) -> anyhow::Result<PlayedGame> {
    let name = path.display();
    let games = games::read(path).with_context(|| format!("{name}: cannot be read"))?;
    let mut count = 0;
    for game in games {
        count += 1;
        if count == number {
            return game.with_context(|| name.to_string());
        }
    }
    match count {
        0 => bail!("{name}: found no game, expected PGN"),
        1 => bail!("{name}: found no game {number}, allowed: 1, the only one"),
        _ => bail!("{name}: found no game {number}, allowed: 1 to {count}"),
    }
}
