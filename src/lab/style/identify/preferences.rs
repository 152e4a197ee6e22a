//! What each temperament thinks of the best moves of a position.

use crate::{
    chess::game::Game,
    chess_mind::{Ratios, salience::gives_check},
    eval::TermEvaluator,
    explain::split::Split,
    player::{Engine, Listener, Options, OptionsError, taste_bonuses},
    profile::Profile,
    search::{
        Signals, quiet_line,
        root::{
            limits::Limits,
            report::{Bound, Iteration, SearchListener},
        },
    },
};
use shakmaty::{ByColor, Chess, Move, Position};
use std::num::NonZeroU64;

/// The number of moves compared in a position.
const LINES: usize = 8;
/// Positions with a best score farther from even do not count, in centipawns.
const DECIDED: i32 = 500;
/// Centipawns added to captures, because this short search underrates them. This number and the next
/// two were fitted to 10,115 moves of `neutral` at 10,000 nodes per move.
const CAPTURE: i32 = 23;
/// Centipawns added to castling.
const CASTLING: i32 = 29;
/// Centipawns added to checks.
const CHECK: i32 = 12;
/// Factor of the likings. It is above 1 because a short search exaggerates the differences between
/// moves. Fitted to at least 1,900 moves each, the best factors for seven temperaments are 0.8 to 1.7.
/// For `standard`, which has small likings, it is 3.4.
const EMPHASIS: f64 = 1.4;

/// Searches positions without feelings.
pub(super) struct Reader {
    engine: Engine,
    limits: Limits,
}

/// The best moves of a position.
pub(super) struct Preferences {
    pub lines: Vec<Line>,
    /// The index of the move that was played.
    pub played: usize,
}

impl Reader {
    pub(super) fn new(neutral: Profile, nodes: NonZeroU64) -> Result<Self, OptionsError> {
        let options = Options { multi_pv: LINES, emotion: false, ..Options::default() };
        let engine = Engine::new(neutral, options)?;
        Ok(Self { engine, limits: Limits::of_nodes(nodes) })
    }

    /// Returns the best moves of a position. Returns `None` if the played move is not one of them,
    /// or if the game is decided.
    pub(super) fn read(&mut self, game: &Game, played: Move) -> Option<Preferences> {
        let mut listed = Lines::default();
        self.engine.go(game, &self.limits, &Signals::default(), &mut listed);
        let Lines(mut lines) = listed;
        let best = lines.iter().map(|line| line.score).max()?;
        let played = lines.iter().position(|line| line.moves[0] == played)?;
        if best.abs() > DECIDED || lines.len() < 2 {
            return None;
        }
        let side = game.chess.turn();
        for line in &mut lines {
            line.end = self.end(&game.chess, &line.moves).map(|end| {
                let score = Split::of(self.engine.profile(), &end, side, &Ratios::NEUTRAL).score;
                (end, score)
            });
            line.score += usual_liking(&game.chess, line.moves[0]);
        }
        Some(Preferences { lines, played })
    }

    /// Returns the quiet position at the end of a line, or `None` if the game is over there.
    fn end(&self, chess: &Chess, moves: &[Move]) -> Option<Chess> {
        let mut end = chess.clone();
        for m in moves {
            end.play_unchecked(*m);
        }
        let weights = ByColor::new_with(|_| self.engine.profile().weights.clone());
        let captures = quiet_line(end.clone(), &mut TermEvaluator::new(weights));
        for m in captures {
            end.play_unchecked(m);
        }
        (!end.is_game_over()).then_some(end)
    }
}

impl Preferences {
    /// Returns by how many centipawns `profile` likes each line more than a neutral player, times
    /// [`EMPHASIS`]. The lines start at `chess`.
    pub(super) fn likings(&self, profile: &Profile, chess: &Chess) -> Vec<f64> {
        let side = chess.turn();
        let felt = profile.mind.appraise(chess, side, 100, None);
        let bonuses = taste_bonuses(chess, profile, &felt);
        let ratios = felt.ratios.toned_down(profile.bend());
        let bent =
            |(end, neutral): &(Chess, i32)| Split::of(profile, end, side, &ratios).score - neutral;
        let liking = |line: &Line| {
            let felt = bonuses.of(line.moves[0]).liking + line.end.as_ref().map_or(0, bent);
            EMPHASIS * f64::from(felt)
        };
        self.lines.iter().map(liking).collect()
    }
}

/// Returns the centipawns added to the score of `m` for every player.
fn usual_liking(chess: &Chess, m: Move) -> i32 {
    let likings =
        [(m.is_capture(), CAPTURE), (m.is_castle(), CASTLING), (gives_check(chess, m), CHECK)];
    likings.into_iter().filter_map(|(is_so, liking)| is_so.then_some(liking)).sum()
}

/// A line of a search.
pub(super) struct Line {
    /// At least one move.
    pub moves: Vec<Move>,
    /// The score without feelings in centipawns, for the side to move. It includes
    /// [`usual_liking`].
    pub score: i32,
    /// The quiet position at its end and its neutral evaluation, unless the game is over there.
    end: Option<(Chess, i32)>,
}

/// Collects the last lines, each with another first move.
#[derive(Default)]
struct Lines(Vec<Line>);

impl SearchListener for Lines {
    fn iteration(&mut self, iteration: &Iteration<'_>) {
        let Some(&first) = iteration.pv.first().filter(|_| iteration.bound == Bound::Exact) else {
            return;
        };
        let line =
            Line { moves: iteration.pv.to_vec(), score: iteration.score.centipawns(), end: None };
        self.0.retain(|line| line.moves[0] != first);
        self.0.push(line);
        if self.0.len() > LINES {
            self.0.remove(0);
        }
    }
}

impl Listener for Lines {}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;

    #[test]
    fn captures_castling_and_checks_are_underrated() {
        // Bxf7+ captures and gives check
        let fen = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let added = |uci: &str| {
            let m = uci.parse::<UciMove>().unwrap().to_move(&chess).unwrap();
            usual_liking(&chess, m)
        };
        assert_eq!(added("c4f7"), CAPTURE + CHECK);
        assert_eq!(added("f3e5"), CAPTURE);
        assert_eq!(added("e1g1"), CASTLING);
        assert_eq!(added("d2d3"), 0);
    }

    #[test]
    fn the_last_eight_lines_are_kept() {
        let neutral = Profile::builtin("neutral").unwrap();
        let mut reader = Reader::new(neutral, NonZeroU64::new(5_000).unwrap()).unwrap();
        let game = Game::default();
        let mut listed = Lines::default();
        reader.engine.go(&game, &reader.limits, &Signals::default(), &mut listed);
        let mut firsts: Vec<_> = listed.0.iter().map(|line| line.moves[0].to_string()).collect();
        firsts.sort();
        firsts.dedup();
        assert_eq!(firsts.len(), LINES);
    }
}
