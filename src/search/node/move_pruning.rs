//! Conditions and margins for pruning, reducing and ordering moves, one function per rule.

use crate::{
    chess::{
        node::CompactMove,
        score::{MAX_PLY, Score},
    },
    search::params::Params,
};
use shakmaty::{Role, Square};

impl Params {
    /// Late move pruning: the remaining quiet moves are skipped after a number of moves that grows
    /// with depth.
    /// <https://www.chessprogramming.org/Futility_Pruning#MoveCountBasedPruning>
    pub(in crate::search) fn late_move(&self, depth: i32, tried: usize, improving: bool) -> bool {
        let most = (self.late_move_base + depth * depth) / if improving { 1 } else { 2 };
        tried as i32 >= most
    }

    /// Futility pruning: if the static evaluation is below alpha by a margin, a quiet move will not
    /// raise alpha. The margin grows with `history`, in which continuation history counts twice.
    /// <https://www.chessprogramming.org/Futility_Pruning>
    pub(in crate::search) fn futility(
        &self,
        reduced_depth: i32,
        static_eval: Option<Score>,
        history: i32,
        alpha: Score,
    ) -> bool {
        let margin = self.futility_base
            + self.futility_margin * reduced_depth
            + history / self.futility_history;
        reduced_depth <= self.futility_depth
            && !alpha.is_decided()
            && static_eval.is_some_and(|eval| eval.plus(margin) <= alpha)
    }

    /// Futility pruning of captures: at low depth, a capture that wins `gain` centipawns will not
    /// raise alpha if even with that the static evaluation is below it by a margin.
    pub(in crate::search) fn capture_futility(
        &self,
        reduced_depth: i32,
        static_eval: Option<Score>,
        gain: i32,
        history: i32,
        alpha: Score,
    ) -> bool {
        let margin = self.capture_futility_base
            + self.capture_futility_margin * reduced_depth
            + history / self.capture_futility_history;
        reduced_depth <= self.capture_futility_depth
            && !alpha.is_decided()
            && static_eval.is_some_and(|eval| eval.plus(margin + gain + gain / 10) <= alpha)
    }

    /// History pruning: at low depth, skips quiet moves with a bad continuation history.
    /// <https://www.chessprogramming.org/History_Leaf_Pruning>
    pub(in crate::search) fn bad_history(
        &self,
        depth: i32,
        reduced_depth: i32,
        replies: i32,
    ) -> bool {
        reduced_depth <= self.history_pruning_depth
            && replies < self.history_pruning_margin * (depth - 1)
    }

    /// SEE pruning: returns the SEE threshold below which a move is skipped. `is_calm` means that the
    /// move neither captures, promotes nor gives check.
    /// <https://www.chessprogramming.org/Static_Exchange_Evaluation>
    pub(in crate::search) fn exchange_threshold(
        &self,
        depth: i32,
        reduced_depth: i32,
        is_calm: bool,
    ) -> i32 {
        if is_calm {
            (self.see_quiet_margin * reduced_depth + self.see_quiet_linear) * reduced_depth
        } else {
            self.see_capture_margin * depth
        }
    }

    /// Late move reductions: whether a move is first searched to a reduced depth, because good move
    /// ordering makes late moves unlikely to raise alpha.
    /// <https://www.chessprogramming.org/Late_Move_Reductions>
    pub(in crate::search) fn late_move_reduces(
        &self,
        depth: i32,
        tried: usize,
        is_pv: bool,
    ) -> bool {
        depth >= self.reduction_depth && tried >= 2 + usize::from(is_pv)
    }

    /// Delta pruning: in quiescence search, the score that a capture is assumed not to exceed is the
    /// stand-pat score plus a margin plus its material gain. If that does not reach alpha, the move
    /// is skipped and the ceiling returned. If alpha is not reached without the gain, a capture that
    /// gains nothing (`gains`) is skipped too.
    /// <https://www.chessprogramming.org/Delta_Pruning>
    pub(in crate::search) fn delta(
        &self,
        stand_pat: Score,
        gain: i32,
        alpha: Score,
        gains: impl FnOnce() -> bool,
    ) -> Option<Score> {
        if alpha.is_decided() {
            return None;
        }
        let base = stand_pat.plus(self.delta_margin);
        let ceiling = base.plus(gain);
        if ceiling <= alpha { Some(ceiling) } else { (base <= alpha && !gains()).then_some(base) }
    }

    /// Late capture pruning: after `seen` moves in quiescence search, only promotions and
    /// recaptures on `last`, the target square of the opponent's move, are searched.
    pub(in crate::search) fn late_capture(
        &self,
        m: CompactMove,
        seen: i32,
        last: Option<Square>,
    ) -> bool {
        seen >= self.late_capture_count && last != Some(m.to()) && m.promotion().is_none()
    }

    /// Whether quiescence search skips further quiet evasions after `searched` of them, because a better
    /// one is rarely found late. It does not while all evasions lead to mate.
    pub(in crate::search) fn enough_evasions(&self, searched: i32, best: Score) -> bool {
        searched >= self.quiet_evasions && best > Score::mated_in(MAX_PLY)
    }

    /// Returns the ordering bonus of a quiet move by which a piece of this `role` escapes an attack by a
    /// lesser piece. It is subtracted for a move that enters an attack.
    /// <https://www.chessprogramming.org/Move_Ordering#Non-Captures>
    #[inline]
    pub(in crate::search) fn escape(&self, role: Role) -> i32 {
        match role {
            Role::Knight | Role::Bishop => self.escape_minor,
            Role::Rook => self.escape_rook,
            Role::Queen => self.escape_queen,
            Role::Pawn | Role::King => 0,
        }
    }

    /// Returns the history bonus of the move that causes a cutoff at `depth`.
    pub(in crate::search) fn bonus(&self, depth: i32) -> i32 {
        linear_bonus(depth, self.history_bonus, self.history_bonus_offset, self.history_bonus_most)
    }

    /// Returns the history malus of the moves searched before the one that causes a cutoff at
    /// `depth`.
    pub(in crate::search) fn malus(&self, depth: i32) -> i32 {
        linear_bonus(depth, self.history_malus, self.history_malus_offset, self.history_malus_most)
    }
}

/// Returns `each` per ply of `depth` minus `offset`, between 0 and `most`.
fn linear_bonus(depth: i32, each: i32, offset: i32, most: i32) -> i32 {
    (each * depth - offset).clamp(0, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{Chess, uci::UciMove};

    fn legal(chess: &Chess, uci: &str) -> CompactMove {
        uci.parse::<UciMove>().unwrap().to_move(chess).unwrap().into()
    }

    #[test]
    fn a_capture_is_hopeless_if_even_its_gain_leaves_the_score_below_alpha() {
        let params = Params::default();
        let is_hopeless = |eval, gain, history| {
            params.capture_futility(1, Some(Score::cp(eval)), gain, history, Score::DRAW)
        };
        let needed = params.capture_futility_base + params.capture_futility_margin + 330;
        assert!(is_hopeless(-needed, 300, 0) && !is_hopeless(1 - needed, 300, 0));
        assert!(!is_hopeless(-needed, 300, 10_000), "a capture that was often good");
        let deep = params.capture_futility_depth + 1;
        assert!(!params.capture_futility(deep, Some(Score::cp(-5000)), 0, 0, Score::DRAW));
        assert!(!params.capture_futility(1, None, 0, 0, Score::DRAW), "in check");
        assert!(!params.capture_futility(1, Some(Score::DRAW), 0, 0, Score::mate_in(3)));
    }

    #[test]
    fn a_good_history_saves_a_quiet_move_from_futility() {
        let params = Params::default();
        let is_futile = |eval, depth, history| {
            params.futility(depth, Some(Score::cp(eval)), history, Score::DRAW)
        };
        let needed = params.futility_base + params.futility_margin;
        assert!(is_futile(-needed, 1, 0) && !is_futile(1 - needed, 1, 0));
        assert!(!is_futile(-needed, 1, params.futility_history));
        assert!(!is_futile(-needed, 2, 0), "a deeper search may find more");
        assert!(!is_futile(-9000, params.futility_depth + 1, 0));
        assert!(!params.futility(1, None, 0, Score::DRAW), "in check");
    }

    #[test]
    fn quiet_moves_may_lose_more_in_an_exchange_at_higher_depth() {
        let params = Params::default();
        let of_quiet = |reduced| params.exchange_threshold(12, reduced, true);
        assert_eq!(of_quiet(0), 0);
        assert_eq!(of_quiet(2), 4 * params.see_quiet_margin + 2 * params.see_quiet_linear);
        assert_eq!(params.exchange_threshold(12, 2, false), 12 * params.see_capture_margin);
    }

    #[test]
    fn at_depth_1_any_bad_continuation_history_prunes() {
        let params = Params::default();
        assert!(params.bad_history(1, 0, -1) && !params.bad_history(1, 0, 0));
        assert!(!params.bad_history(3, 0, -1));
        let deep = params.history_pruning_depth + 1;
        assert!(!params.bad_history(deep, deep, -40_000));
    }

    #[test]
    fn late_quiescence_moves_are_recaptures_and_promotions() {
        let params = Params::default();
        let fen = "6k1/8/8/3pp3/3PP3/8/8/6K1 w - - 0 1";
        let chess = Game::from_fen(fen, None).unwrap().chess;
        let takes = legal(&chess, "d4e5");
        assert!(!params.late_capture(takes, params.late_capture_count - 1, None));
        assert!(params.late_capture(takes, params.late_capture_count, Some(Square::D5)));
        assert!(!params.late_capture(takes, params.late_capture_count, Some(Square::E5)));
        let chess = Game::from_fen("6k1/3P4/8/8/8/8/8/6K1 w - - 0 1", None).unwrap().chess;
        assert!(!params.late_capture(legal(&chess, "d7d8q"), params.late_capture_count, None));
    }

    #[test]
    fn quiet_evasions_are_searched_while_all_lead_to_mate() {
        let params = Params::default();
        let enough = params.quiet_evasions;
        assert!(params.enough_evasions(enough, Score::cp(-900)));
        assert!(!params.enough_evasions(enough - 1, Score::cp(-900)));
        assert!(!params.enough_evasions(enough + 5, Score::mated_in(8)));
    }
}
