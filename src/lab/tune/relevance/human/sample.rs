//! From games to choices: where each move leads, and what the mover felt.

use super::{Settings, logit::Choice};
use crate::{
    eval::{TermEvaluator, weights::Weights},
    lab::tune::{quiet::best_leaf, relevance::felt::parts, shallow_search::ShallowSearch},
    mind::{Mind, knob::Knob},
    pgn::{Chosen, PlayedGame},
    profile::Profile,
};
use rayon::prelude::*;
use shakmaty::{ByColor, Chess, Move, Position};

/// The most moves that a player is taken to choose from: the best without feeling.
const MOST_MOVES: usize = 12;
/// What may be worse than the best of them, in centipawns: what loses more was overlooked rather than
/// chosen, and teaches nothing about taste.
const MARGIN: f32 = 200.0;

/// Choices to fit to.
#[derive(Debug)]
pub struct Sample<'p> {
    pub(super) choices: Vec<Choice>,
    /// Moves of the band met, whether something was felt or not.
    pub(super) met: usize,
    mind: &'p Mind,
    weights: ByColor<Weights>,
}

impl<'p> Sample<'p> {
    /// None yet; `profile` feels, and judges where moves lead.
    pub fn new(profile: &'p Profile) -> Self {
        let weights = ByColor { white: profile.weights.clone(), black: profile.weights.clone() };
        Self { choices: Vec::new(), met: 0, mind: &profile.mind, weights }
    }

    /// Adds the choices of these games.
    pub fn add(&mut self, games: &[PlayedGame], settings: &Settings) {
        let each: Vec<_> = games.par_iter().map(|game| self.of_one(game, settings)).collect();
        for (met, choices) in each {
            self.met += met;
            self.choices.extend(choices);
        }
    }

    fn of_one(&self, game: &PlayedGame, settings: &Settings) -> (usize, Vec<Choice>) {
        let mut evaluator = TermEvaluator::new(self.weights.clone());
        let mut shallow_search = settings.nodes.and_then(ShallowSearch::new);
        let is_held_out = is_held_out(game.number, settings.holdout);
        let mut met = 0;
        let choices = game
            .chosen(settings.every)
            .filter(|chosen| settings.band.contains(&chosen.elo))
            .inspect(|_| met += 1)
            .filter_map(|chosen| {
                let number = (game.number, is_held_out);
                self.choice(&chosen, number, &mut evaluator, shallow_search.as_mut())
            })
            .collect();
        (met, choices)
    }

    /// None if nothing is felt, or nothing was weighed against the chosen move.
    fn choice(
        &self,
        chosen: &Chosen,
        (game, is_held_out): (usize, bool),
        evaluator: &mut TermEvaluator,
        shallow_search: Option<&mut ShallowSearch>,
    ) -> Option<Choice> {
        let chess = &chosen.game.chess;
        let appraisal = self.mind.appraise(chess, chess.turn(), 100, None);
        let goal = appraisal.goal.filter(|_| appraisal.intensity != 0.0)?;
        let moves = chess.legal_moves();
        let quiet = |after: Chess| Some(best_leaf(&after, evaluator));
        let mut among = worth_weighing(self.ends(chess, moves.iter().copied(), quiet));
        // a search need not go on where the move was not weighed to begin with
        if let Some(shallow_search) =
            shallow_search.filter(|_| among.iter().any(|end| end.m == chosen.m))
        {
            let moves: Vec<_> = among.iter().map(|end| end.m).collect();
            let far = |after: Chess| shallow_search.end(&after, evaluator).ok();
            among = worth_weighing(self.ends(chess, moves.into_iter(), far));
        }
        let place = among.iter().position(|end| end.m == chosen.m)?;
        among.swap(0, place);
        let moves: Vec<_> = among.into_iter().map(|end| end.parts).collect();
        let intensity = appraisal.intensity as f32;
        (moves.len() > 1).then_some(Choice { goal, intensity, moves, game, is_held_out })
    }

    /// Where `moves` of a position lead, by way of what comes after them.
    fn ends(
        &self,
        chess: &Chess,
        moves: impl Iterator<Item = Move>,
        mut leaf: impl FnMut(Chess) -> Option<Chess>,
    ) -> Vec<End> {
        let end = |m| {
            let mut after = chess.clone();
            after.play_unchecked(m);
            // what a mate or a stalemate is worth is no matter of taste
            let leaf = leaf(after).filter(|leaf| !leaf.legal_moves().is_empty())?;
            let parts = parts(&leaf, chess.turn(), &self.weights);
            Some(End { m, worth: parts.iter().sum(), parts })
        };
        moves.filter_map(end).collect()
    }
}

/// Where a move leads.
struct End {
    m: Move,
    /// What that is worth to the mover without feeling, in centipawns.
    worth: f32,
    /// The same by what each knob turns.
    parts: [f32; Knob::COUNT],
}

/// The best of these, best first, without those that lose too much.
fn worth_weighing(mut ends: Vec<End>) -> Vec<End> {
    ends.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    let least = ends.first().map_or(0.0, |best| best.worth - MARGIN);
    ends.into_iter().take(MOST_MOVES).take_while(|end| end.worth >= least).collect()
}

/// Holds out this share of games, evenly spread over their numbers.
fn is_held_out(number: usize, share: f64) -> bool {
    let before = |number: usize| (number as f64 * share).floor();
    before(number) > before(number - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{lab::tune::relevance::Hold, pgn::Games};

    #[test]
    fn whole_games_are_held_out_evenly() {
        let held_out: Vec<_> = (1..=20).filter(|number| is_held_out(*number, 0.2)).collect();
        assert_eq!(held_out, [5, 10, 15, 20]);
        assert!((1..100).all(|number| is_held_out(number, 1.0) && !is_held_out(number, 0.0)));
    }

    #[test]
    fn choices_are_of_the_band_and_lead_to_quiet_ends() {
        let text = "[WhiteElo \"1500\"]\n[BlackElo \"2100\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 \
                    5. d4 exd4 6. cxd4 Bb4+ 7. Bd2 Bxd2+ 8. Nbxd2 d5 9. exd5 Nxd5 10. Qb3 Nce7 *\n";
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        let profile = Profile::builtin("default").unwrap();
        let met_with = |nodes, band| {
            let settings = Settings { band, every: 1, nodes, holdout: 0.0, hold: Hold::default() };
            let mut sample = Sample::new(&profile);
            sample.add(std::slice::from_ref(&game), &settings);
            assert!(sample.choices.iter().all(|choice| (2..=12).contains(&choice.moves.len())));
            (sample.met, sample.choices.len())
        };
        let met = |band| met_with(None, band);
        let (all, felt) = met(0..=3000);
        assert_eq!(all, 12);
        assert!((1..=12).contains(&felt), "{felt}");
        assert_eq!([met(1000..=1999).0, met(2000..=3000).0], [6, 6]);
        assert_eq!(met(2200..=3000), (0, 0));
        // who looks further finds some of these moves too bad to have been weighed, or none
        let (all, foreseen) = met_with(std::num::NonZeroU64::new(300), 0..=3000);
        assert!(all == 12 && (1..=felt).contains(&foreseen), "{foreseen} {felt}");
    }
}
