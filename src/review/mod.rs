//! A game gone through again: every position searched and appraised, every move judged.
//!
//! Each game begins with a cleared engine, and each position is searched under the same limit, by the
//! side to move and as it feels. So at fixed nodes or depth a review follows from the game and the
//! profile alone. The score after a move is that of the search of the next position, if who is to move
//! there feels much the same; else the position is searched once more as the mover felt, for one
//! feeling has to judge both.

pub mod annotate;
mod chances;
mod groups;
pub mod report;

pub use chances::{MoveGrade, accuracy, game_accuracy, win_chance};
pub use groups::Contributions;

use crate::{
    chess::{game::Game, score::Score},
    mind::{appraisal::Appraisal, relevance::Ratios},
    pgn::{PlayedGame, Tags},
    player::{Engine, Felt, HashError},
    profile::Profile,
    search::{
        Outcome, Signals,
        root::{limits::Limits, report::Silent},
    },
};
use shakmaty::{ByColor, Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use std::{sync::atomic::Ordering::Relaxed, time::Duration};

/// A game with what was found out about every move.
#[derive(Clone, Debug)]
pub struct Review {
    /// As in [`PlayedGame::number`].
    pub number: usize,
    /// Who played, and how it ended.
    pub tags: Tags,
    pub start: Game,
    pub plies: Vec<Reviewed>,
    /// 0 to 100; none for who made no move.
    pub accuracy: ByColor<Option<f64>>,
}

/// A move with what was found out about it. Scores and chances are the mover's point of view.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The position in which it was played.
    pub before: Chess,
    pub m: Move,
    pub san: String,
    pub uci: String,
    /// What the engine would have played.
    pub best: Move,
    /// The line that begins with [`Self::best`], as it stands in books.
    pub line: Vec<String>,
    /// The same as moves.
    pub line_moves: Vec<Move>,
    pub score_before: Score,
    pub score_after: Score,
    /// Of the search that gave the score after the move, in plies; 0 where the game is over. If the
    /// feelings of the players differ much and the move is the best, that is the search before it.
    pub depth: u8,
    /// In percent.
    pub chance_before: f64,
    pub chance_after: f64,
    /// 0 to 100.
    pub accuracy: f64,
    /// None for moves that are not bad, the engine's own choice always included.
    pub grade: Option<MoveGrade>,
    /// What the mover felt.
    pub appraisal: Appraisal,
    /// The static evaluation before the move as the mover felt it.
    pub felt: Contributions,
    /// The same without feeling.
    pub neutral: Contributions,
}

impl Reviewed {
    /// Who moved.
    pub fn mover(&self) -> Color {
        self.before.turn()
    }

    /// The position after the move.
    pub fn after(&self) -> Chess {
        let mut chess = self.before.clone();
        chess.play_unchecked(self.m);
        chess
    }
}

/// Reviews games, one after another.
#[derive(Debug)]
pub struct Reviewer {
    engine: Engine,
    limits: Limits,
}

impl Reviewer {
    /// Reviews as `profile` sees it, within these limits for each position.
    ///
    /// # Errors
    /// If there is no memory for the search.
    pub fn new(profile: Profile, limits: Limits) -> Result<Self, HashError> {
        let mut engine = Engine::new(profile)?;
        engine.overhead = Duration::ZERO;
        Ok(Self { engine, limits })
    }

    /// The profile by which it reviews.
    pub fn profile(&self) -> &Profile {
        self.engine.profile()
    }

    /// Goes through `played`; none if told to stop on the way.
    pub fn review(&mut self, played: &PlayedGame, signals: &Signals) -> Option<Review> {
        self.review_by_ply(played, signals, |_| ())
    }

    /// Like [`Self::review`], and calls `done` with the number of each ply, from 1, once it is judged.
    pub fn review_by_ply(
        &mut self,
        played: &PlayedGame,
        signals: &Signals,
        mut done: impl FnMut(usize),
    ) -> Option<Review> {
        self.engine.new_game();
        let mut game = played.start.clone();
        let mut seen = self.look(&game, signals);
        let mut plies = Vec::with_capacity(played.moves.len());
        let mut chances = vec![white_chance(&game, score_of(&game, seen.as_ref()))];
        for m in played.moves.iter().map(|played| played.m) {
            // where a move was played there is one to be found
            let now = seen.take()?;
            let before = game.chess.clone();
            game.push(m);
            let next = self.look(&game, signals);
            let (score_after, depth) = self.after(&game, m, &now, next.as_ref(), signals)?;
            if signals.stop.load(Relaxed) {
                return None;
            }
            chances.push(white_chance(&game, -score_after));
            plies.push(self.judge(before, m, now, (score_after, depth)));
            done(plies.len());
            seen = next;
        }
        Some(Review {
            number: played.number,
            tags: played.tags.clone(),
            start: played.start.clone(),
            plies,
            accuracy: game_accuracy(&chances, played.start.chess.turn()),
        })
    }

    /// What `m` has led to in `game`, for its mover, and how deep the search was that tells it. `now`
    /// is what was seen before, `next` what the opponent sees, if the game is not over.
    fn after(
        &mut self,
        game: &Game,
        m: Move,
        now: &Seen,
        next: Option<&Seen>,
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

    /// Searches a position; none if there is no move.
    fn look(&mut self, game: &Game, signals: &Signals) -> Option<Seen> {
        let mut felt = Felt::default();
        let Outcome { pv, score, depth, .. } =
            self.engine.go(game, &self.limits, signals, &mut felt)?;
        Some(Seen { score, depth, line: pv, appraisal: felt.0? })
    }

    fn judge(&self, before: Chess, m: Move, now: Seen, after: (Score, u8)) -> Reviewed {
        let Seen { score: score_before, line: line_moves, appraisal, .. } = now;
        let (score_after, depth) = after;
        let best = line_moves.first().copied().unwrap_or(m);
        let [chance_before, chance_after] = [score_before, score_after].map(win_chance);
        let grade = MoveGrade::of(score_before, score_after).filter(|_| m != best);
        let (profile, side) = (self.engine.profile(), before.turn());
        let groups = |ratios: &Ratios| Contributions::of(profile, &before, side, ratios);
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

/// What a search told.
#[derive(Debug)]
struct Seen {
    score: Score,
    depth: u8,
    /// At least one move.
    line: Vec<Move>,
    appraisal: Appraisal,
}

/// The score of the side to move: the search's, or that of the end of the game.
fn score_of(game: &Game, seen: Option<&Seen>) -> Score {
    match seen {
        Some(seen) => seen.score,
        None if game.chess.is_check() => Score::mated_in(0),
        None => Score::DRAW,
    }
}

/// White's chance where the side to move has this score.
fn white_chance(game: &Game, score: Score) -> f64 {
    win_chance(game.chess.turn().fold_wb(score, -score))
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

    /// Légal's mate: Black takes the queen and is mated.
    const LEGAL: &str = "[White \"Kermur\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 \
                         4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0\n";

    fn played(text: &str) -> PlayedGame {
        Games::of(Box::new(Cursor::new(text.to_owned()))).next().unwrap().unwrap()
    }

    fn reviewer(name: &str) -> Reviewer {
        let limits = Limits { nodes: NonZeroU64::new(2_000), ..Limits::default() };
        Reviewer::new(Profile::builtin(name).unwrap(), limits).unwrap()
    }

    #[test]
    fn every_move_is_judged_by_the_search_of_the_next_position() {
        let game = played(LEGAL);
        let mut done = Vec::new();
        let review = reviewer("default")
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
        assert!(review.accuracy.white.unwrap() > review.accuracy.black.unwrap());
    }

    #[test]
    fn one_feeling_judges_a_move_before_and_after() {
        // each player of the article's sees its own squares alone: by turns everything would be lost
        let ruy = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";
        let review = reviewer("paper2012").review(&played(ruy), &Signals::default()).unwrap();
        let bad = review.plies.iter().filter(|ply| ply.grade.is_some()).count();
        assert!(bad * 3 <= review.plies.len(), "{bad} of {}", review.plies.len());
        for ply in review.plies.iter().filter(|ply| ply.m == ply.best) {
            assert_eq!(ply.score_after, ply.score_before, "{}", ply.san);
        }
    }

    #[test]
    fn a_review_does_not_depend_on_those_before() {
        let (legal, other) = (played(LEGAL), played("1. d4 d5 2. c4 dxc4 3. e4 b5 *\n"));
        let mut reviewer = reviewer("anxious");
        let shown = |review: Option<Review>| format!("{:?}", review.unwrap().plies);
        let first = shown(reviewer.review(&legal, &Signals::default()));
        reviewer.review(&other, &Signals::default()).unwrap();
        assert_eq!(shown(reviewer.review(&legal, &Signals::default())), first);
    }

    #[test]
    fn whoever_is_told_to_stop_has_no_review() {
        let signals = Signals::default();
        signals.stop.store(true, Relaxed);
        assert!(reviewer("default").review(&played(LEGAL), &signals).is_none());
        // a game without moves needs none
        let empty = played("[White \"a\"]\n\n*\n");
        let review = reviewer("neutral").review(&empty, &Signals::default()).unwrap();
        assert_eq!((review.plies.len(), review.accuracy.white), (0, None));
    }
}
