//! The `report` command: writes an HTML page that replays a game with feelings.

use super::{bars, output::OutputFile};
use crate::{
    pgn::{self, PlayedGame},
    review::{
        Review, Reviewer, coach,
        report::{ProfileReview, Report},
    },
    search::{Signals, root::limits::Limits},
};
use anyhow::{Context, bail, ensure};
use clap::Args;
use std::{
    io::Write,
    num::{NonZeroU64, NonZeroUsize},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

#[derive(Args, Debug)]
#[command(after_help = "Example:\n  \
    deepfeeling report games.pgn --game 3 --against berserker -o game.html\n\n\
    shows the third game of the file with the feelings of two profiles. The page works offline in \
    any browser.\nUse the arrow keys, Home and End to step through the game.")]
pub(super) struct ReportArgs {
    /// PGN file, plain or compressed with gzip or zstd
    #[arg(value_name = "PGN")]
    games: PathBuf,
    /// Write the page to this file
    #[arg(long, short, alias = "output", value_name = "HTML")]
    out: PathBuf,
    /// Number of the game in the file, from 1
    #[arg(long, default_value = "1", value_name = "NUMBER")]
    game: NonZeroUsize,
    /// Nodes per position. Equal node counts give equal pages
    #[arg(long, default_value = "20000", value_name = "N")]
    nodes: NonZeroU64,
    /// Profile whose feelings to show: built-in profile or path of a TOML file
    #[arg(long, default_value = "standard", value_name = "NAME|TOML")]
    profile: String,
    /// Second profile, to show where the two differ
    #[arg(long, value_name = "NAME|TOML")]
    against: Option<String>,
}

pub(super) fn run(args: &ReportArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.out.display();
    let is_page = |start: &[u8]| start.starts_with(b"<!doctype html>");
    let output = OutputFile::new(&args.out, "an HTML page", is_page)?;
    let profiles = [Some(args.profile.as_str()), args.against.as_deref()];
    let mut reviewers = Vec::new();
    for name in profiles.into_iter().flatten() {
        let limits = Limits::of_nodes(args.nodes);
        reviewers.push(Reviewer::new(super::profile(name)?, limits)?);
    }
    let played = pick(&args.games, args.game.get())?;
    let number = played.number;
    ensure!(!played.moves.is_empty(), "{}: game {number} has no moves", args.games.display());
    let reviews = review(&mut reviewers, &played)?;
    let mut profile_reviews = reviewers.iter().zip(&reviews).map(profile_review);
    let first = profile_reviews.next().context("the review was stopped")?;
    let lessons = coach::lessons_of(first.review, first.profile)?;
    let limit = format!("{} nodes per move", args.nodes);
    output.write(&Report::new(first, profile_reviews.next(), &lessons, &limit).page())?;
    let plies = played.moves.len();
    writeln!(out, "{name}: game {number}, {plies} plies")?;
    Ok(())
}

/// Reviews the game with each reviewer, with a progress bar on stderr.
fn review(reviewers: &mut [Reviewer], played: &PlayedGame) -> anyhow::Result<Vec<Review>> {
    let (plies, number) = (played.moves.len() as u64, played.number);
    let bar = bars::bar(plies * reviewers.len() as u64, "{bar:30} {left}{msg}")?;
    let mut reviews = Vec::new();
    for reviewer in reviewers {
        let name = reviewer.profile().name.clone();
        let show = |ply| {
            bar.set_message(format!("game {number}, {name}: ply {ply} of {plies}"));
        };
        show(0);
        let done = |ply| {
            bar.inc(1);
            show(ply as u64);
        };
        reviews.extend(reviewer.review_by_ply(played, &Signals::default(), done));
    }
    bar.finish_and_clear();
    Ok(reviews)
}

fn profile_review<'a>((reviewer, review): (&'a Reviewer, &'a Review)) -> ProfileReview<'a> {
    ProfileReview { profile: reviewer.profile(), review }
}

/// Reads game `number` of the file.
fn pick(path: &Path, number: usize) -> anyhow::Result<PlayedGame> {
    let name = path.display();
    // never set, because this command does not handle Ctrl-C
    let stop = AtomicBool::new(false);
    let games = pgn::read(path, &stop).with_context(|| format!("{name}: cannot be read"))?;
    let mut count = 0;
    for game in games {
        count += 1;
        if count == number {
            return game.with_context(|| name.to_string());
        }
    }
    match count {
        0 => bail!("{name}: found no game, expected PGN"),
        1 => bail!("{name}: found no game {number}, allowed: 1 (the only game)"),
        _ => bail!("{name}: found no game {number}, allowed: 1 to {count}"),
    }
}
