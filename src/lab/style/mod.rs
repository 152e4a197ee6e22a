//! Measures the playing style of players from their games: attacks, sacrifices, castling, emotions.
//!
//! Any two players can be compared. The comparison accounts for statistical noise.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod comparison;
pub mod identify;
mod material;
mod measure;
mod report;
mod sample;

pub use comparison::{Players, StyleComparison, UnknownPlayer, is_name};
pub use measure::{Measure, MeasureUnit};
pub use sample::{Estimate, Moments, PlayerMoments};

use crate::{
    eval::measures,
    pgn::{EmotionTag, PlayedGame},
};
use material::MaterialBalance;
use shakmaty::{CastlingSide, Chess, Color, KnownOutcome, Move, Position, Rank, Role, Square};

/// The sum of a measure and the number of observations behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeasureCount {
    pub sum: f64,
    pub of: f64,
}

/// All measures of one player over one or more games, in the order of [`Measure::ALL`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Style([MeasureCount; Measure::COUNT]);

impl Style {
    /// Measures the style of `side` in `game`.
    #[must_use]
    pub fn of(game: &PlayedGame, side: Color) -> Self {
        let mut style = Self::default();
        let (mut positions, moves): (Vec<_>, Vec<_>) =
            game.walk().map(|(chess, played)| (chess, played.m)).unzip();
        positions.push(game.end());
        style.count_moves(&positions, moves, side);
        style.count_castling(game, side);
        style.count_feelings(game, side);
        style.add(Measure::Length, game.moves.len() as f64 / 2.0);
        if let Some(result) = game.tags.result {
            style.add(Measure::Draw, is(result == KnownOutcome::Draw));
        }
        style
    }

    /// Returns the count of a measure.
    #[must_use]
    pub fn count(&self, measure: Measure) -> MeasureCount {
        self.0[measure.index()]
    }

    /// Returns the sum of both styles.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        for (count, more) in both.0.iter_mut().zip(other.0) {
            count.sum += more.sum;
            count.of += more.of;
        }
        both
    }

    fn add(&mut self, measure: Measure, value: f64) {
        let count = &mut self.0[measure.index()];
        count.sum += value;
        count.of += 1.0;
    }

    fn count_moves(&mut self, positions: &[Chess], moves: Vec<Move>, side: Color) {
        let ledger = MaterialBalance::of(positions, moves.clone());
        for (ply, (chess, m)) in positions.iter().zip(moves).enumerate() {
            if chess.turn() != side {
                continue;
            }
            self.add(Measure::KingWard, is(goes_king_ward(chess, m)));
            self.add(Measure::Sacrifice, is(ledger.is_sacrifice(ply, side)));
            self.add(Measure::Exchange, is(ledger.begins_exchange(ply)));
            self.add(Measure::PawnStorm, is(is_storm(chess, m)));
            self.add(Measure::Capture, is(m.is_capture()));
            self.add(Measure::Check, is(positions[ply + 1].is_check()));
            self.add(Measure::Mobility, f64::from(measures::mobility(chess, side)));
        }
    }

    fn count_castling(&mut self, game: &PlayedGame, side: Color) {
        if !game.start.chess.castles().has_color(side) {
            return;
        }
        let castled = game.walk().find(|(chess, played)| {
            chess.turn() == side && matches!(played.m, Move::Castle { .. })
        });
        let wing = castled.as_ref().and_then(|(_, played)| played.m.castling_side());
        self.add(Measure::CastlesShort, is(wing.is_some_and(CastlingSide::is_king_side)));
        self.add(Measure::CastlesLong, is(wing.is_some_and(CastlingSide::is_queen_side)));
        self.add(Measure::CastlesNot, is(wing.is_none()));
        if let Some((chess, _)) = castled {
            let ply = 2.0 * f64::from(chess.fullmoves().get() - 1) + side.fold_wb(1.0, 2.0);
            self.add(Measure::CastlingPly, ply);
        }
    }

    fn count_feelings(&mut self, game: &PlayedGame, side: Color) {
        let mut last = None;
        for (chess, played) in game.walk() {
            let (true, Some(EmotionTag { intensity, goal })) = (chess.turn() == side, played.felt)
            else {
                continue;
            };
            self.add(Measure::Intensity, intensity);
            for measure in Measure::ALL {
                if let Measure::Goal(pursued) = measure {
                    self.add(measure, is(goal == Some(pursued)));
                }
            }
            if let Some(last) = last.replace(intensity) {
                self.add(Measure::Volatility, f64::abs(intensity - last));
            }
        }
    }
}

/// Returns 1 if `holds`, else 0.
fn is(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Returns whether `m` moves a knight, bishop, rook or queen nearer to the enemy king.
fn goes_king_ward(chess: &Chess, m: Move) -> bool {
    let Move::Normal { role, from, to, .. } = m else { return false };
    let piece = match role {
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen => true,
        Role::Pawn | Role::King => false,
    };
    let king = chess.board().king_of(!chess.turn());
    piece && king.is_some_and(|king| king.distance(to) < king.distance(from))
}

/// Returns whether `m` moves a pawn beyond its fourth rank, on or next to the enemy king's file.
fn is_storm(chess: &Chess, m: Move) -> bool {
    let side = chess.turn();
    let beyond = |to: Square| to.rank().distance(side.relative_rank(Rank::First)) >= 4;
    let near = |king: Square| king.file().distance(m.to().file()) <= 1;
    m.role() == Role::Pawn && beyond(m.to()) && chess.board().king_of(!side).is_some_and(near)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "these are exact")]
    use super::*;
    use crate::{chess_mind::Goal, pgn::Games};
    use shakmaty::ByColor;

    fn styles(text: &str) -> ByColor<Style> {
        let mut games = Games::of(Box::new(std::io::Cursor::new(text.to_owned())));
        let game = games.next().unwrap().unwrap();
        ByColor::new_with(|side| Style::of(&game, side))
    }

    fn from(fen: &str, moves: &str) -> ByColor<Style> {
        styles(&format!("[FEN \"{fen}\"]\n\n{moves}"))
    }

    fn sum(style: &Style, measure: Measure) -> f64 {
        style.count(measure).sum
    }

    #[test]
    fn counts_of_a_short_game_match_a_count_by_hand() {
        // Légal's mate
        let styles = styles(
            "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 \
             7. Nd5# 1-0",
        );
        let of_white = |measure| styles.white.count(measure);
        // Nf3, Bc4, Nc3, Nxe5, Bxf7+ and Nd5# go nearer to e8, then e7
        assert_eq!(of_white(Measure::KingWard), MeasureCount { sum: 6.0, of: 7.0 });
        // the queen for a pawn, followed by mate
        assert_eq!(of_white(Measure::Sacrifice), MeasureCount { sum: 1.0, of: 7.0 });
        assert_eq!(of_white(Measure::Capture), MeasureCount { sum: 2.0, of: 7.0 });
        assert_eq!(of_white(Measure::Check), MeasureCount { sum: 2.0, of: 7.0 });
        assert_eq!(of_white(Measure::Exchange), MeasureCount { sum: 0.0, of: 7.0 });
        assert_eq!(of_white(Measure::CastlesNot), MeasureCount { sum: 1.0, of: 1.0 });
        assert_eq!(of_white(Measure::CastlingPly), MeasureCount::default());
        assert_eq!(of_white(Measure::Length), MeasureCount { sum: 6.5, of: 1.0 });
        assert_eq!(of_white(Measure::Draw), MeasureCount { sum: 0.0, of: 1.0 });
        assert_eq!(of_white(Measure::Intensity), MeasureCount::default());
        // Bg4, and Bxd1 next to the king
        let of_black = |measure| styles.black.count(measure);
        assert_eq!(of_black(Measure::KingWard), MeasureCount { sum: 2.0, of: 6.0 });
        assert_eq!(of_black(Measure::Capture), MeasureCount { sum: 1.0, of: 6.0 });
        assert_eq!(of_black(Measure::Sacrifice).sum, 0.0);
    }

    #[test]
    fn mobility_is_counted_before_each_own_move() {
        // 20 squares at the start; after e4 e5 the pawns have 14 squares and the pieces 15
        let styles = styles("1. e4 e5 2. d3 *");
        assert_eq!(styles.white.count(Measure::Mobility), MeasureCount { sum: 49.0, of: 2.0 });
        assert_eq!(styles.black.count(Measure::Mobility), MeasureCount { sum: 20.0, of: 1.0 });
        assert_eq!(styles.white.count(Measure::Draw).of, 0.0);
    }

    #[test]
    fn a_sacrifice_lasts_five_plies() {
        let doubled = "4k3/3p4/2p5/8/8/8/3R4/3RK3 w - - 0 1";
        let pinned = "4k2r/8/2p5/8/3R4/8/8/Q3K3 w - - 0 1";
        for (fen, moves, sacrifices) in [
            (doubled, "1. Rd5 cxd5 2. Kf2 Kf8 3. Kf3 Kf7 *", 1.0),
            // two pawns do not compensate; a loss by the last move is unknown
            (doubled, "1. Rd5 cxd5 2. Rxd5 Ke7 3. Rxd7+ Kxd7 *", 1.0),
            (doubled, "1. Rd5 cxd5 2. Kf2 Kf8 *", 0.0),
            (doubled, "1. Rd5 Kf8 2. Kf2 Kf7 3. Kf3 Ke7 *", 0.0),
            // the opponent's rook is won in time, or one move too late
            (pinned, "1. Rd5 cxd5 2. Qd4 Kf7 3. Qxh8 Kg6 *", 0.0),
            (pinned, "1. Rd5 cxd5 2. Qd4 Kf7 3. Kd1 Kg6 4. Qxh8 *", 1.0),
        ] {
            assert_eq!(sum(&from(fen, moves).white, Measure::Sacrifice), sacrifices, "{moves}");
        }
    }

    #[test]
    fn material_won_back_is_not_a_sacrifice() {
        // the knight takes a pawn and is recaptured; the queen takes on the same square
        let styles = from(
            "4k3/8/4p3/3p4/8/2N5/8/3QK3 w - - 0 1",
            "1. Nxd5 exd5 2. Qxd5 Ke7 3. Kf2 Kf6 4. Kg2 Kg6 *",
        );
        // two pawns for a knight: 125 centipawns down
        assert_eq!(sum(&styles.white, Measure::Sacrifice), 1.0);
        assert_eq!(sum(&styles.white, Measure::Exchange), 1.0);
        let even = from(
            "4k3/8/4p3/3n4/8/2N5/8/3QK3 w - - 0 1",
            "1. Nxd5 exd5 2. Qxd5 Ke7 3. Kf2 Kf6 4. Kg2 Kg6 *",
        );
        assert_eq!(sum(&even.white, Measure::Sacrifice), 0.0);
        // the recapture does not start another exchange, though it is recaptured
        assert_eq!(sum(&even.white, Measure::Exchange), 1.0);
        assert_eq!(sum(&even.black, Measure::Exchange), 0.0);
    }

    #[test]
    fn castling_is_counted_where_it_is_allowed() {
        let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQk - 0 11";
        let styles = from(fen, "1. O-O-O a6 2. Kb1 O-O 1/2-1/2");
        let shares = |style: &Style| {
            [Measure::CastlesShort, Measure::CastlesLong, Measure::CastlesNot, Measure::CastlingPly]
                .map(|measure| sum(style, measure))
        };
        assert_eq!(shares(&styles.white), [0.0, 1.0, 0.0, 21.0]);
        assert_eq!(shares(&styles.black), [1.0, 0.0, 0.0, 24.0]);
        assert_eq!(sum(&styles.black, Measure::Draw), 1.0);
        let never = from("4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "1. Kd1 O-O *");
        assert_eq!(never.white.count(Measure::CastlesNot).of, 0.0);
        assert_eq!(never.white.with(&never.black).count(Measure::CastlesShort).of, 1.0);
    }

    #[test]
    fn pawn_storms_pass_the_fourth_rank_near_the_enemy_king() {
        // the king is on g8: f5, g5 and hxg6 are storms; g4 is not far enough, a5 is too far away
        let styles = from(
            "6k1/6p1/8/8/PP3P1P/8/6P1/6K1 w - - 0 1",
            "1. f5 Kh8 2. g4 Kg8 3. g5 g6 4. h5 Kf8 5. hxg6 Kg8 6. a5 Kf8 *",
        );
        // h5 counts too, because the king is still on g8
        assert_eq!(styles.white.count(Measure::PawnStorm), MeasureCount { sum: 4.0, of: 6.0 });
        assert_eq!(sum(&styles.black, Measure::PawnStorm), 0.0);
    }

    #[test]
    fn emotions_belong_to_the_mover() {
        let styles = styles(
            "1. e4 {[%emo 0.25,castle]} e5 {[%emo -1.00,none]} 2. d3 {[%emo -0.50,castle]} d6 \
             3. c3 {[%emo -0.25,gain_mobility]} c6 {[%emo 0.50,none]} *",
        );
        let of = |measure| styles.white.count(measure);
        assert_eq!(of(Measure::Intensity), MeasureCount { sum: -0.5, of: 3.0 });
        assert_eq!(of(Measure::Volatility), MeasureCount { sum: 1.0, of: 2.0 });
        assert_eq!(of(Measure::Goal(Goal::Castle)), MeasureCount { sum: 2.0, of: 3.0 });
        assert_eq!(of(Measure::Goal(Goal::GainMobility)), MeasureCount { sum: 1.0, of: 3.0 });
        assert_eq!(
            styles.black.count(Measure::Goal(Goal::Castle)),
            MeasureCount { sum: 0.0, of: 2.0 }
        );
        assert_eq!(styles.black.count(Measure::Intensity), MeasureCount { sum: -0.5, of: 2.0 });
    }
}
