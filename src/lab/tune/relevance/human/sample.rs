//! Turns games into choices: the quiet position after each move, and the emotion of the player.

use super::{ChoicesOptions, logit::HumanChoice};
use crate::{
    chess_mind::{Mind, SideGroup},
    eval::{TermEvaluator, weights::Weights},
    lab::tune::{quiet::best_leaf, relevance::felt::parts, shallow_search::ShallowSearch},
    pgn::{Chosen, PlayedGame},
    profile::Profile,
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Move, Position};

/// Maximum number of moves that a player is assumed to choose from: the best ones without emotion.
const MOST_MOVES: usize = 12;
/// Maximum loss of these moves compared to the best one, in centipawns. A worse move is a blunder,
/// which reveals nothing about preferences.
const MARGIN: f32 = 200.0;

/// The choices to fit to.
#[derive(Debug)]
pub struct ChoiceSample<'p> {
    pub(super) choices: Vec<HumanChoice>,
    /// Number of sampled moves by players in the rating band, with and without emotion.
    pub(super) moves: usize,
    mind: &'p Mind,
    weights: ByColor<Weights>,
}

impl<'p> ChoiceSample<'p> {
    /// Creates an empty sample. `profile` gives the emotions and evaluates the positions.
    pub fn new(profile: &'p Profile) -> Self {
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        Self { choices: Vec::new(), moves: 0, mind: &profile.mind, weights }
    }

    /// Appends the choices of `games`.
    pub fn add(&mut self, games: &[PlayedGame], settings: &ChoicesOptions) {
        let each: Vec<_> = games.par_iter().map(|game| self.of_one(game, settings)).collect();
        for (sampled, choices) in each {
            self.moves += sampled;
            self.choices.extend(choices);
        }
    }

    /// Returns the number of sampled moves in the rating band, and the choices among them.
    fn of_one(&self, game: &PlayedGame, settings: &ChoicesOptions) -> (usize, Vec<HumanChoice>) {
        let mut evaluator = TermEvaluator::new(self.weights.clone());
        let mut shallow_search = settings.nodes.and_then(ShallowSearch::new);
        let is_held_out = is_held_out(game.number, settings.holdout);
        let mut sampled = 0;
        let choices = game
            .chosen(settings.every)
            .filter(|chosen| settings.band.contains(&chosen.elo))
            .inspect(|_| sampled += 1)
            .filter_map(|chosen| {
                let number = (game.number, is_held_out);
                self.choice(&chosen, number, &mut evaluator, shallow_search.as_mut())
            })
            .collect();
        (sampled, choices)
    }

    /// Returns the choice behind a move. Returns `None` without emotion, without an alternative, or
    /// if the move is a blunder.
    fn choice(
        &self,
        chosen: &Chosen,
        (game, is_held_out): (usize, bool),
        evaluator: &mut TermEvaluator,
        shallow_search: Option<&mut ShallowSearch>,
    ) -> Option<HumanChoice> {
        let chess = &chosen.game.chess;
        let appraisal = self.mind.appraise(chess, chess.turn(), 100, None);
        let goal = appraisal.goal.filter(|_| appraisal.intensity != 0.0)?;
        let moves = chess.legal_moves();
        let quiet = |after: Chess| Some(best_leaf(&after, evaluator));
        let mut among = candidates(self.ends(chess, moves.iter().copied(), quiet));
        // the longer search is useless if the one-ply search already excludes the chosen move
        if let Some(shallow_search) =
            shallow_search.filter(|_| among.iter().any(|end| end.m == chosen.m))
        {
            let moves: Vec<_> = among.iter().map(|end| end.m).collect();
            let far = |after: Chess| shallow_search.end(&after, evaluator).ok();
            among = candidates(self.ends(chess, moves.into_iter(), far));
        }
        let place = among.iter().position(|end| end.m == chosen.m)?;
        among.swap(0, place);
        let moves: Vec<_> = among.into_iter().map(|end| end.parts).collect();
        let intensity = appraisal.intensity as f32;
        (moves.len() > 1).then_some(HumanChoice { goal, intensity, moves, game, is_held_out })
    }

    /// Returns the end position of each move, as found by `leaf`. Skips moves that end the game.
    fn ends(
        &self,
        chess: &Chess,
        moves: impl Iterator<Item = Move>,
        mut leaf: impl FnMut(Chess) -> Option<Chess>,
    ) -> Vec<MoveEnd> {
        let end = |m| {
            let mut after = chess.clone();
            after.play_unchecked(m);
            // the value of mate and stalemate is not a matter of preference
            let leaf = leaf(after).filter(|leaf| !leaf.legal_moves().is_empty())?;
            let parts = parts(&leaf, chess.turn(), &self.weights);
            Some(MoveEnd { m, score: parts.iter().sum(), parts })
        };
        moves.filter_map(end).collect()
    }
}

/// The quiet position that a move leads to.
struct MoveEnd {
    m: Move,
    /// Score without emotion in centipawns, from the point of view of the player.
    score: f32,
    /// The parts of the score that the ratios multiply.
    parts: [f32; SideGroup::COUNT],
}

/// Returns the moves that a player is assumed to choose from, best first.
fn candidates(mut ends: Vec<MoveEnd>) -> Vec<MoveEnd> {
    ends.sort_by(|a, b| b.score.total_cmp(&a.score));
    let least = ends.first().map_or(0.0, |best| best.score - MARGIN);
    ends.into_iter().take(MOST_MOVES).take_while(|end| end.score >= least).collect()
}

/// Returns whether the game with this number, from 1, is held out. Spreads the share evenly.
fn is_held_out(number: usize, share: f64) -> bool {
    let before = |number: usize| (number as f64 * share).floor();
    before(number) > before(number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::tune::relevance::FitScope, pgn::Games};

    #[test]
    fn games_are_held_out_at_even_intervals() {
        let held_out: Vec<_> = (1..=20).filter(|number| is_held_out(*number, 0.2)).collect();
        assert_eq!(held_out, [5, 10, 15, 20]);
        assert!((1..100).all(|number| is_held_out(number, 1.0) && !is_held_out(number, 0.0)));
    }

    #[test]
    fn only_moves_of_players_in_the_band_are_sampled() {
        let text = "[WhiteElo \"1500\"]\n[BlackElo \"2100\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 \
                    5. d4 exd4 6. cxd4 Bb4+ 7. Bd2 Bxd2+ 8. Nbxd2 d5 9. exd5 Nxd5 10. Qb3 Nce7 *\n";
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        let profile = Profile::builtin("standard").unwrap();
        let count_with = |nodes, band| {
            let settings =
                ChoicesOptions { band, every: 1, nodes, holdout: 0.0, scope: FitScope::default() };
            let mut sample = ChoiceSample::new(&profile);
            sample.add(std::slice::from_ref(&game), &settings);
            assert!(sample.choices.iter().all(|choice| (2..=12).contains(&choice.moves.len())));
            (sample.moves, sample.choices.len())
        };
        let sampled = |band| count_with(None, band);
        let (all, felt) = sampled(0..=3000);
        assert_eq!(all, 12);
        assert!((1..=12).contains(&felt), "{felt}");
        assert_eq!([sampled(1000..=1999).0, sampled(2000..=3000).0], [6, 6]);
        assert_eq!(sampled(2200..=3000), (0, 0));
        // the longer search may exclude more moves as blunders, but never fewer
        let (all, foreseen) = count_with(std::num::NonZeroU64::new(300), 0..=3000);
        assert!(all == 12 && (1..=felt).contains(&foreseen), "{foreseen} {felt}");
    }
}
