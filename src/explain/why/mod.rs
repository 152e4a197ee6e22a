//! Why this move, and why not that one: what is felt, what it changes, and what would turn the
//! choice round.
//!
//! Every search is by nodes, alone, from an empty table: the same question has the same answer.

mod flip;
mod json;
mod judge;
mod line;
mod text;
mod turning;

use super::feeling::Feeling;
use crate::{
    chess::game::Game,
    mind::{appraisal::Appraisal, knob::Knob, relevance::Ratios},
    player::HashError,
    profile::{EvaluatorKind, Profile},
    search::root::limits::Limits,
};
use flip::{Flips, Pair};
use judge::{Judge, Weighed};
use line::Line;
use shakmaty::{Move, Position};
use std::num::NonZeroU64;
use turning::{FactorTurning, Turning};

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    #[error("no move is left in `{0}`: {1}")]
    Over(String, &'static str),
    #[error(transparent)]
    Hash(#[from] HashError),
}

impl WhyError {
    fn over(game: &Game) -> Self {
        let what = if game.chess.is_check() { "checkmate" } else { "stalemate" };
        Self::Over(game.fen(), what)
    }
}

/// The choice of a move, with its reasons.
#[derive(Clone, Debug)]
pub struct Why {
    feeling: Feeling,
    /// Of each search.
    nodes: NonZeroU64,
    felt: Line,
    neutral: Line,
    /// Without feeling, changes that mean nothing leave the choice as it is; looked into where the
    /// feeling changes it. The article's measures know no such change.
    is_steady: Option<bool>,
    /// None if a line ends in mate.
    effect: Option<Effect>,
    asked: Option<Asked>,
}

/// The ends of the line with feeling and of the line without, each weighed both ways.
#[derive(Clone, Debug)]
struct Effect {
    /// The end with feeling, weighed with feeling and without.
    felt: [Weighed; 2],
    /// The end without, weighed in the same two ways.
    neutral: [Weighed; 2],
}

/// The answer about one move.
#[derive(Clone, Debug)]
struct Asked {
    m: Move,
    /// None if it is the only legal one.
    rival: Option<Rival>,
}

/// The best line that begins with the move asked about, or, if that is the choice, with any other.
#[derive(Clone, Debug)]
struct Rival {
    line: Line,
    /// None if a line ends in mate.
    contrast: Option<Contrast>,
    /// None if the map comes to no rest, and no intensity is felt.
    turning: Option<Turning>,
    /// None if a line ends in mate.
    factor: Option<FactorTurning>,
}

/// The ends of the chosen line and of its rival, weighed with feeling.
#[derive(Clone, Debug)]
struct Contrast {
    chosen: Weighed,
    rival: Weighed,
    /// None if the rival's end weighs more as it is: what decides lies elsewhere.
    flips: Option<Flips>,
    /// Which way each factor speaks for the rival.
    ways: Vec<(Knob, f64)>,
}

impl Why {
    /// Why `profile` plays what it plays in `game`, each search taking `nodes`; and why not the
    /// legal move `asked`, or, if it plays that, why no other.
    ///
    /// # Errors
    /// If there is no legal move, or memory cannot be had.
    pub fn of(
        game: Game,
        profile: Profile,
        nodes: NonZeroU64,
        asked: Option<Move>,
    ) -> Result<Self, WhyError> {
        let feeling = Feeling::of(game, profile);
        let limits = |moves| Limits { nodes: Some(nodes), moves, ..Limits::default() };
        let ratios = &feeling.appraisal.ratios;
        let search =
            |felt, moves| Line::search(&feeling.game, judge(&feeling), felt, &limits(moves));
        let felt = search(Some(ratios), Vec::new())?;
        let neutral = search(None, Vec::new())?;
        let effect = Effect::of(&feeling, &felt, &neutral);
        let is_looked_into =
            felt.first() != neutral.first() && feeling.profile.evaluator == EvaluatorKind::Terms;
        let is_steady = is_looked_into
            .then(|| is_steady(&feeling, neutral.first(), &limits(Vec::new())))
            .transpose()?;
        let asked = asked.map(|m| {
            let is_choice = felt.first() == Some(m);
            let moves = if is_choice { others(&feeling.game, m) } else { vec![m] };
            let rival = if moves.is_empty() {
                None
            } else {
                let line = search(Some(ratios), moves)?;
                let mut contrast = Contrast::of(&feeling, &felt, &line);
                if let Some(flips) = contrast.as_mut().and_then(|ends| ends.flips.as_mut()) {
                    flips.search(|ratios, leaning| {
                        let felt = Appraisal { ratios, leaning, ..feeling.appraisal.clone() };
                        line::choice(&feeling.game, &feeling.profile, &felt, &limits(Vec::new()))
                    })?;
                }
                let turned = |choice| (choice == m) != is_choice;
                let turning = Turning::of(&feeling, &limits(Vec::new()), turned)?;
                let factor = contrast.as_ref().map(|ends| {
                    FactorTurning::of(&feeling, &limits(Vec::new()), &ends.ways, turned)
                });
                let factor = factor.transpose()?;
                Some(Rival { line, contrast, turning, factor })
            };
            Ok::<_, WhyError>(Asked { m, rival })
        });
        let asked = asked.transpose()?;
        Ok(Self { feeling, nodes, felt, neutral, is_steady, effect, asked })
    }

    fn judge(&self) -> Judge<'_> {
        judge(&self.feeling)
    }
}

/// The names of all that is weighed: the factors, and the worth of a draw.
fn names_of(judge: Judge<'_>) -> Vec<String> {
    let factors = judge.knobs().into_iter().map(Knob::name);
    factors.chain(["a draw".to_owned()]).collect()
}

fn judge(feeling: &Feeling) -> Judge<'_> {
    Judge { profile: &feeling.profile, side: feeling.appraisal.side }
}

/// Whether the choice without feeling is `neutral` by a hair more and by a hair less, too.
fn is_steady(feeling: &Feeling, neutral: Option<Move>, limits: &Limits) -> Result<bool, WhyError> {
    for units in [1, -1] {
        let profile = feeling.profile.barely_changed(units);
        let judge = Judge { profile: &profile, ..judge(feeling) };
        if Line::search(&feeling.game, judge, None, limits)?.first() != neutral {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The legal moves but `m`.
fn others(game: &Game, m: Move) -> Vec<Move> {
    game.chess.legal_moves().into_iter().filter(|other| *other != m).collect()
}

impl Effect {
    fn of(feeling: &Feeling, felt: &Line, neutral: &Line) -> Option<Self> {
        let judge = judge(feeling);
        let both = |line: &Line| {
            let Appraisal { ratios, leaning, .. } = &feeling.appraisal;
            let felt = judge.weigh(&line.end, ratios, leaning.draw)?;
            Some([felt, judge.weigh(&line.end, &Ratios::NEUTRAL, 0)?])
        };
        Some(Self { felt: both(felt)?, neutral: both(neutral)? })
    }

    /// What each factor weighs, and last a draw: the end with feeling as felt and plain, the end
    /// without as felt and plain, and what the feeling adds to the lead of the first end over the
    /// other. In centipawns.
    fn rows(&self) -> Vec<[f64; 5]> {
        let ([a, b], [c, d]) = (&self.felt, &self.neutral);
        let row = |of: &dyn Fn(&Weighed) -> f64| {
            let [a, b, c, d] = [a, b, c, d].map(of);
            [a, b, c, d, a - b - (c - d)]
        };
        let factors = (0..a.parts.len()).map(|i| row(&|weighed| weighed.parts[i].value));
        factors.chain([row(&|weighed| weighed.draw.into())]).collect()
    }

    /// The shift of [`Self::rows`], term by term, of the factor at `index`; nothing of a draw.
    fn terms(&self, index: usize) -> Vec<(&'static str, f64)> {
        let ends = [&self.felt[0], &self.felt[1], &self.neutral[0], &self.neutral[1]];
        let [Some(a), Some(b), Some(c), Some(d)] = ends.map(|weighed| weighed.parts.get(index))
        else {
            return Vec::new();
        };
        let names = if a.terms.is_empty() { &c.terms } else { &a.terms };
        let shift = |i: usize| {
            let [a, b, c, d] = [a, b, c, d].map(|part| part.term(i));
            a - b - (c - d)
        };
        names.iter().enumerate().map(|(i, (name, _))| (*name, shift(i))).collect()
    }

    /// The same of the evaluation as a whole.
    fn scores(&self) -> [i32; 5] {
        let ([a, b], [c, d]) = (&self.felt, &self.neutral);
        let [a, b, c, d] = [a, b, c, d].map(|weighed| weighed.score);
        [a, b, c, d, a - b - (c - d)]
    }
}

impl Contrast {
    fn of(feeling: &Feeling, chosen: &Line, rival: &Line) -> Option<Self> {
        let (judge, appraisal) = (judge(feeling), &feeling.appraisal);
        let ends = [&chosen.end, &rival.end];
        let weigh = |end| judge.weigh(end, &appraisal.ratios, appraisal.leaning.draw);
        let [chosen, rival] = ends.map(weigh);
        let (chosen, rival) = (chosen?, rival?);
        let pair = Pair { judge, appraisal, ends, weighed: [&chosen, &rival] };
        let flips = (chosen.score >= rival.score).then(|| pair.flips());
        let ways = pair.ways();
        Some(Self { chosen, rival, flips, ways })
    }
}
