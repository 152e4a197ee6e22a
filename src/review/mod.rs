//! Reviews a game: searches and appraises every position and grades every move.
//!
//! Each game starts with a cleared engine. Each position is searched under the same limits, with
//! the feeling of the side to move. So a review with fixed nodes or depth depends only on the game
//! and the profile.
//!
//! The score after a move normally comes from the search of the next position. If the opponent
//! feels very differently there, the position is searched again with the mover's feeling, because
//! the scores before and after a move must be comparable.

pub mod annotate;
mod chances;
pub mod coach;
pub mod report;

pub use chances::{MoveGrade, accuracy};

use crate::{
    chess::{game::Game, score::Score, win_chance::win_chance},
    chess_mind::{Appraisal, Ratios},
    eval::group::Group,
    explain::split::Split,
    pgn::{PlayedGame, Tags},
    player::{Engine, LastAppraisal, Options, OptionsError},
    profile::Profile,
    search::{
        SearchResult, Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// A reviewed game.
#[derive(Clone, Debug)]
pub struct Review {
    /// The number of the game, as in [`PlayedGame::number`].
    pub number: usize,
    /// Players, ratings and result.
    pub tags: Tags,
    /// The initial position.
    pub start: Game,
    /// The moves.
    pub plies: Vec<Reviewed>,
}

impl Review {
    /// Returns the mean accuracy, 0 to 100, and the number of the moves of `side` that satisfy
    /// `counts`. Returns `None` if there is no such move.
    #[expect(clippy::cast_precision_loss, reason = "a game has fewer moves")]
    pub fn accuracy(
        &self,
        side: Color,
        counts: impl Fn(&Reviewed) -> bool,
    ) -> Option<(f64, usize)> {
        let moves = self.plies.iter().filter(|ply| ply.mover() == side && counts(ply));
        let found: Vec<_> = moves.map(|ply| ply.accuracy).collect();
        let sum: f64 = found.iter().sum();
        (!found.is_empty()).then(|| (sum / found.len() as f64, found.len()))
    }
}

/// A reviewed move. Scores and chances are from the mover's point of view.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The position before the move.
    pub before: Chess,
    /// The move that was played.
    pub m: Move,
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The move that the engine prefers.
    pub best: Move,
    /// The best line in SAN, beginning with [`Self::best`].
    pub line: Vec<String>,
    /// The moves of the best line.
    pub line_moves: Vec<Move>,
    /// The score before the move.
    pub score_before: Score,
    /// The score after the move.
    pub score_after: Score,
    /// Depth in plies of the search that gave the score after the move; 0 if the game is over.
    ///
    /// This is the search before the move if the move is the best and the players feel very
    /// differently.
    pub depth: u8,
    /// The winning chance before the move, in percent.
    pub chance_before: f64,
    /// The winning chance after the move, in percent.
    pub chance_after: f64,
    /// The accuracy of the move, 0 to 100.
    pub accuracy: f64,
    /// The grade of a bad move. It is always `None` for the move that the engine prefers.
    pub grade: Option<MoveGrade>,
    /// The mover's appraisal before the move.
    pub appraisal: Appraisal,
    /// The static evaluation before the move with the mover's feeling: the centipawns of each
    /// group, in the order of [`Group::ALL`], from the mover's point of view.
    pub felt: [f64; Group::COUNT],
    /// Like `felt`, without feeling.
    pub neutral: [f64; Group::COUNT],
}

impl Reviewed {
    /// Returns the side that moved.
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    /// Returns the position after the move.
    pub fn after(&self) -> Chess {
        let mut chess = self.before.clone();
        chess.play_unchecked(self.m);
        chess
    }
}

/// An engine that reviews one game after another.
#[derive(Debug)]
pub struct Reviewer {
    engine: Engine,
    limits: Limits,
}

impl Reviewer {
    /// Creates a reviewer that plays `profile` and searches each position within `limits`.
    ///
    /// # Errors
    /// If the memory for the transposition table cannot be allocated.
    pub fn new(profile: Profile, limits: Limits) -> Result<Self, OptionsError> {
        // there is no GUI, hence no communication delay
        let options = Options { overhead: Duration::ZERO, ..Options::default() };
        Ok(Self { engine: Engine::new(profile, options)?, limits })
    }

    /// Returns the profile of the engine.
    pub fn profile(&self) -> &Profile {
        self.engine.profile()
    }

    /// Reviews a game. Returns `None` if `signals` stops the review.
    pub fn review(&mut self, played: &PlayedGame, signals: &Signals) -> Option<Review> {
        self.review_by_ply(played, signals, |_| ())
    }

    /// Like [`Self::review`], and calls `done` with the number of each reviewed ply, from 1.
    pub fn review_by_ply(
        &mut self,
        played: &PlayedGame,
        signals: &Signals,
        mut done: impl FnMut(usize),
    ) -> Option<Review> {
        self.engine.new_game();
        let mut game = played.start.clone();
        let mut searched = self.search(&game, signals);
        let mut plies = Vec::with_capacity(played.moves.len());
        for m in played.moves.iter().map(|played| played.m) {
            // a legal move was played here, so the search found one too
            let now = searched.take()?;
            let before = game.chess.clone();
            game.push(m);
            let next = self.search(&game, signals);
            let (score_after, depth) = self.after(&game, m, &now, next.as_ref(), signals)?;
            if signals.stop.load(Relaxed) {
                return None;
            }
            plies.push(self.judge(before, m, now, (score_after, depth)));
            done(plies.len());
            searched = next;
        }
        Some(Review {
            number: played.number,
            tags: played.tags.clone(),
            start: played.start.clone(),
            plies,
        })
    }

    /// Returns the mover's score in `game` after `m`, and the depth of the search that found it.
    /// `now` is the search before the move, `next` the opponent's search after it, unless the game
    /// is over.
    fn after(
        &mut self,
        game: &Game,
        m: Move,
        now: &Searched,
        next: Option<&Searched>,
        signals: &Signals,
    ) -> Option<(Score, u8)> {
        let Some(next) = next else { return Some((-score_of(game, None), 0)) };
        if self.engine.feels_alike(&now.appraisal, &next.appraisal) {
            return Some((-next.score, next.depth));
        }
        if now.line.first() == Some(&m) {
            return Some((now.score, now.depth));
        }
        let felt = &now.appraisal;
        let outcome = self.engine.go_as(felt, game, &self.limits, signals, &mut Silent)?;
        Some((-outcome.score, outcome.depth))
    }

    /// Searches a position. Returns `None` if there is no legal move.
    fn search(&mut self, game: &Game, signals: &Signals) -> Option<Searched> {
        let mut felt = LastAppraisal::default();
        let SearchResult { pv, score, depth, .. } =
            self.engine.go(game, &self.limits, signals, &mut felt)?;
        Some(Searched { score, depth, line: pv, appraisal: felt.0? })
    }

    fn judge(&self, before: Chess, m: Move, now: Searched, after: (Score, u8)) -> Reviewed {
        let Searched { score: score_before, line: line_moves, appraisal, .. } = now;
        let (score_after, depth) = after;
        let best = line_moves.first().copied().unwrap_or(m);
        let [chance_before, chance_after] = [score_before, score_after].map(win_chance);
        let grade = MoveGrade::of(score_before, score_after).filter(|_| m != best);
        let (profile, side) = (self.engine.profile(), before.turn());
        let groups = |ratios: &Ratios| Split::of(profile, &before, side, ratios).by_group();
        Reviewed {
            m,
            san: SanPlus::from_move(before.clone(), m).to_string(),
            uci: UciMove::from_move(m, before.castles().mode()).to_string(),
            best,
            line: sans(before.clone(), &line_moves),
            line_moves,
            score_before,
            score_after,
            depth,
            chance_before,
            chance_after,
            accuracy: accuracy(chance_before, chance_after),
            grade,
            felt: groups(&appraisal.ratios),
            neutral: groups(&Ratios::NEUTRAL),
            appraisal,
            before,
        }
    }
}

/// The result of a search.
#[derive(Debug)]
struct Searched {
    score: Score,
    depth: u8,
    /// The principal variation: at least one move.
    line: Vec<Move>,
    appraisal: Appraisal,
}

/// Returns the score of the side to move, from the search or from the result if the game is over.
fn score_of(game: &Game, searched: Option<&Searched>) -> Score {
    match searched {
        Some(searched) => searched.score,
        None if game.chess.is_check() => Score::mated_in(0),
        None => Score::DRAW,
    }
}

fn sans(mut chess: Chess, line: &[Move]) -> Vec<String> {
    let san = |m: &Move| SanPlus::from_move_and_play_unchecked(&mut chess, *m).to_string();
    line.iter().map(san).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use std::{io::Cursor, num::NonZeroU64};

    /// Légal's mate: Black takes the queen and gets mated.
    const LEGAL: &str = "[White \"Kermur\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 \
                         4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n";

    fn played(text: &str) -> PlayedGame {
        Games::of(Box::new(Cursor::new(text.to_owned()))).next().unwrap().unwrap()
    }

    fn reviewer(name: &str) -> Reviewer {
        let limits = Limits::of_nodes(NonZeroU64::new(2_000).unwrap());
        Reviewer::new(Profile::builtin(name).unwrap(), limits).unwrap()
    }

    #[test]
    fn every_move_is_graded_by_the_search_of_the_next_position() {
        let game = played(LEGAL);
        let mut done = Vec::new();
        let review = reviewer("standard")
            .review_by_ply(&game, &Signals::default(), |ply| done.push(ply))
            .unwrap();
        assert_eq!((review.plies.len(), done), (13, (1..=13).collect()));
        for (ply, next) in review.plies.iter().zip(&review.plies[1..]) {
            assert_eq!((ply.score_after, &ply.after()), (-next.score_before, &next.before));
            assert_eq!(ply.appraisal.side, ply.mover());
            assert_eq!(ply.line.len(), ply.line_moves.len());
        }
        let takes = &review.plies[9];
        assert_eq!((takes.san.as_str(), takes.uci.as_str()), ("Bxd1", "g4d1"));
        assert_eq!(takes.grade, Some(MoveGrade::Blunder));
        assert_ne!(takes.best, takes.m);
        let mate = &review.plies[12];
        assert_eq!((mate.score_before, mate.score_after), (Score::mate_in(1), Score::mate_in(0)));
        assert_eq!(mate.grade, None);
        let [white, black] = Color::ALL.map(|side| review.accuracy(side, |_| true).unwrap());
        assert!(white.0 > black.0 && (white.1, black.1) == (7, 6), "{white:?} {black:?}");
    }

    #[test]
    fn scores_before_and_after_a_move_use_the_same_feeling() {
        // under the article's evaluation each side counts only its own mobility, so scores of
        // different sides are not comparable
        let ruy = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";
        let review = reviewer("paper2012").review(&played(ruy), &Signals::default()).unwrap();
        let bad = review.plies.iter().filter(|ply| ply.grade.is_some()).count();
        assert!(bad * 3 <= review.plies.len(), "{bad} of {}", review.plies.len());
        for ply in review.plies.iter().filter(|ply| ply.m == ply.best) {
            assert_eq!(ply.score_after, ply.score_before, "{}", ply.san);
        }
    }

    #[test]
    fn a_review_does_not_depend_on_earlier_reviews() {
        let (legal, other) = (played(LEGAL), played("1. d4 d5 2. c4 dxc4 3. e4 b5 *\n"));
        let mut reviewer = reviewer("anxious");
        let shown = |review: Option<Review>| format!("{:?}", review.unwrap().plies);
        let first = shown(reviewer.review(&legal, &Signals::default()));
        reviewer.review(&other, &Signals::default()).unwrap();
        assert_eq!(shown(reviewer.review(&legal, &Signals::default())), first);
    }

    #[test]
    fn a_stopped_review_returns_none() {
        let signals = Signals::default();
        signals.stop.store(true, Relaxed);
        assert!(reviewer("standard").review(&played(LEGAL), &signals).is_none());
        // a game without moves needs no search
        let empty = played("[White \"a\"]\n\n*\n");
        let review = reviewer("neutral").review(&empty, &Signals::default()).unwrap();
        assert_eq!((review.plies.len(), review.accuracy(Color::White, |_| true)), (0, None));
    }
}
