//! Formats `info` and `bestmove` lines from the results and feelings of a search.

use crate::{
    chess::{game::Game, known::ResultCounts, wdl::OURS},
    chess_mind::Appraisal,
    player::human::choice::Choice,
    search::{
        SearchResult,
        root::report::{Bound, Iteration, per_second},
    },
};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use std::fmt::Write;

/// The options that change how the lines of a search are formatted.
#[derive(Clone, Copy, Debug)]
pub struct InfoFormat {
    /// How castling moves are written.
    pub mode: CastlingMode,
    /// Whether to print win, draw and loss probabilities after scores.
    pub wdl: bool,
}

/// Formats the `info` line for one iteration of a search of `game`.
#[must_use]
pub fn iteration(now: &Iteration<'_>, game: &Game, style: InfoFormat) -> String {
    let bound = match now.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    let wdl = if style.wdl {
        format!(" wdl {}", OURS.wdl(now.score, game.chess.board()))
    } else {
        String::new()
    };
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {} hashfull {} \
         tbhits {} time {}",
        now.depth,
        now.seldepth,
        now.multi_pv,
        now.score,
        now.nodes,
        per_second(now.nodes, now.elapsed),
        now.hashfull,
        now.tablebase_hits,
        now.elapsed.as_millis(),
    );
    if !now.pv.is_empty() {
        line.push_str(" pv");
    }
    for &m in now.pv {
        // Writing to a string cannot fail.
        let _ = write!(line, " {}", notation(m, style.mode));
    }
    line
}

/// Formats the `info` line for the root move that is searched next.
#[must_use]
pub fn root_move(depth: u8, m: Move, number: usize, mode: CastlingMode) -> String {
    format!("info depth {depth} currmove {} currmovenumber {number}", notation(m, mode))
}

/// Formats the `info` line for the feelings before the search.
#[must_use]
pub fn appraisal(felt: &Appraisal) -> String {
    format!("info string {}", felt.summary())
}

/// Formats the `info` line for the known games that reached the root, with the score of `side`.
#[must_use]
pub fn known(counts: ResultCounts, side: Color) -> String {
    let percent = 100.0 * counts.score(side);
    format!("info string known {} games {percent:.0}%", counts.games())
}

/// Formats the `info` line for the number of legal moves that the search considers.
#[must_use]
pub fn attention(considered: usize, legal: usize) -> String {
    format!("info string considers {considered} of {legal} moves")
}

/// Formats the `info` line for a move chosen in human style: the moves that came to mind, each with
/// its probability in percent, and the reply that was overlooked.
#[must_use]
pub fn came_to_mind(game: &Game, rating: u16, choice: &Choice) -> String {
    /// The number of moves to name.
    const NAMED: usize = 4;
    let san = |chess: &Chess, m| SanPlus::from_move(chess.clone(), m).to_string();
    let moves: Vec<String> = choice
        .in_mind
        .iter()
        .take(NAMED)
        .map(|one| format!("{} {:.0} %", san(&game.chess, one.m), 100.0 * one.chance))
        .collect();
    let legal = game.chess.legal_moves().len();
    let count = choice.in_mind.len();
    let mut line = format!(
        "info string rated {rating}: {count} of {legal} moves in mind: {}",
        moves.join(", ")
    );
    if let Some(reply) = choice.overlooked {
        let mut after = game.chess.clone();
        after.play_unchecked(choice.m);
        let _ = write!(
            line,
            "; after {} did not see {}",
            san(&game.chess, choice.m),
            san(&after, reply)
        );
    }
    line
}

/// Formats the `bestmove` line. The move is `0000` if there is no legal move.
#[must_use]
pub fn best_move(outcome: Option<&SearchResult>, mode: CastlingMode) -> String {
    let Some(outcome) = outcome else { return "bestmove 0000".into() };
    let best = notation(outcome.best, mode);
    match outcome.ponder {
        Some(reply) => format!("bestmove {best} ponder {}", notation(reply, mode)),
        None => format!("bestmove {best}"),
    }
}

/// Returns a move in UCI notation, with castling written as `mode` requires.
pub(super) fn notation(m: Move, mode: CastlingMode) -> UciMove {
    UciMove::from_move(m, mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::Score;
    use std::time::Duration;

    fn castling() -> Move {
        let game = Game::parse("4k2r/8/8/8/8/8/8/4K3 b k - 0 1", None).unwrap();
        game.chess.legal_moves().into_iter().find(|m| m.is_castle()).unwrap()
    }

    fn now(pv: &[Move]) -> Iteration<'_> {
        Iteration {
            depth: 12,
            seldepth: 20,
            multi_pv: 1,
            score: Score::cp(35),
            bound: Bound::Exact,
            nodes: 3_000,
            elapsed: Duration::from_millis(1_500),
            hashfull: 7,
            tablebase_hits: 5,
            pv,
        }
    }

    const PLAIN: InfoFormat = InfoFormat { mode: CastlingMode::Standard, wdl: false };

    #[test]
    fn an_iteration_is_one_line_of_integers() {
        let game = Game::default();
        assert_eq!(
            iteration(&now(&[castling()]), &game, PLAIN),
            "info depth 12 seldepth 20 multipv 1 score cp 35 nodes 3000 nps 2000 hashfull 7 \
             tbhits 5 time 1500 pv e8g8"
        );
        let low = Iteration { bound: Bound::Upper, score: Score::mate_in(3), ..now(&[]) };
        let line = iteration(&low, &game, PLAIN);
        assert!(line.contains("score mate 2 upperbound nodes") && line.ends_with("time 1500"));
    }

    #[test]
    fn known_games_have_the_score_of_the_side_to_move() {
        let counts = ResultCounts { white: 200, draws: 78, black: 134 };
        assert_eq!(known(counts, Color::White), "info string known 412 games 58%");
        assert_eq!(known(counts, Color::Black), "info string known 412 games 42%");
    }

    #[test]
    fn wdl_follows_the_score_and_its_bound() {
        let style = InfoFormat { wdl: true, ..PLAIN };
        let score = Score::mate_in(3);
        let line = iteration(&Iteration { score, ..now(&[]) }, &Game::default(), style);
        assert!(line.contains(" score mate 2 wdl 1000 0 0 nodes "), "{line}");
        let low = Iteration { bound: Bound::Lower, ..now(&[]) };
        let line = iteration(&low, &Game::default(), style);
        assert!(line.contains(" score cp 35 lowerbound wdl "), "{line}");
    }

    #[test]
    fn a_root_move_is_printed_with_its_number() {
        let line = root_move(9, castling(), 3, CastlingMode::Chess960);
        assert_eq!(line, "info depth 9 currmove e8h8 currmovenumber 3");
    }

    #[test]
    fn castling_notation_follows_the_mode() {
        let outcome = SearchResult {
            best: castling(),
            pv: vec![castling()],
            ponder: None,
            score: Score::DRAW,
            depth: 1,
            nodes: 1,
            elapsed: Duration::ZERO,
        };
        assert_eq!(best_move(Some(&outcome), CastlingMode::Standard), "bestmove e8g8");
        assert_eq!(best_move(Some(&outcome), CastlingMode::Chess960), "bestmove e8h8");
        assert_eq!(best_move(None, CastlingMode::Standard), "bestmove 0000");
    }
}
