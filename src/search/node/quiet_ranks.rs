//! Ranks the quiet moves of a position, piece by piece: what is common to the moves of a piece is
//! looked up once.

use crate::{
    chess::node::Threats,
    search::{
        memory::history::{PieceHistory, QuietHistory},
        params::Params,
    },
};
use shakmaty::{Bitboard, Role, Square};

/// The ranks of the quiet moves of one position: by their history, and by the attacks that they leave
/// or enter.
pub(in crate::search) struct QuietRanks<'p> {
    history: QuietHistory<'p>,
    threats: &'p Threats,
    /// `None` if only history counts.
    params: Option<&'p Params>,
}

impl<'p> QuietRanks<'p> {
    /// Creates the ranks by history alone.
    pub(in crate::search) fn by_history(history: QuietHistory<'p>, threats: &'p Threats) -> Self {
        Self { history, threats, params: None }
    }

    /// Creates the ranks by history and attacks.
    pub(in crate::search) fn new(
        history: QuietHistory<'p>,
        threats: &'p Threats,
        params: &'p Params,
    ) -> Self {
        Self { history, threats, params: Some(params) }
    }

    /// Returns the squares that the opponent attacks.
    pub(in crate::search) fn attacked(&self) -> Bitboard {
        self.threats.attacked()
    }

    /// Returns the ranks of the moves of the piece of `role` on `from`.
    #[inline]
    pub(in crate::search) fn of_piece(&self, role: Role, from: Square) -> PieceRanks<'p> {
        let escape = self.params.map_or(0, |params| params.escape(role));
        let danger = self.threats.against(role);
        PieceRanks {
            history: self.history.of_piece(role, from),
            leaving: escape * i32::from(danger.contains(from)),
            entering: escape,
            danger,
        }
    }
}

/// The ranks of the quiet moves of one piece.
pub(in crate::search) struct PieceRanks<'p> {
    history: PieceHistory<'p>,
    /// The bonus for leaving an attack.
    leaving: i32,
    /// The penalty for entering an attack.
    entering: i32,
    /// The squares on which the piece would be attacked by a less valuable one.
    danger: Bitboard,
}

impl PieceRanks<'_> {
    /// Returns the rank of the move to `to`.
    #[inline]
    pub(in crate::search) fn of(&self, to: Square) -> i32 {
        let enters = i32::from(self.danger.contains(to));
        self.history.of(to) + self.leaving - self.entering * enters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, search::memory::history::History};
    use shakmaty::{Chess, Position, uci::UciMove};

    /// Returns the rank of a move by an empty history.
    fn rank(chess: &Chess, uci: &str, params: &Params) -> i32 {
        let m = uci.parse::<UciMove>().unwrap().to_move(chess).unwrap();
        let (history, threats) = (History::default(), Threats::of(chess));
        let quiets = history.quiets(chess.turn(), [None; 3], threats.attacked());
        let ranks = QuietRanks::new(quiets, &threats, params);
        ranks.of_piece(m.role(), m.from().unwrap()).of(m.to())
    }

    #[test]
    fn the_escape_bonus_rewards_leaving_an_attack_and_penalises_entering_one() {
        let params = Params::default();
        let fen = "6k1/3b4/8/4p3/R2N4/8/8/2Q3K1 w - - 0 1";
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let (minor, rook, queen) = (params.escape_minor, params.escape_rook, params.escape_queen);
        assert_eq!(rank(&chess, "a4a1", &params), rook);
        assert_eq!(rank(&chess, "d4f3", &params), minor);
        assert_eq!(rank(&chess, "c1c6", &params), -queen);
        assert_eq!(rank(&chess, "g1f2", &params), 0);
    }
}
