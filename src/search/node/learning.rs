//! What is learned of moves: of those tried in a node, of the one that led there, of the table's.

use super::{negamax::NodeState, ordering::is_quiet};
use crate::{
    chess::{evaluator::Evaluator, node::Node, score::Score},
    search::{Worker, memory::tt::PackedMove, root::report::Bound},
};
use shakmaty::{Move, MoveList, Position};

/// What has come of the moves of a node so far.
pub(in crate::search) struct Found {
    pub best: Score,
    /// The last that raised alpha.
    pub best_move: Option<Move>,
    pub searched: usize,
    /// Those searched without a cutoff.
    quiets: MoveList,
    captures: MoveList,
}

impl Default for Found {
    fn default() -> Self {
        let (quiets, captures) = (MoveList::new(), MoveList::new());
        Self { best: -Score::INFINITE, best_move: None, searched: 0, quiets, captures }
    }
}

impl Found {
    /// One more move was searched, and has this score.
    pub(in crate::search) fn note(&mut self, score: Score) {
        self.searched += 1;
        self.best = self.best.max(score);
    }

    /// `m` was searched and caused no cutoff.
    pub(in crate::search) fn add(&mut self, m: Move) {
        if is_quiet(m) { self.quiets.push(m) } else { self.captures.push(m) }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// After a cutoff: what refuted is tried earlier next time, what was tried in vain later.
    pub(in crate::search) fn learn(
        &mut self,
        node: &Node<E::Sums>,
        m: Move,
        found: &Found,
        state: NodeState,
    ) {
        let NodeState { depth, ply, steps, .. } = state;
        let side = node.chess.turn();
        let (bonus, malus) = (self.params.bonus(depth), self.params.malus(depth));
        self.stack[ply].cutoffs += 1;
        if is_quiet(m) {
            self.stack[ply].add_killer(m.into());
            self.history.teach_quiet(side, m, &steps, bonus);
            for quiet in &found.quiets {
                self.history.teach_quiet(side, *quiet, &steps, -malus);
            }
        } else {
            self.history.teach_capture(side, m, bonus);
        }
        for capture in &found.captures {
            self.history.teach_capture(side, *capture, -malus);
        }
    }

    /// The table cuts by `table_move`: if that is quiet, it is tried earlier elsewhere too. No move is made for
    /// this: castling is passed over, and en passant looks quiet.
    pub(in crate::search) fn learn_from_table(
        &mut self,
        node: &Node<E::Sums>,
        table_move: PackedMove,
        depth: i32,
        ply: usize,
    ) {
        let Some((from, to, None)) = table_move.parts() else { return };
        let board = node.chess.board();
        let Some(role) = board.role_at(from).filter(|_| board.role_at(to).is_none()) else {
            return;
        };
        let m = Move::Normal { role, from, capture: None, to, promotion: None };
        let bonus = self.params.bonus(depth) * self.params.history_table / 100;
        let steps = self.steps(ply);
        self.history.teach_quiet(node.chess.turn(), m, &steps, bonus);
    }

    /// The quiet move that led to a node where nothing helps was a good one.
    pub(in crate::search) fn learn_prior(&mut self, node: &Node<E::Sums>, state: NodeState) {
        let Some(ply) = state.ply.checked_sub(1) else { return };
        let Some(m) = self.stack[ply].quiet else { return };
        let bonus = self.params.bonus(state.depth) * self.params.history_prior / 100;
        let steps = self.steps(ply);
        self.history.teach_quiet(!node.chess.turn(), m, &steps, bonus);
    }

    /// Remembers how far the static score was off, unless the search only confirmed its side.
    pub(in crate::search) fn learn_error(
        &mut self,
        node: &Node<E::Sums>,
        found: Score,
        bound: Bound,
        state: NodeState,
    ) {
        let Some(static_eval) = state.static_eval else { return };
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => found > static_eval,
            Bound::Upper => found < static_eval,
        };
        if tells && !found.is_decided() {
            let error = found.centipawns() - static_eval.centipawns();
            self.history.corrections.teach(node, &state.steps, state.depth, error);
        }
    }
}
