//! What known games say about a position and the moves that lead to known positions.

use crate::chess::{
    game::Game,
    known::{KnownGames, KnownRule, ResultCounts},
};
use serde::Serialize;
use shakmaty::{Color, Move, Position, san::SanPlus, uci::UciMove};
use std::fmt;

/// The results of the known games that reached a position, from the point of view of the side to
/// move.
#[derive(Clone, Debug, Serialize)]
pub struct KnownView {
    fen: String,
    side: &'static str,
    #[serde(flatten)]
    results: ResultsRecord,
    /// The moves that lead to known positions, the most frequent first.
    moves: Vec<KnownMove>,
}

/// Results for one side.
#[derive(Clone, Copy, Debug, Serialize)]
struct ResultsRecord {
    games: u64,
    won: u32,
    drawn: u32,
    lost: u32,
    /// Wins and half of the draws per game, from 0 to 1. `None` without games.
    score: Option<f64>,
    /// The 95 % interval of the score.
    interval: Option<(f64, f64)>,
}

/// A move that leads to a known position.
#[derive(Clone, Debug, Serialize)]
struct KnownMove {
    #[serde(rename = "move")]
    uci: String,
    san: String,
    #[serde(flatten)]
    results: ResultsRecord,
    /// What each rule adds to the score of the move, in centipawns.
    bonus: BonusRecord,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct BonusRecord {
    score: i32,
    all: i32,
}

impl ResultsRecord {
    fn of(counts: ResultCounts, side: Color) -> Self {
        let games = counts.games();
        Self {
            games,
            won: counts.wins(side),
            drawn: counts.draws,
            lost: counts.wins(!side),
            score: (games > 0).then(|| counts.score(side)),
            interval: (games > 0).then(|| counts.interval(side)),
        }
    }
}

impl KnownView {
    /// Looks up the current position of `game` and the positions after each legal move.
    #[must_use]
    pub fn of(game: &Game, known: &KnownGames) -> Self {
        let (chess, side) = (&game.chess, game.chess.turn());
        let known_move = |m: Move| {
            let mut after = chess.clone();
            after.play_unchecked(m);
            let counts = known.counts(&after)?;
            let bonus = |rule: KnownRule| rule.bonus(counts, side, after.board());
            Some(KnownMove {
                uci: UciMove::from_move(m, chess.castles().mode()).to_string(),
                san: SanPlus::from_move(chess.clone(), m).to_string(),
                results: ResultsRecord::of(counts, side),
                bonus: BonusRecord { score: bonus(KnownRule::Score), all: bonus(KnownRule::All) },
            })
        };
        let mut moves: Vec<_> = chess.legal_moves().into_iter().filter_map(known_move).collect();
        moves.sort_by(|a, b| b.results.games.cmp(&a.results.games).then(a.san.cmp(&b.san)));
        let results = ResultsRecord::of(known.counts(chess).unwrap_or_default(), side);
        Self { fen: game.fen(), side: side.fold_wb("White", "Black"), results, moves }
    }

    /// Describes the known games in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let ResultsRecord { games, won, drawn, lost, score, interval } = self.results;
        let Some((score, (low, high))) = score.zip(interval) else {
            return "no known game has reached this position".into();
        };
        let [score, low, high] = [score, low, high].map(|share| 100.0 * share);
        let side = self.side;
        let noun = if games == 1 { "game" } else { "games" };
        format!(
            "{games} {noun}: {side} won {won}, drew {drawn}, lost {lost}; \
             scores {score:.1} % (95 %: {low:.1} to {high:.1})"
        )
    }

    /// Writes the summary and the bonuses that the rule of a player gives to moves, as two lines.
    pub(super) fn row(&self, f: &mut fmt::Formatter<'_>, rule: KnownRule) -> fmt::Result {
        writeln!(f, "\nKnown: {}", self.summary())?;
        let bonus = |known: &KnownMove| match rule {
            KnownRule::Score => known.bonus.score,
            KnownRule::All => known.bonus.all,
        };
        let moves = self.moves.iter().filter(|known| bonus(known) != 0);
        let moves: Vec<_> =
            moves.map(|known| format!("{} {:+}", known.san, bonus(known))).collect();
        let moves = if moves.is_empty() { "none".into() } else { moves.join(", ") };
        writeln!(f, "  bonus of moves by the rule \"{}\" (cp): {moves}", rule.name())
    }

    fn moves(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.moves.is_empty() {
            return write!(f, "  no move leads to a known position");
        }
        let head = ["games", "won", "drawn", "lost", "score", "95 %", "bonus", "all"];
        let [games, won, drawn, lost, score, interval, bonus, all] = head;
        write!(
            f,
            "  {:<8}{games:>8}{won:>8}{drawn:>8}{lost:>8}{score:>8}{interval:>14}{bonus:>7}{all:>5}",
            "move"
        )?;
        for KnownMove { san, results, bonus, .. } in &self.moves {
            let ResultsRecord { games, won, drawn, lost, score, interval } = results;
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            let score = score.map_or_else(String::new, percent);
            let interval = interval.map_or_else(String::new, |(low, high)| {
                format!("{} to {}", percent(low), percent(high))
            });
            let BonusRecord { score: bonus, all } = bonus;
            write!(
                f,
                "\n  {san:<8}{games:>8}{won:>8}{drawn:>8}{lost:>8}{score:>8}{interval:>14}{:>7}{:>5}",
                signed(*bonus),
                signed(*all)
            )?;
        }
        Ok(())
    }
}

/// Formats a bonus with its sign, and no bonus as 0.
fn signed(bonus: i32) -> String {
    if bonus == 0 { "0".into() } else { format!("{bonus:+}") }
}

impl fmt::Display for KnownView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n", self.fen, self.summary())?;
        writeln!(
            f,
            "Moves to known positions. The score is that of {0}, in percent. \"bonus\" is what the rule\n\
             \"score\" adds to a move in centipawns, \"all\" what the rule \"all\" adds.",
            self.side
        )?;
        self.moves(f)
    }
}
