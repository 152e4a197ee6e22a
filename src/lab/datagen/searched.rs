//! Samples of the positions that searches evaluate, anywhere in their trees.
//!
//! A search evaluates mostly positions that no player would allow, with hanging pieces, lost
//! material and exposed kings. Weights that were fitted only to positions of games misjudge them.

use super::selfplay::KeptPosition;
use crate::{
    chess::{evaluator::Evaluator, game::Game, score::Score},
    eval::{TermEvaluator, sums::Sums},
    profile::Profile,
    search::{
        SearchResult, SharedState, Signals,
        memory::{
            history::History,
            pages::{Memory, OutOfMemory},
            tt::CompatibleEvaluations,
        },
        root::{limits::Limits, report::Silent, time::Timer},
        search,
    },
    support::random::Random,
};
use shakmaty::{ByColor, Chess, Move, Position};
use std::{
    num::NonZeroU64,
    sync::{Mutex, PoisonError},
};

/// Searches without feelings and samples the positions evaluated. It keeps its table and histories
/// during a game.
#[derive(Debug)]
pub(super) struct Sampler {
    evaluator: TermEvaluator,
    memory: Memory,
    histories: [History; 1],
    /// The number of positions per search.
    size: usize,
}

impl Sampler {
    /// Creates a sampler of `size` positions per search, with a table of `mib` MiB.
    pub(super) fn new(profile: &Profile, size: usize, mib: usize) -> Result<Self, OutOfMemory> {
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        let evaluator = TermEvaluator::new(weights);
        let histories = [History::default()];
        Ok(Self { evaluator, memory: Memory::new(mib)?, histories, size })
    }

    /// Forgets the last game.
    pub(super) fn new_game(&mut self) {
        self.memory.clear();
        self.histories = [History::default()];
    }

    /// Searches `game` for this number of nodes, and returns the result with a random sample of the
    /// positions evaluated and their static scores. Returns `None` if there is no legal move.
    pub(super) fn best_at(
        &mut self,
        game: &Game,
        nodes: NonZeroU64,
        random: Random,
    ) -> Option<(SearchResult, Vec<KeptPosition>)> {
        self.memory.new_search(0, [0].into_iter().collect::<CompatibleEvaluations>());
        let sample = Mutex::new(Sample { random, size: self.size, seen: 0, kept: Vec::new() });
        let evaluator = Sampling { evaluator: self.evaluator.clone(), sample: &sample };
        let (signals, limits) = (Signals::default(), Limits::of_nodes(nodes));
        let shared = SharedState::new(&signals, &limits, Timer::stopwatch(), self.memory.table());
        let (keys, histories) = (&game.keys, &mut self.histories);
        let found = search(&game.chess, keys, &evaluator, &shared, histories, &mut Silent)?;
        let kept = sample.into_inner().unwrap_or_else(PoisonError::into_inner).kept;
        let kept = kept.into_iter().filter_map(|(chess, score)| {
            let cp = score.centipawns();
            KeptPosition::new(&chess, chess.turn().fold_wb(cp, -cp))
        });
        Some((found, kept.collect()))
    }
}

/// An evaluator that offers each position to a sample.
#[derive(Clone, Debug)]
struct Sampling<'s> {
    evaluator: TermEvaluator,
    sample: &'s Mutex<Sample>,
}

impl Evaluator for Sampling<'_> {
    type Sums = Sums;

    fn sums(&self, position: &Chess) -> Sums {
        self.evaluator.sums(position)
    }

    fn after(&self, sums: Sums, before: &Chess, m: Move) -> Sums {
        self.evaluator.after(sums, before, m)
    }

    fn evaluate(&mut self, position: &Chess, sums: Sums) -> Score {
        let score = self.evaluator.evaluate(position, sums);
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        sample.offer(position, score);
        score
    }
}

/// A uniform sample of unknown many positions (reservoir sampling).
#[derive(Debug)]
struct Sample {
    random: Random,
    size: usize,
    /// The number of positions offered.
    seen: usize,
    kept: Vec<(Chess, Score)>,
}

impl Sample {
    fn offer(&mut self, position: &Chess, score: Score) {
        self.seen += 1;
        if self.kept.len() < self.size {
            self.kept.push((position.clone(), score));
            return;
        }
        let at = self.random.below(self.seen);
        if let Some(kept) = self.kept.get_mut(at) {
            *kept = (position.clone(), score);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_offered_is_kept_equally_often() {
        let mut times = [0; 10];
        let chess = Chess::default();
        for seed in 0..2_000 {
            let mut sample =
                Sample { random: Random::new(seed), size: 3, seen: 0, kept: Vec::new() };
            (0..10).for_each(|at| sample.offer(&chess, Score::cp(at)));
            assert_eq!(sample.kept.len(), 3);
            sample.kept.iter().for_each(|kept| times[kept.1.centipawns() as usize] += 1);
        }
        assert!(times.iter().all(|times| (520..680).contains(times)), "{times:?}");
    }

    #[test]
    fn a_search_evaluates_positions_of_its_whole_tree() {
        let profile = Profile::builtin("standard").unwrap();
        let mut sampler = Sampler::new(&profile, 40, 1).unwrap();
        let game = Game::default();
        let nodes = NonZeroU64::new(5_000).unwrap();
        let (found, kept) = sampler.best_at(&game, nodes, Random::new(1)).unwrap();
        assert!(game.chess.is_legal(found.best));
        assert_eq!(kept.len(), 40);
        let plies = kept.iter().map(|kept| {
            let chess = Game::from_fen(&kept.fen, None).unwrap().chess;
            2 * chess.fullmoves().get() + chess.turn().fold_wb(0, 1) - 2
        });
        assert!(plies.max() > Some(5));
        // the sample does not change the search
        sampler.size = 1;
        sampler.new_game();
        let again = sampler.best_at(&game, nodes, Random::new(2)).unwrap().0;
        assert_eq!((again.best, again.score, again.nodes), (found.best, found.score, found.nodes));
    }
}
