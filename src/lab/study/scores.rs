//! The scores of the positions of a game: from its comments, or from a small search.

use super::{
    MOST_CENTIPAWNS,
    judge::{Judge, limited},
};
use crate::{
    chess::{score::Score, win_chance::win_chance},
    pgn::{Eval, FIRST_PLY, PlayedGame},
    support::digest::digest,
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, uci::UciMove};

/// Difficulties are stored in these steps.
const STEPS: f64 = 1000.0;

/// Where a score comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Comment,
    Search,
    /// The game is over on the board.
    Rules,
}

/// What small searches found in one game. The plies count from [`FIRST_PLY`] - 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Searched {
    /// The score of the position before each ply, and of the final position, from White's point of
    /// view in centipawns, where no comment gives it.
    scores: Vec<Option<i16>>,
    /// The difficulty of each quiet position, in thousandths.
    difficulties: Vec<Option<u16>>,
}

/// The scores of a game.
#[derive(Clone, Debug)]
pub(super) struct GameScores {
    /// Before each ply, and of the final position.
    before: Vec<Option<(i16, Source)>>,
    difficulties: Vec<Option<f64>>,
}

/// Returns whether a move is quiet: not in check, not after a capture, and itself no capture,
/// promotion or check.
pub(super) fn is_quiet(before: &Chess, m: Move, last: Option<Move>) -> bool {
    let is_calm = !before.is_check() && last.is_none_or(|last| !last.is_capture());
    if !is_calm || m.is_capture() || m.is_promotion() {
        return false;
    }
    let mut after = before.clone();
    after.play_unchecked(m);
    !after.is_check()
}

/// Identifies a game in a cache: number, length and a checksum of its moves and scored plies.
pub(super) fn key(game: &PlayedGame) -> String {
    let mut text = game.start.fen();
    for played in &game.moves {
        text += &UciMove::from_move(played.m, CastlingMode::Chess960).to_string();
        text.push(if played.eval.is_some() { '!' } else { ' ' });
    }
    format!("{}-{}-{}", game.number, game.moves.len(), digest(text.as_bytes()))
}

impl Searched {
    /// Searches the positions of `game` without a score in a comment, and measures the difficulty of
    /// quiet positions.
    pub(super) fn of(game: &PlayedGame, judge: &mut Judge) -> Self {
        let mut searched = Self::default();
        let mut position = game.start.clone();
        let mut last = None;
        for ply in 0..=game.moves.len() {
            let played = game.moves.get(ply);
            if ply + 1 >= FIRST_PLY {
                let is_known = written(game, ply).is_some() || is_over(&position.chess).is_some();
                searched.scores.push((!is_known).then(|| judge.score(&position)));
                let quiet = played.filter(|played| is_quiet(&position.chess, played.m, last));
                searched.difficulties.push(
                    quiet.map(|_| (STEPS * judge.difficulty(&position.chess)).round() as u16),
                );
            }
            if let Some(played) = played {
                position.push(played.m);
                last = Some(played.m);
            }
        }
        searched
    }

    /// Returns the line of a cache file for the game with this key.
    pub(super) fn line(&self, key: &str) -> String {
        json!({"game": key, "scores": self.scores, "difficulties": self.difficulties}).to_string()
    }

    /// Parses a line of a cache file.
    pub(super) fn parse(line: &str) -> Option<(String, Self)> {
        fn list<T: TryFrom<i64>>(value: &Value) -> Option<Vec<Option<T>>> {
            let number = |value: &Value| match value {
                Value::Null => Some(None),
                value => T::try_from(value.as_i64()?).ok().map(Some),
            };
            value.as_array()?.iter().map(number).collect()
        }
        let value: Value = serde_json::from_str(line).ok()?;
        let scores = list(&value["scores"])?;
        let difficulties = list(&value["difficulties"])?;
        let is_whole = scores.len() == difficulties.len();
        is_whole.then_some((value["game"].as_str()?.to_owned(), Self { scores, difficulties }))
    }

    /// Returns the number of searched positions.
    pub(super) fn count(&self) -> usize {
        self.scores.iter().flatten().count()
    }
}

impl GameScores {
    /// Combines the scores in the comments of a game with those that were searched.
    pub(super) fn new(game: &PlayedGame, searched: &Searched) -> Self {
        let mut position = game.start.chess.clone();
        let (mut before, mut difficulties) = (Vec::new(), Vec::new());
        for ply in 0..=game.moves.len() {
            let at = (ply + 1).checked_sub(FIRST_PLY);
            let found = at.and_then(|at| searched.scores.get(at).copied().flatten());
            let over = is_over(&position).map(|score| (score, Source::Rules));
            let comment = written(game, ply).map(|score| (score, Source::Comment));
            before.push(over.or(comment).or(found.map(|score| (score, Source::Search))));
            let hard = at.and_then(|at| searched.difficulties.get(at).copied().flatten());
            difficulties.push(hard.map(|hard| f64::from(hard) / STEPS));
            if let Some(played) = game.moves.get(ply) {
                position.play_unchecked(played.m);
            }
        }
        Self { before, difficulties }
    }

    /// Returns the score before the move at `ply` for `side`, in centipawns.
    pub(super) fn centipawns(&self, ply: usize, side: Color) -> Option<i16> {
        let (white, _) = self.before.get(ply).copied().flatten()?;
        Some(side.fold_wb(white, -white))
    }

    /// Returns the winning chance of `side` before the move at `ply`, in percent.
    pub(super) fn chance(&self, ply: usize, side: Color) -> Option<f64> {
        self.centipawns(ply, side).map(|own| win_chance(Score::cp(own.into())))
    }

    /// Returns the winning chance that `mover` lost by the move at `ply`, in percentage points.
    /// `None` if the scores before and after the move have different sources, because they cannot be
    /// compared.
    pub(super) fn loss(&self, ply: usize, mover: Color) -> Option<f64> {
        let (_, before) = self.before.get(ply).copied().flatten()?;
        let (_, after) = self.before.get(ply + 1).copied().flatten()?;
        let comparable = before == after || after == Source::Rules;
        let loss = self.chance(ply, mover)? - self.chance(ply + 1, mover)?;
        comparable.then_some(loss.max(0.0))
    }

    /// Returns the difficulty of the position before the move at `ply`, 0 to 1, if it is quiet.
    pub(super) fn difficulty(&self, ply: usize) -> Option<f64> {
        self.difficulties.get(ply).copied().flatten()
    }
}

/// Returns the score of the position before the move at `ply` in the comment of the move before it.
fn written(game: &PlayedGame, ply: usize) -> Option<i16> {
    let eval = game.moves.get(ply.checked_sub(1)?)?.eval?;
    Some(match eval {
        Eval::Centipawns(centipawns) => limited(Score::cp(centipawns)),
        Eval::Mate(moves) => MOST_CENTIPAWNS * if moves < 0 { -1 } else { 1 },
    })
}

/// Returns the score of a position without legal moves, from White's point of view.
fn is_over(chess: &Chess) -> Option<i16> {
    if chess.is_checkmate() {
        return Some(chess.turn().fold_wb(-MOST_CENTIPAWNS, MOST_CENTIPAWNS));
    }
    chess.is_stalemate().then_some(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use std::num::NonZeroU64;

    fn game(text: &str) -> PlayedGame {
        Games::of(Box::new(std::io::Cursor::new(text.to_owned()))).next().unwrap().unwrap()
    }

    const START: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";

    fn scores(moves: &str) -> (PlayedGame, Searched, GameScores) {
        let game = game(&format!("{START} {moves} *\n"));
        let mut judge = Judge::new(NonZeroU64::new(100).unwrap()).unwrap();
        let searched = Searched::of(&game, &mut judge);
        let scores = GameScores::new(&game, &searched);
        (game, searched, scores)
    }

    #[test]
    fn only_positions_without_a_written_score_are_searched() {
        let (_, searched, scores) = scores("5. O-O {[%eval 0.20]} Be7 {[%eval 0.80]} 6. Re1 b5");
        // before plies 7 and 8, and after plies 10 and 11
        assert_eq!(searched.count(), 4);
        assert_eq!(scores.centipawns(9, Color::Black), Some(-20));
        assert_eq!(scores.centipawns(10, Color::White), Some(80));
        let loss = win_chance(Score::cp(80)) - win_chance(Score::cp(20));
        assert!((scores.loss(9, Color::Black).unwrap() - loss).abs() < 1e-9);
        // one score is written, the other is searched
        assert_eq!((scores.loss(8, Color::White), scores.loss(10, Color::White)), (None, None));
        assert!(scores.loss(11, Color::Black).is_some());
    }

    #[test]
    fn a_written_mate_counts_as_the_largest_score() {
        let (_, _, scores) = scores("5. O-O {[%eval #-4]} Be7 {[%eval 30.5]} 6. Re1");
        assert_eq!(scores.centipawns(9, Color::White), Some(-MOST_CENTIPAWNS));
        assert_eq!(scores.centipawns(10, Color::White), Some(MOST_CENTIPAWNS));
    }

    #[test]
    fn quiet_moves_are_no_captures_promotions_or_checks_and_follow_no_capture() {
        let (game, searched, _) =
            scores("5. Bxc6 dxc6 6. Nc3 Bb4 7. Nxe5 Bxc3 8. bxc3 Qe7 9. Nxf7 Qxe4+ 10. Qe2 Kxf7");
        let mut last = None;
        let quiet: Vec<_> = game
            .walk()
            .map(|(before, played)| {
                let quiet = is_quiet(&before, played.m, last);
                last = Some(played.m);
                quiet
            })
            .collect();
        // 6. Nc3 answers a capture, 6... Bb4 is quiet, 8... Qe7 answers a capture
        assert_eq!(
            quiet[8..],
            [false, false, false, true, false, false, false, false, false, false, false, false]
        );
        let measured: Vec<_> = searched.difficulties.iter().map(Option::is_some).collect();
        assert_eq!(measured.iter().filter(|quiet| **quiet).count(), 2);
    }

    #[test]
    fn a_cache_line_is_read_back() {
        let (game, searched, _) = scores("5. O-O {[%eval 0.20]} Be7 6. Re1 b5");
        let key = key(&game);
        assert_eq!(Searched::parse(&searched.line(&key)), Some((key.clone(), searched)));
        for line in ["", "{}", "{\"game\":\"a\",\"scores\":[1],\"difficulties\":[]}", "[1]"] {
            assert_eq!(Searched::parse(line), None, "{line}");
        }
        let (other, ..) = scores("5. O-O {[%eval 0.20]} Be7 6. Re1 d6");
        assert_ne!(key, super::key(&other));
    }
}
