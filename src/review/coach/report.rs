//! Sums up the decisions of a player: errors by kind, feelings, what came to mind, and what to learn
//! next.

use super::{
    decision::{CoachError, Decision, STRONGER, Spot},
    lesson::{Checker, Example, Lesson, lessons, tenths},
    miss::Miss,
};
use crate::{chess_mind::Goal, player::human::cue::Cue, support::noise::DEVIATIONS_95};
use serde::Serialize;
use strum::IntoEnumIterator;

/// With fewer moves, the player is not compared with others.
pub(super) const ENOUGH_MOVES: usize = 100;
/// The lead of the best move, in percentage points of winning chance, from which a position has one
/// clearly best move.
const CLEAR: f64 = 5.0;
/// The rise of the best move's probability that a stronger player must give, from 0 to 1.
const RISE: f64 = 0.03;
/// The largest number of cues under "next to learn".
const NEXT: usize = 3;
/// A smaller number of errors of a kind is not compared.
const FEW: usize = 5;

/// What a player can learn. The same JSON form serves the command and pages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoachRecord {
    pub player: String,
    pub games: usize,
    /// Moves after the opening.
    pub moves: usize,
    /// The mean rating.
    pub rating: u16,
    /// Moves that lost at least 15 percentage points of winning chance.
    pub errors: usize,
    /// The errors that people of this rating would have made in the same positions.
    pub expected_errors: f64,
    /// Whether there are enough moves to compare the player with others.
    pub is_enough: bool,
    /// Kinds of errors, the most frequent first.
    pub kinds: Vec<KindRecord>,
    pub felt: FeltRecord,
    pub mind: MindRecord,
    /// What players of [`STRONGER`] more rating points would consider. `None` with too few moves.
    pub next: Option<NextRecord>,
    /// At most three, the most valuable first.
    pub lessons: Vec<Lesson>,
}

/// Errors of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindRecord {
    pub kind: &'static str,
    pub title: &'static str,
    pub errors: usize,
    /// The errors that people of this rating would have made in the same positions.
    pub expected: f64,
    /// `more` or `fewer` than people of this rating, beyond noise. `None` if neither is certain.
    pub compared: Option<&'static str>,
}

/// The feelings and goals of the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FeltRecord {
    /// Moves and errors in fear.
    pub fear: [usize; 2],
    /// Moves and errors in relief.
    pub relief: [usize; 2],
    /// Each goal of an error, the most frequent first.
    pub goals: Vec<GoalRow>,
    /// Errors in which the best move concerned the goal and the move played did not.
    pub goal_missed: usize,
}

/// One goal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GoalRow {
    pub goal: &'static str,
    pub description: &'static str,
    pub moves: usize,
    pub errors: usize,
}

/// The rank of the best move among those that come to mind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MindRecord {
    /// Positions with one clearly best move.
    pub positions: usize,
    /// In how many of them it was the likeliest, among the three likeliest, and the five likeliest.
    pub among: [usize; 3],
    /// In how many it does not come to mind.
    pub outside: usize,
    /// In how many the player played it.
    pub played: usize,
    /// In how many people of this rating would have played it.
    pub expected: f64,
}

/// Positions where the player lost at least 5 points, and stronger players find the best move more
/// often.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NextRecord {
    /// The rating of the stronger players.
    pub rating: u16,
    pub positions: usize,
    /// Mean probability of the best move, in percent: at the player's rating, and at the higher one.
    pub chances: [f64; 2],
    /// The cues that raise it most, at most three.
    pub cues: Vec<RaisingCue>,
}

/// A cue that makes stronger players prefer the best move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RaisingCue {
    pub cue: &'static str,
    /// The cue in plain words.
    pub meaning: &'static str,
    /// The share of the rise that is due to the cue, in percent.
    pub share: f64,
    pub examples: Vec<Example>,
}

impl CoachRecord {
    /// Sums up the `decisions` of `player` in `games` games.
    ///
    /// # Errors
    /// If there are no decisions.
    pub fn new(
        player: &str,
        games: usize,
        decisions: &[Decision],
        checker: &mut Checker,
    ) -> Result<Self, CoachError> {
        if decisions.is_empty() {
            return Err(CoachError::NoMoves(player.to_owned()));
        }
        let errors: Vec<(Miss, &Spot)> =
            decisions.iter().filter_map(|one| Some((one.miss?, &one.spot))).collect();
        let is_enough = decisions.len() >= ENOUGH_MOVES;
        let ratings: usize = decisions.iter().map(|one| usize::from(one.rating)).sum();
        let rating = (ratings / decisions.len()) as u16;
        let expected = decisions.iter().flat_map(|one| one.expected).sum();
        Ok(Self {
            player: player.to_owned(),
            games,
            moves: decisions.len(),
            rating,
            errors: errors.len(),
            expected_errors: tenths(expected),
            is_enough,
            kinds: kinds(decisions, is_enough),
            felt: felt(decisions),
            mind: mind(decisions),
            next: is_enough.then(|| next(decisions, rating, checker)).flatten(),
            lessons: lessons(&errors, games, Some(checker)),
        })
    }
}

fn kinds(decisions: &[Decision], is_enough: bool) -> Vec<KindRecord> {
    let kind = |kind: Miss| {
        let errors = decisions.iter().filter(|one| one.miss == Some(kind)).count();
        let chances = decisions.iter().map(|one| one.expected[kind as usize]);
        let expected: f64 = chances.clone().sum();
        let deviation = chances.map(|chance| chance * (1.0 - chance)).sum::<f64>().sqrt();
        let off = (errors as f64 - expected) / deviation;
        let is_certain = is_enough && errors.max(expected as usize) >= FEW;
        let compared = match off {
            _ if !is_certain => None,
            DEVIATIONS_95.. => Some("more"),
            off if off <= -DEVIATIONS_95 => Some("fewer"),
            _ => None,
        };
        let (kind, title) = (kind.name(), kind.title());
        KindRecord { kind, title, errors, expected: tenths(expected), compared }
    };
    let mut kinds: Vec<_> = Miss::ALL.into_iter().map(kind).collect();
    kinds.retain(|kind| kind.errors > 0 || kind.compared.is_some());
    kinds.sort_by_key(|kind| std::cmp::Reverse(kind.errors));
    kinds
}

fn felt(decisions: &[Decision]) -> FeltRecord {
    let count = |holds: &dyn Fn(&Decision) -> bool| {
        let moves = decisions.iter().filter(|one| holds(one));
        [moves.clone().count(), moves.filter(|one| one.miss.is_some()).count()]
    };
    let row = |goal: Goal| {
        let [moves, errors] = count(&|one| one.spot.goal == Some(goal));
        GoalRow { goal: goal.name(), description: goal.description(), moves, errors }
    };
    let mut goals: Vec<_> = Goal::ALL.into_iter().map(row).filter(|row| row.errors > 0).collect();
    goals.sort_by_key(|row| std::cmp::Reverse(row.errors));
    FeltRecord {
        fear: count(&|one| one.spot.intensity < 0.0),
        relief: count(&|one| one.spot.intensity > 0.0),
        goals,
        goal_missed: count(&|one| one.serves == [false, true])[1],
    }
}

fn mind(decisions: &[Decision]) -> MindRecord {
    let clear: Vec<_> = decisions.iter().filter(|one| one.gap >= CLEAR).collect();
    let count = |holds: &dyn Fn(&Decision) -> bool| clear.iter().filter(|one| holds(one)).count();
    MindRecord {
        positions: clear.len(),
        among: [1, 3, 5].map(|first| count(&|one| one.rank < first)),
        outside: count(&|one| !one.is_in_mind),
        played: count(&|one| one.spot.played == one.spot.best),
        expected: tenths(clear.iter().map(|one| one.chances[0]).sum()),
    }
}

/// Returns what raises the best move most at a higher rating, in positions where the player lost
/// winning chance. `None` if there is no such position.
fn next(decisions: &[Decision], rating: u16, checker: &mut Checker) -> Option<NextRecord> {
    let is_next =
        |one: &&Decision| one.spot.loss >= CLEAR && one.chances[1] - one.chances[0] >= RISE;
    let missed: Vec<_> = decisions.iter().filter(is_next).collect();
    if missed.is_empty() {
        return None;
    }
    let raised = |one: &Decision, cue: Cue| f64::from(one.raised[cue as usize]);
    let sum = |cue: Cue| missed.iter().map(|one| raised(one, cue)).sum::<f64>();
    let mut sums: Vec<(Cue, f64)> = Cue::iter().map(|cue| (cue, sum(cue))).collect();
    let all: f64 = sums.iter().map(|(_, sum)| sum).sum();
    sums.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut shown: Vec<Example> = Vec::new();
    let record = |(cue, sum): (Cue, f64)| {
        let value = |one: &Decision| raised(one, cue) * one.spot.loss;
        let mut ones = missed.clone();
        ones.sort_by(|a, b| value(b).total_cmp(&value(a)));
        let mut spots: Vec<&Spot> = ones.iter().map(|one| &one.spot).collect();
        spots.retain(|spot| !shown.contains(&Example::of(spot)));
        let examples = checker.examples(&spots, 1, CLEAR);
        shown.extend(examples.iter().cloned());
        let (cue, meaning) = (cue.name(), cue.phrase());
        RaisingCue { cue, meaning, share: tenths(100.0 * sum / all), examples }
    };
    let mean = |index: usize| {
        let sum: f64 = missed.iter().map(|one| one.chances[index]).sum();
        tenths(100.0 * sum / missed.len() as f64)
    };
    Some(NextRecord {
        rating: rating.saturating_add(STRONGER),
        positions: missed.len(),
        chances: [mean(0), mean(1)],
        cues: sums.into_iter().take(NEXT).map(record).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};
    use strum::EnumCount;

    /// Returns decisions of which the first `errors` overlook a capture, which people do in one of 20.
    fn decisions(errors: usize, all: usize) -> Vec<Decision> {
        let before = Chess::default();
        let moves = before.legal_moves();
        let mut expected = [0.0; Miss::COUNT];
        expected[Miss::Capture as usize] = 0.05;
        let decision = |index: usize| Decision {
            spot: Spot {
                game: 1,
                before: before.clone(),
                played: moves[0],
                best: moves[1],
                reply: None,
                loss: if index < errors { 30.0 } else { 6.0 },
                goal: Some(Goal::Castle),
                intensity: if index.is_multiple_of(2) { -0.5 } else { 0.0 },
            },
            rating: 1500,
            miss: (index < errors).then_some(Miss::Capture),
            serves: [false, index == 0],
            gap: if index < 10 { 10.0 } else { 0.0 },
            rank: index,
            is_in_mind: index < 8,
            expected,
            chances: [0.2, if index == 3 { 0.4 } else { 0.21 }],
            raised: [0.0; Cue::COUNT],
        };
        (0..all).map(decision).collect()
    }

    #[test]
    fn only_differences_beyond_noise_are_named() {
        // 10 are expected of 200, with a standard deviation of 3.1
        for (errors, all, expected) in [
            (17, 200, Some("more")),
            (15, 200, None),
            (5, 200, None),
            (3, 200, Some("fewer")),
            (4, 20, None),
        ] {
            let kinds = kinds(&decisions(errors, all), all >= ENOUGH_MOVES);
            assert_eq!((kinds[0].errors, kinds[0].compared), (errors, expected), "{errors}");
            assert_eq!(kinds.len(), 1);
        }
    }

    #[test]
    fn feelings_and_what_came_to_mind_are_counted() {
        let decisions = decisions(5, 100);
        let felt = felt(&decisions);
        assert_eq!((felt.fear, felt.relief, felt.goal_missed), ([50, 3], [0, 0], 1));
        assert_eq!((felt.goals.len(), felt.goals[0].moves, felt.goals[0].errors), (1, 100, 5));
        let mind = mind(&decisions);
        assert_eq!((mind.positions, mind.among, mind.outside), (10, [1, 3, 5], 2));
        assert_eq!(mind.played, 0);
    }
}
