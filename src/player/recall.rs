//! What the engine remembers from games: a bonus for root moves, and by option for positions near
//! the root, and a feeling.
//!
//! The search stays blind to the file: it gets the bonuses of the root moves, or an evaluator that
//! includes them.

use super::{Engine, options::Options};
use crate::{
    chess::{
        evaluator::Evaluator,
        known::{KnownGames, KnownRule, ResultCounts, surplus},
        score::Score,
    },
    chess_mind::GivenValues,
    mind::concept::Concept,
    profile::Profile,
    search::root::bonus::RootBonuses,
};
use shakmaty::{Chess, Color, Move, Position};
use std::sync::Arc;

/// Known positions count at leaves up to this many plies from the root.
const LEAF_PLIES: u32 = 4;

/// The known games in use, and how they count.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory<'k> {
    games: &'k KnownGames,
    rule: KnownRule,
    /// In percent, at least 1.
    weight: i32,
}

impl<'k> Memory<'k> {
    /// Returns `None` if there are no known games, or their weight is 0.
    pub(super) fn of(
        games: Option<&'k KnownGames>,
        options: &Options,
        profile: &Profile,
    ) -> Option<Self> {
        let weight = i32::from(options.known_weight);
        let games = games.filter(|_| weight > 0)?;
        Some(Self { games, rule: profile.known.rule, weight })
    }

    /// Returns the bonus of the side to move in centipawns.
    fn bonus(self, chess: &Chess) -> i32 {
        let counts = self.games.counts(chess);
        counts.map_or(0, |counts| self.rule.bonus(counts, chess.turn(), chess.board()))
            * self.weight
            / 100
    }

    /// Returns the bonuses of the legal moves.
    pub(super) fn bonuses(self, chess: &Chess) -> RootBonuses {
        let bonus = |m: Move| {
            let mut after = chess.clone();
            after.play_unchecked(m);
            (m, -self.bonus(&after))
        };
        RootBonuses::steady(chess.legal_moves().into_iter().map(bonus))
    }

    /// Returns an evaluator that adds the bonus of positions near `root`.
    pub(super) fn beside<E>(self, evaluator: E, root: &Chess) -> Remembering<'k, E> {
        Remembering { evaluator, memory: self, last: plies(root) + LEAF_PLIES }
    }
}

/// An evaluator that adds the bonus of known positions, up to a number of plies from the root.
#[derive(Clone, Debug)]
pub(super) struct Remembering<'k, E> {
    evaluator: E,
    memory: Memory<'k>,
    /// The last ply of the game whose positions are looked up.
    last: u32,
}

impl<E: Evaluator> Evaluator for Remembering<'_, E> {
    type Sums = E::Sums;

    fn sums(&self, position: &Chess) -> Self::Sums {
        self.evaluator.sums(position)
    }

    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums {
        self.evaluator.after(sums, before, m)
    }

    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score {
        let score = self.evaluator.evaluate(position, sums);
        if plies(position) > self.last {
            return score;
        }
        score.plus(self.memory.bonus(position)).clamp_static()
    }
}

/// Returns the number of plies since the first move of a game.
fn plies(chess: &Chess) -> u32 {
    2 * chess.fullmoves().get() + chess.turn().fold_wb(0, 1)
}

impl Engine {
    /// Replaces the games that the engine remembers.
    pub fn set_known_games(&mut self, games: Option<Arc<KnownGames>>) {
        self.remembered = games;
        self.known.retire_all();
    }

    /// Returns the results of the known games that reached this position. `None` if there are
    /// none, or the option `KnownWeight` is 0.
    #[must_use]
    pub fn recall(&self, chess: &Chess) -> Option<ResultCounts> {
        self.memory()?.games.counts(chess)
    }

    pub(super) fn memory(&self) -> Option<Memory<'_>> {
        Memory::of(self.remembered.as_deref(), &self.options, &self.profile)
    }

    /// Returns the weight of known positions at leaves, in percent. 0 means off.
    pub(super) fn leaf_weight(&self) -> u8 {
        let counts = self.options.known_leaves && self.memory().is_some();
        if counts { self.options.known_weight } else { 0 }
    }

    /// Returns what the known games make the side to move feel: see [`remembered_feeling`].
    #[must_use]
    pub fn remembered_feeling(&self, chess: &Chess) -> GivenValues {
        remembered_feeling(&self.profile, self.recall(chess), chess.turn())
    }
}

/// Returns the desirability that `side` starts with in a known position, held while the map settles:
/// "I have been here, and it went badly". Emotion theory calls this a somatic marker.
///
/// Nothing is given unless the profile has the key `memory` and the games prove a score other than
/// 50 %.
#[must_use]
pub fn remembered_feeling(
    profile: &Profile,
    counts: Option<ResultCounts>,
    side: Color,
) -> GivenValues {
    let mut given = GivenValues::default();
    let surplus = counts.map_or(0.0, |counts| surplus(counts, side));
    let memory = 2.0 * profile.known.memory * surplus;
    if memory != 0.0 {
        let desirability = Concept::Desirability as usize;
        let start = profile.mind.fixed[desirability].unwrap_or(0.0);
        given.concepts[desirability] = Some((start + memory).clamp(-1.0, 1.0));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{
        evaluator::stub::DrawEvaluator,
        game::Game,
        known::{KnownGamesBuilder, MAX_BONUS, position_key},
    };
    use shakmaty::KnownOutcome;

    fn chess(moves: &str) -> Chess {
        Game::parse(&format!("startpos moves {moves}"), None).unwrap().chess
    }

    /// Returns games that White won after each of these lines.
    fn won_after(lines: &[&str]) -> KnownGames {
        let mut builder = KnownGamesBuilder::default();
        let keys: Vec<_> = lines.iter().map(|line| position_key(&chess(line))).collect();
        for _ in 0..60 {
            builder.add(keys.clone(), KnownOutcome::Decisive { winner: Color::White });
        }
        builder.build()
    }

    fn memory(games: &KnownGames, known_weight: u8) -> Option<Memory<'_>> {
        let options = Options { known_weight, ..Options::default() };
        Memory::of(Some(games), &options, &Profile::builtin("standard").unwrap())
    }

    #[test]
    fn the_weight_scales_the_bonus_of_each_move() {
        let (games, root) = (won_after(&["d4", "d4 d5"]), chess(""));
        let find = |root: &Chess, san: &str| {
            san.parse::<shakmaty::san::San>().unwrap().to_move(root).unwrap()
        };
        let bonuses = |weight| memory(&games, weight).unwrap().bonuses(&root);
        assert_eq!(bonuses(100).of(find(&root, "d4")).steady, MAX_BONUS);
        assert_eq!(bonuses(50).of(find(&root, "d4")).steady, MAX_BONUS / 2);
        assert_eq!(bonuses(100).of(find(&root, "e4")).steady, 0);
        assert!(memory(&games, 0).is_none());
        // White's wins are bad for the reply
        let reply = chess("d4");
        let bonuses = memory(&games, 100).unwrap().bonuses(&reply);
        assert_eq!(bonuses.of(find(&reply, "d5")).steady, -MAX_BONUS);
    }

    #[test]
    fn leaves_count_up_to_four_plies_from_the_root() {
        let near = ["d4", "d4 d5", "d4 d5 c4 e6"];
        let far = "d4 d5 c4 e6 Nc3";
        let games = won_after(&[&near[..], &[far]].concat());
        let value = |evaluator: &mut Remembering<'_, DrawEvaluator>, line: &str| {
            evaluator.evaluate(&chess(line), ()).centipawns()
        };
        let mut evaluator = memory(&games, 100).unwrap().beside(DrawEvaluator, &chess(""));
        // after White's move, Black is to move
        let found = near.map(|line| value(&mut evaluator, line));
        assert_eq!(found, [-MAX_BONUS, MAX_BONUS, MAX_BONUS]);
        assert_eq!([far, "e4"].map(|line| value(&mut evaluator, line)), [0, 0]);
        let mut evaluator = memory(&games, 100).unwrap().beside(DrawEvaluator, &chess("d4"));
        assert_eq!(value(&mut evaluator, far), -MAX_BONUS);
    }
}
