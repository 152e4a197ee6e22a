//! Searches the moves of a node in order: extensions, reductions and re-searches.

use super::{
    learning::SearchedMoves, negamax::NodeState, ordering::Picker, quiet_ranks::QuietRanks,
    reductions::Candidate, see::see_ge,
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{Checks, CompactMove, Node},
        score::{Score, Window},
    },
    search::{
        memory::{
            packed_move::PackedMove,
            step::{Step, Steps},
            tt::TableScore,
        },
        root::report::Bound,
        worker::{Frame, NodeKind, NonPv, Pv, Stopped, Worker},
    },
};
use shakmaty::{Position, zobrist::Zobrist64};
use std::cell::LazyCell;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the moves of a node, best first, until one fails high.
    pub(in crate::search) fn try_moves<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        mut state: NodeState,
        table_move: PackedMove,
        known: Option<TableScore>,
    ) -> Result<Score, Stopped> {
        let NodeState { depth, ply, steps, .. } = state;
        let (first_window, side) = (window, node.chess.turn());
        let Frame { excluded, killers, .. } = self.stack[ply];
        let mut picker = Picker::new(&node.chess, node.checkers, table_move, killers);
        // computed on first use, because the first move often causes a cutoff
        let checks = LazyCell::new(|| Checks::of(&node.chess));
        self.attend(node, state);
        let prunes = self.may_prune_moves::<K>(node);
        let (mut found, mut goal) = (SearchedMoves::default(), None);
        while let Some(m) = picker.next(
            |m| self.history.of_capture(side, m, node.threats().attacked()),
            || self.rank_quiets(node, steps),
        ) {
            let is_skipped = PackedMove::from(m) == excluded || self.overlooks(m, ply);
            if is_skipped || K::ROOT && !self.begin_root_move(m.into(), depth, found.searched) {
                continue;
            }
            let mut candidate = self.candidate(node, m, &found, table_move, steps);
            found.tried += 1;
            let needed = self.exchange_needed::<K>(candidate, state, goal, &checks);
            let Some(needed) = needed else { continue };
            let key = self.prefetch(node, m);
            if !picker.is_sound() && !see_ge(&node.chess, m, needed) {
                continue;
            }
            let known = known.filter(|_| PackedMove::from(m) == table_move);
            match self.singular::<K>(node, m, known, window.beta, state)? {
                Singular::Cut(score) => return Ok(score),
                Singular::Extend(plies) => candidate.extension = plies,
            }
            let score = self.search_move::<K>(node, key, candidate, window, state)?;
            found.record_score(score);
            if score > window.alpha {
                found.best_move = Some(m);
                if K::PV {
                    self.extend_pv(ply, m.into());
                }
                if window.fails_high(score) {
                    self.update_histories(node, m, &found, state);
                    break;
                }
                window.raise(score);
                state.depth = self.depth_after_raise::<K>(state.depth, score);
            }
            found.add(m);
            goal = (prunes && !found.best.is_lost()).then_some(window.alpha);
            if goal.is_some() && self.params.late_move(state.depth, found.tried, state.improving) {
                picker.skip_quiets(&checks);
            }
        }
        Ok(self.finish_node::<K>(node, &found, first_window, state))
    }

    /// Returns the ranks of the quiet moves.
    pub(in crate::search) fn rank_quiets<'r>(
        &'r self,
        node: &'r Node<E::Sums>,
        steps: Steps,
    ) -> QuietRanks<'r> {
        let threats = node.threats();
        let history = self.history.quiets(node.chess.turn(), steps, threats.attacked());
        QuietRanks::new(history, threats, self.params)
    }

    /// Sets the moves that a player of limited strength considers at a node.
    #[inline]
    fn attend(&mut self, node: &Node<E::Sums>, state: NodeState) {
        let Some(weakening) = &self.shared.weakening else { return };
        let Some(attended) = self.attended.get_mut(state.ply) else { return };
        let last = state.steps[0].map(Step::to);
        let moves = weakening.attended(&node.chess, state.ply, last);
        *attended = moves.map(|moves| moves.into_iter().map(Into::into).collect());
    }

    /// Whether a player of limited strength overlooks the move `m`.
    #[inline]
    fn overlooks(&self, m: CompactMove, ply: usize) -> bool {
        let attended = self.attended.get(ply).and_then(Option::as_ref);
        attended.is_some_and(|moves| !moves.contains(&m))
    }

    /// Returns the score of a node after its moves were searched, and stores it.
    fn finish_node<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        found: &SearchedMoves,
        first_window: Window,
        state: NodeState,
    ) -> Score {
        let NodeState { depth, ply, raw_eval, .. } = state;
        let score = found.best;
        if self.stack[ply].excluded != PackedMove::NONE {
            // without another move, the excluded one is singular
            return if found.searched == 0 { first_window.alpha } else { score };
        }
        if found.searched == 0 {
            return if node.in_check() { Score::mated_in(ply) } else { self.draw(ply) };
        }
        if score <= first_window.alpha {
            self.reward_previous_move(node, state);
        }
        // a root searched with bonuses or with only some of its moves has no score of its own
        if !K::ROOT || self.root.is_complete && self.shared.bonuses.is_empty() {
            let bound = Bound::of(score, first_window);
            let best_move = found.best_move.map_or(PackedMove::NONE, PackedMove::from);
            let was_pv = self.stack[ply].was_pv;
            let known = TableScore { score, bound, depth, static_eval: raw_eval, was_pv };
            self.shared.table.store(node.key, ply, best_move, known);
            if found.best_move.is_none_or(CompactMove::is_quiet) {
                self.update_correction(score, bound, state);
            }
        }
        score
    }

    /// Singular extension: extends the table move if all other moves fail low against a bound
    /// slightly below its score. Below the PV, it is extended by two plies if they are far below.
    /// <https://www.chessprogramming.org/Singular_Extensions>
    fn singular<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        m: CompactMove,
        known: Option<TableScore>,
        beta: Score,
        state: NodeState,
    ) -> Result<Singular, Stopped> {
        let NodeState { depth, ply, cut_node, .. } = state;
        let params = self.params;
        let Some(known) = known.filter(|_| !K::ROOT) else { return Ok(Singular::Extend(0)) };
        if depth < params.singular_depth
            || known.depth < depth - 3
            || known.bound == Bound::Upper
            || known.score.is_decided()
            || self.stack[ply].excluded != PackedMove::NONE
            || ply as i32 >= 2 * self.root_depth
        {
            return Ok(Singular::Extend(0));
        }
        let bound = known.score.plus(-depth * params.singular_margin / 16);
        let window = Window::zero(bound.plus(-1));
        self.stack[ply].excluded = m.into();
        let others = self.negamax::<NonPv>(node, window, (depth - 1) / 2, ply, cut_node);
        self.stack[ply].excluded = PackedMove::NONE;
        // cutoffs of the exclusion search do not count for this node
        self.stack[ply + 1].cutoffs = 0;
        let others = others?;
        Ok(if others < bound {
            let is_far_below = others < bound.plus(-params.double_margin);
            let doubles = !K::PV && is_far_below && self.stack[ply].doubles < params.double_most;
            Singular::Extend(if doubles { 2 } else { 1 })
        } else if others >= beta && !others.is_decided() {
            // multi-cut: a second move fails high too
            Singular::Cut(others)
        } else if known.score >= beta {
            Singular::Extend(-2)
        } else if cut_node || !K::PV && known.score <= others {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// Prefetches what is known about the position after `m` and returns the key of
    /// [`Node::key_after`].
    pub(in crate::search) fn prefetch(&self, node: &Node<E::Sums>, m: CompactMove) -> Zobrist64 {
        let key = node.key_after(m);
        self.fetch(key);
        key
    }

    /// Searches one move and returns its score. The score of a root move contains its bonus and is
    /// recorded. Its child is searched without the bonus, so the table holds none.
    fn search_move<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        key: Zobrist64,
        candidate: Candidate,
        window: Window,
        state: NodeState,
    ) -> Result<Score, Stopped> {
        if !K::ROOT {
            return self.search_child::<K>(node, key, candidate, window, state);
        }
        let bonus = self.shared.bonuses.of(candidate.m.into()).at_depth(self.root_depth);
        let before = self.nodes;
        let mut plain = candidate;
        plain.best = candidate.best.with_bonus(-bonus);
        let window = window.with_bonus(-bonus);
        let score = self.search_child::<K>(node, key, plain, window, state)?.with_bonus(bonus);
        self.record_root_move(candidate.m.into(), score, before);
        Ok(score)
    }

    /// Searches the position after a move and returns its score for the side that moved.
    ///
    /// The first move of a PV node gets the full window, later moves a zero window, reduced if
    /// late. A move that beats alpha is searched again, one ply deeper or shallower depending on
    /// its score.
    fn search_child<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        key: Zobrist64,
        candidate: Candidate,
        window: Window,
        state: NodeState,
    ) -> Result<Score, Stopped> {
        let Candidate { m, tried, extension, best, .. } = candidate;
        let NodeState { depth, ply, cut_node, .. } = state;
        let child = node.play(&self.evaluator, m.into(), key);
        self.stack[ply].step = Some(Step::of(m));
        self.stack[ply].quiet = m.is_quiet().then_some(m);
        self.stack[ply].attacked = candidate.attacked;
        self.stack[ply].is_early = candidate.is_early;
        self.stack[ply].reduction = 0;
        self.stack[ply + 1].doubles = self.stack[ply].doubles + i32::from(extension > 1);
        self.line.push(node.key);
        let zero = Window::zero(window.alpha).flip();
        let mut full_depth = depth - 1 + extension;
        let mut score = None;
        if !self.full_width && self.params.late_move_reduces(depth, tried, K::PV) {
            let reduction = self.reduction::<K>(candidate, state, child.in_check());
            let reduced = (full_depth - reduction).clamp(1.min(full_depth), full_depth + 1);
            self.stack[ply].reduction = full_depth - reduced;
            let value = -self.negamax::<NonPv>(&child, zero, reduced, ply + 1, true)?;
            self.stack[ply].reduction = 0;
            score = Some(value);
            if value > window.alpha && reduced < full_depth {
                // adjust the depth of the re-search to the result of the reduced search
                let deeper = value > best.plus(self.params.deeper_margin);
                let shallower = value < best.plus(self.params.shallower_margin);
                full_depth += i32::from(deeper) - i32::from(shallower);
                if full_depth > reduced {
                    let value =
                        -self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?;
                    score = Some(value);
                    self.learn_again(node.chess.turn(), m, value, window, state);
                }
            }
        } else if !K::PV || tried > 0 {
            score = Some(-self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?);
        }
        if K::PV && score.is_none_or(|score| score > window.alpha) {
            score = Some(-self.negamax::<Pv>(&child, window.flip(), full_depth, ply + 1, false)?);
        }
        self.line.pop();
        Ok(score.unwrap_or_default())
    }
}

/// The result of a singular extension search.
enum Singular {
    /// Extend the table move by this many plies. Negative values reduce it.
    Extend(i32),
    /// Multi-cut: return this score.
    Cut(Score),
}
