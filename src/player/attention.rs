//! What draws a player's attention: the squares that the active goal lights up.

use crate::{
    chess_mind::{Appraisal, salience::Focus},
    search::{AttentionBonus, root::weakening::Salience},
};
use shakmaty::{Chess, Move, Position, Role, Square};

/// Returns the search bonus of the moves that the active goal draws attention to. Moves to its
/// squares get the full bonus. Moves away from them or attacking them get half.
pub(super) fn attention(chess: &Chess, felt: &Appraisal) -> Option<AttentionBonus> {
    let most = i16::try_from(felt.effects.attention).ok().filter(|&most| most > 0)?;
    let focus = Focus::of(chess, Some(felt), 100);
    let leaving = |from| if focus.highlights(from) { most / 2 } else { 0 };
    let arriving = |role: Role, to| {
        if focus.highlights(to) {
            most
        } else if focus.is_aimed_at(chess.board(), to, role.of(felt.side)) {
            most / 2
        } else {
            0
        }
    };
    Some(AttentionBonus::new(leaving, arriving))
}

impl Salience for Focus {
    fn of(&self, position: &Chess, last: Option<Square>, m: Move) -> i32 {
        self.salience(position, last, m)
    }
}
