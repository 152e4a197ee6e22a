//! One node of the main search: principal variation search (pvs) with pruning and late-move
//! reductions (lmr). <https://www.chessprogramming.org/Principal_Variation_Search>

use super::{
    Kind, NonPv, Pv, Stopped, Worker,
    history::{Step, Steps},
    ordering::{Picker, is_quiet},
    params as p, prune,
    see::see_ge,
    tt::{Known, PackedMove},
};
use crate::{
    evaluator::Evaluator,
    position::{Checks, Node},
    score::{MAX_PLY, Score, Window},
    search::report::Bound,
};
use shakmaty::{Move, MoveList, Position};

/// What a node knows before its moves are tried.
#[derive(Clone, Copy)]
struct Outlook {
    depth: i32,
    ply: usize,
    static_eval: Option<Score>,
    /// The side to move stands better than at its last turn.
    improving: bool,
    /// A zero-window node expected to fail high.
    cut_node: bool,
    /// What led here.
    steps: Steps,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a node, searched `depth` plies deep; `Err` ripples up through `?`.
    pub(super) fn negamax<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<Score, Stopped> {
        let in_check = node.in_check();
        let depth = depth + i32::from(in_check && !K::ROOT);
        if depth <= 0 {
            return self.qsearch::<K>(node, window, ply);
        }
        self.enter(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if !K::ROOT {
            if self.is_draw(node) {
                return Ok(Score::DRAW);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(if in_check { Score::DRAW } else { self.evaluate(node) });
            }
            // a mate found nearer to the root makes this node irrelevant
            window.raise(Score::mated_in(ply));
            window.beta = window.beta.min(Score::mate_in(ply + 1));
            if window.is_empty() {
                return Ok(window.alpha);
            }
        }
        let hit = self.shared.table.probe(node.key, ply);
        let known = hit.and_then(|hit| hit.known);
        let table_move = hit.map_or(PackedMove::NONE, |hit| hit.m);
        if let Some(known) = known
            && !K::PV
            && known.depth >= depth
            && node.chess.halfmoves() < 90
            && known.cuts(window)
        {
            return Ok(known.score);
        }
        let static_eval = (!in_check).then(|| {
            known.and_then(|known| known.static_eval).unwrap_or_else(|| self.evaluate(node))
        });
        let improving = self.improves(static_eval, ply);
        self.stack[ply].static_eval = static_eval;
        self.stack[ply + 1].killers = Default::default();
        let steps = self.steps(ply);
        let mut outlook = Outlook { depth, ply, static_eval, improving, cut_node, steps };
        if let Some(static_eval) = static_eval
            && !K::PV
            && !self.full_width
        {
            let eval = known.filter(|k| k.improves(static_eval)).map_or(static_eval, |k| k.score);
            if let Some(score) = self.prune_node(node, window, outlook, eval)? {
                return Ok(score);
            }
        }
        // without a move to try first, a shallower search finds one for the next iteration
        if depth >= p::ITERATIVE_REDUCTION_DEPTH
            && table_move == PackedMove::NONE
            && (K::PV || cut_node)
        {
            outlook.depth -= 1;
        }
        self.try_moves::<K>(node, window, outlook, table_move)
    }

    /// Cutoffs that need no move: reverse futility and null move.
    fn prune_node(
        &mut self,
        node: &Node<E::Sums>,
        window: Window,
        outlook: Outlook,
        eval: Score,
    ) -> Result<Option<Score>, Stopped> {
        let Outlook { depth, ply, static_eval, improving, cut_node, .. } = outlook;
        let beta = window.beta;
        if prune::reverse_futility(depth, eval, beta, improving) {
            return Ok(Some(eval));
        }
        let passed_before = ply > 0 && self.stack[ply - 1].step.is_none();
        if passed_before
            || ply < self.no_pass_before
            || !node.has_officers()
            || !prune::null_move(depth, eval, static_eval.unwrap_or(eval), beta)
        {
            return Ok(None);
        }
        let Some(child) = node.pass() else { return Ok(None) };
        let reduced = depth - prune::null_move_reduction(depth, eval, beta);
        self.stack[ply].step = None;
        self.line.push(node.key);
        let zero = Window::zero(beta.plus(-1));
        let score = -self.negamax::<NonPv>(&child, zero.flip(), reduced, ply + 1, !cut_node)?;
        self.line.pop();
        if score < beta {
            return Ok(None);
        }
        let score = if score.is_mate() { beta } else { score };
        if depth < p::NULL_MOVE_VERIFY_DEPTH || self.no_pass_before > 0 {
            return Ok(Some(score));
        }
        // zugzwang guard: the same depth with moves only, near the root of this subtree
        self.no_pass_before = ply + (3 * reduced.max(1) / 4) as usize + 1;
        let verified = self.negamax::<NonPv>(node, zero, reduced, ply, false);
        self.no_pass_before = 0;
        Ok((verified? >= beta).then_some(score))
    }

    fn try_moves<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        outlook: Outlook,
        table_move: PackedMove,
    ) -> Result<Score, Stopped> {
        let Outlook { depth, ply, static_eval, steps, .. } = outlook;
        let moves = node.chess.legal_moves();
        if moves.is_empty() {
            return Ok(if node.in_check() { Score::mated_in(ply) } else { Score::DRAW });
        }
        let asked = window;
        let killers = self.stack[ply].killers;
        let mut picker = Picker::new(moves, &node.chess, table_move, killers, self.history, &steps);
        let checks = Checks::of(&node.chess);
        let mut best = -Score::INFINITE;
        let mut best_move = PackedMove::NONE;
        let mut tried = Tried::default();
        let mut searched = 0;
        while let Some(m) = picker.next(&node.chess) {
            if K::ROOT && !self.root_moves.contains(&m) {
                continue;
            }
            if !K::ROOT
                && !self.full_width
                && best > Score::mated_in(MAX_PLY)
                && self.prune_move(node, m, outlook, window.alpha, searched, &checks, &mut picker)
            {
                continue;
            }
            let before = self.nodes;
            let score = self.search_move::<K>(node, m, window, outlook, searched)?;
            searched += 1;
            if K::ROOT {
                self.root_nodes_of(m, before);
            }
            if score > best {
                best = score;
                if score > window.alpha {
                    best_move = m.into();
                    if K::PV {
                        self.extend_pv(ply, m);
                    }
                    if window.fails_high(score) {
                        self.learn(node, m, &tried, outlook);
                        break;
                    }
                    window.raise(score);
                }
            }
            tried.add(m);
        }
        // a root searched for some of its moves only says nothing of the position
        if !K::ROOT || self.root_is_whole {
            let known = Known { score: best, bound: Bound::of(best, asked), depth, static_eval };
            self.shared.table.store(node.key, ply, best_move, known);
        }
        Ok(best)
    }

    /// Whether a move of a shallow node is not worth a search.
    #[allow(clippy::too_many_arguments)]
    fn prune_move(
        &self,
        node: &Node<E::Sums>,
        m: Move,
        outlook: Outlook,
        alpha: Score,
        searched: usize,
        checks: &Checks,
        picker: &mut Picker,
    ) -> bool {
        let Outlook { depth, static_eval, improving, steps, .. } = outlook;
        let reduced = depth - self.reductions.get(depth, searched + 1);
        let (quiet, gives_check) = (is_quiet(m), checks.gives(m));
        if quiet && !gives_check {
            if prune::late_move(depth, searched, improving) {
                picker.leave_out_quiets(checks);
                return true;
            }
            if prune::futility(reduced, static_eval, alpha) {
                return true;
            }
            let history = self.history.of_quiet(node.chess.turn(), m, &steps);
            if prune::bad_history(reduced, history) {
                return true;
            }
        }
        prune::exchange_threshold(depth, reduced, quiet && !gives_check)
            .is_some_and(|threshold| !see_ge(&node.chess, m, threshold))
    }

    /// The score of one move: the first with the whole window, later ones by a zero window and
    /// perhaps reduced, and again in full if they turn out better.
    fn search_move<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        m: Move,
        window: Window,
        outlook: Outlook,
        searched: usize,
    ) -> Result<Score, Stopped> {
        let Outlook { depth, ply, improving, cut_node, steps, .. } = outlook;
        let child = node.play(&self.evaluator, m);
        self.shared.table.fetch(child.key);
        self.stack[ply].step = Some(Step::of(m));
        self.line.push(node.key);
        let zero = Window::zero(window.alpha).flip();
        let full_depth = depth - 1;
        let mut score = None;
        if !self.full_width && prune::late_move_reduces(depth, searched, K::PV) {
            let mut reduction = self.reductions.get(depth, searched + 1);
            if is_quiet(m) {
                reduction -=
                    self.history.of_quiet(node.chess.turn(), m, &steps) / p::REDUCTION_HISTORY;
            } else {
                reduction /= 2;
            }
            reduction += i32::from(cut_node) + i32::from(!improving);
            reduction -= i32::from(K::PV) + i32::from(child.in_check());
            let reduced = (full_depth - reduction).clamp(1.min(full_depth), full_depth);
            let value = -self.negamax::<NonPv>(&child, zero, reduced, ply + 1, true)?;
            score = Some(value);
            if value > window.alpha && reduced < full_depth {
                let again = -self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?;
                score = Some(again);
            }
        } else if !K::PV || searched > 0 {
            score = Some(-self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?);
        }
        if K::PV && score.is_none_or(|score| score > window.alpha) {
            score = Some(-self.negamax::<Pv>(&child, window.flip(), full_depth, ply + 1, false)?);
        }
        self.line.pop();
        Ok(score.unwrap_or_default())
    }

    /// After a cutoff: what refuted is tried earlier next time, what was tried in vain later.
    fn learn(&mut self, node: &Node<E::Sums>, m: Move, tried: &Tried, outlook: Outlook) {
        let Outlook { depth, ply, steps, .. } = outlook;
        let side = node.chess.turn();
        if is_quiet(m) {
            self.stack[ply].add_killer(m.into());
            self.history.teach_quiet(side, m, &steps, depth, 1);
            for quiet in &tried.quiets {
                self.history.teach_quiet(side, *quiet, &steps, depth, -1);
            }
        } else {
            self.history.teach_capture(m, depth, 1);
        }
        for capture in &tried.captures {
            self.history.teach_capture(*capture, depth, -1);
        }
    }

    fn improves(&self, static_eval: Option<Score>, ply: usize) -> bool {
        let before = ply.checked_sub(2).and_then(|ply| self.stack[ply].static_eval);
        static_eval.is_some_and(|now| before.is_none_or(|before| now > before))
    }

    fn steps(&self, ply: usize) -> Steps {
        [1, 2].map(|back| ply.checked_sub(back).and_then(|ply| self.stack[ply].step))
    }
}

/// The moves that a node has searched without a cutoff.
#[derive(Default)]
struct Tried {
    quiets: MoveList,
    captures: MoveList,
}

impl Tried {
    fn add(&mut self, m: Move) {
        if is_quiet(m) { self.quiets.push(m) } else { self.captures.push(m) }
    }
}
