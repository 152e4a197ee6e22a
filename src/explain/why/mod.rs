//! Explains why the engine plays a move and why not another, as printed by `deepfeeling why`.
//!
//! The explanation covers what the engine feels, how the feeling changes the evaluation, and which
//! changes of the feeling would lead to another move. Every search has a fixed number of nodes, one
//! thread and an empty table, so the same question always gets the same answer.

mod end;
mod evaluator;
mod flip;
mod json;
mod line;
mod text;
mod turning;

use super::{feeling::Feeling, known::KnownView};
use crate::{
    chess::game::Game,
    chess_mind::{Appraisal, Ratios, SideGroup},
    player::OptionsError,
    profile::EvaluatorKind,
    search::root::limits::Limits,
};
use evaluator::{FactorSplit, ProfileEvaluator};
use flip::{Flips, Pair};
use line::BestLine;
use shakmaty::{Move, Position};
use std::num::NonZeroU64;
use turning::{FactorTurning, Turning};

/// An error that prevents an explanation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WhyError {
    /// The game is over.
    #[error("no legal move in `{0}`: {1}")]
    Over(String, &'static str),
    /// The engine cannot be created, because its table cannot be allocated.
    #[error(transparent)]
    Engine(#[from] OptionsError),
}

impl WhyError {
    pub(super) fn over(game: &Game) -> Self {
        let what = if game.chess.is_check() { "checkmate" } else { "stalemate" };
        Self::Over(game.fen(), what)
    }
}

/// The engine's move and the reasons for it.
#[derive(Clone, Debug)]
pub struct Why {
    feeling: Feeling,
    /// What known games say about the position and its moves, if there are any games.
    known: Option<KnownView>,
    /// Number of nodes of each search.
    nodes: NonZeroU64,
    /// The best line with feeling.
    felt: BestLine,
    /// The best line without feeling.
    neutral: BestLine,
    /// Whether the choice without feeling survives a negligible change of the evaluation. It is
    /// `None` if the feeling does not change the choice, or if the profile uses the article's
    /// measures.
    is_steady: Option<bool>,
    /// The effect of the feeling, or `None` if a line ends in mate.
    effect: Option<Effect>,
    /// The answer about the move asked about, if any.
    asked: Option<MoveAnswer>,
}

/// The ends of the lines with and without feeling, each evaluated with and without feeling.
#[derive(Clone, Debug)]
struct Effect {
    /// The end of the line with feeling, evaluated with and without feeling.
    felt: [FactorSplit; 2],
    /// The end of the line without feeling, evaluated with and without feeling.
    neutral: [FactorSplit; 2],
}

/// The answer about one move.
#[derive(Clone, Debug)]
struct MoveAnswer {
    m: Move,
    /// The alternative, or `None` if `m` is the only legal move.
    rival: Option<Rival>,
}

/// The best line that begins with the move asked about. If that is the engine's choice, the best
/// line that begins with any other move.
#[derive(Clone, Debug)]
struct Rival {
    line: BestLine,
    /// The comparison of both ends, or `None` if a line ends in mate.
    contrast: Option<Contrast>,
    /// The change of intensity that changes the answer, or `None` if the map does not settle.
    turning: Option<Turning>,
    /// The change of one factor that changes the answer, or `None` if a line ends in mate.
    factor: Option<FactorTurning>,
}

/// The ends of the chosen line and of its rival, evaluated with feeling.
#[derive(Clone, Debug)]
struct Contrast {
    chosen: FactorSplit,
    rival: FactorSplit,
    /// The changes that reverse the preference, or `None` if the rival's end already evaluates
    /// higher.
    flips: Option<Flips>,
    /// The direction of each factor that favours the rival.
    ways: Vec<(SideGroup, f64)>,
}

impl Why {
    /// Explains the move that the player of `feeling` plays. Each search takes `nodes` nodes.
    ///
    /// If `asked`, a legal move, differs from the choice, the answer explains why it is not played.
    /// If `asked` is the choice, the answer compares it with the best alternative.
    ///
    /// # Errors
    /// If there is no legal move or memory cannot be allocated.
    pub fn of(feeling: Feeling, nodes: NonZeroU64, asked: Option<Move>) -> Result<Self, WhyError> {
        let known = feeling.known.as_ref().map(|known| KnownView::of(&feeling.game, known));
        let limits = |moves| Limits { moves, ..Limits::of_nodes(nodes) };
        let ratios = &feeling.appraisal.ratios;
        let search = |felt, moves| {
            BestLine::search(&feeling.game, evaluator(&feeling), felt, &limits(moves))
        };
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
                    flips.search(|ratios, effects| {
                        let felt = Appraisal { ratios, effects, ..feeling.appraisal.clone() };
                        line::choice(&feeling, &felt, &limits(Vec::new()))
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
            Ok::<_, WhyError>(MoveAnswer { m, rival })
        });
        let asked = asked.transpose()?;
        Ok(Self { feeling, known, nodes, felt, neutral, is_steady, effect, asked })
    }

    fn evaluator(&self) -> ProfileEvaluator<'_> {
        evaluator(&self.feeling)
    }
}

/// Returns the names of all parts of an evaluation: the factors, then the worth of a draw.
fn names_of(evaluator: ProfileEvaluator<'_>) -> Vec<String> {
    let factors = evaluator.factors().into_iter().map(SideGroup::name);
    factors.chain(["a draw".to_owned()]).collect()
}

fn evaluator(feeling: &Feeling) -> ProfileEvaluator<'_> {
    let Feeling { profile, appraisal, known, .. } = feeling;
    ProfileEvaluator { profile, side: appraisal.side, known: known.as_ref() }
}

/// Returns whether the choice without feeling stays `neutral` if the tempo bonus changes by ±1/256
/// centipawn.
fn is_steady(feeling: &Feeling, neutral: Option<Move>, limits: &Limits) -> Result<bool, WhyError> {
    for units in [1, -1] {
        let profile = feeling.profile.barely_changed(units);
        let evaluator = ProfileEvaluator { profile: &profile, ..evaluator(feeling) };
        if BestLine::search(&feeling.game, evaluator, None, limits)?.first() != neutral {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns all legal moves except `m`.
fn others(game: &Game, m: Move) -> Vec<Move> {
    game.chess.legal_moves().into_iter().filter(|other| *other != m).collect()
}

impl Effect {
    fn of(feeling: &Feeling, felt: &BestLine, neutral: &BestLine) -> Option<Self> {
        let evaluator = evaluator(feeling);
        let both = |line: &BestLine| {
            let Appraisal { ratios, effects, .. } = &feeling.appraisal;
            let felt = evaluator.weigh(&line.end, ratios, effects.draw)?;
            Some([felt, evaluator.weigh(&line.end, &Ratios::NEUTRAL, 0)?])
        };
        Some(Self { felt: both(felt)?, neutral: both(neutral)? })
    }

    /// Returns one row per factor and a last one for the worth of a draw, in centipawns.
    ///
    /// The columns are: the end with feeling, evaluated with and without feeling; the end without
    /// feeling, evaluated with and without feeling; and how much the feeling adds to the lead of
    /// the first end over the second.
    fn rows(&self) -> Vec<[f64; 5]> {
        let ([a, b], [c, d]) = (&self.felt, &self.neutral);
        let row = |of: &dyn Fn(&FactorSplit) -> f64| {
            let [a, b, c, d] = [a, b, c, d].map(of);
            [a, b, c, d, a - b - (c - d)]
        };
        let factors = (0..a.parts.len()).map(|i| row(&|weighed| weighed.parts[i].value));
        factors.chain([row(&|weighed| weighed.draw.into())]).collect()
    }

    /// Splits the last column of [`Self::rows`] for the factor at `index` by term. The row of a
    /// draw has no terms.
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

    /// Like [`Self::rows`], for the evaluation as a whole.
    fn scores(&self) -> [i32; 5] {
        let ([a, b], [c, d]) = (&self.felt, &self.neutral);
        let [a, b, c, d] = [a, b, c, d].map(|weighed| weighed.score);
        [a, b, c, d, a - b - (c - d)]
    }
}

impl Contrast {
    fn of(feeling: &Feeling, chosen: &BestLine, rival: &BestLine) -> Option<Self> {
        let (evaluator, appraisal) = (evaluator(feeling), &feeling.appraisal);
        let ends = [&chosen.end, &rival.end];
        let weigh = |end| evaluator.weigh(end, &appraisal.ratios, appraisal.effects.draw);
        let [chosen, rival] = ends.map(weigh);
        let (chosen, rival) = (chosen?, rival?);
        let pair = Pair { evaluator, appraisal, ends, weighed: [&chosen, &rival] };
        let flips = (chosen.score >= rival.score).then(|| pair.flips());
        let ways = pair.ways();
        Some(Self { chosen, rival, flips, ways })
    }
}
