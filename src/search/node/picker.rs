//! The moves of a node, one after the other, each searched as deep as it deserves.

use super::{
    learning::Found,
    negamax::NodeState,
    ordering::{Picker, is_quiet},
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::{Checks, Node, Threats},
        score::{Score, Window},
    },
    search::{
        Frame, Kind, NonPv, Pv, Stopped, Worker,
        memory::{
            history::Step,
            tt::{Known, PackedMove},
        },
        node::reductions::Candidate,
        root::report::Bound,
    },
};
use shakmaty::{Move, Position, zobrist::Zobrist64};
use std::cell::LazyCell;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the moves of a node, best first, until one fails high.
    pub(in crate::search) fn try_moves<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        state: NodeState,
        table_move: PackedMove,
        known: Option<Known>,
    ) -> Result<Score, Stopped> {
        let NodeState { depth, ply, steps, .. } = state;
        let (asked, side) = (window, node.chess.turn());
        let Frame { excluded, killers, .. } = self.stack[ply];
        let mut picker = Picker::new(&node.chess, node.checkers, table_move, killers);
        // where the first move cuts nobody asks
        let checks = LazyCell::new(|| Checks::of(&node.chess));
        let threats = LazyCell::new(|| Threats::of(&node.chess));
        let attended = self.evaluator.attended(&node.chess, ply, steps[0].map(Step::to));
        let is_unseen = |m| attended.as_ref().is_some_and(|moves| !moves.contains(&m));
        // kings and pawns alone win or lose by single tempi
        let prunes = !K::ROOT && !self.full_width && node.has_officers();
        let mut found = Found::default();
        let mut may_prune = false;
        while let Some(m) = picker.next(self.history, |m| {
            self.history.of_quiet(side, m, &steps) + self.params.escape(m, &threats)
        }) {
            let is_left_out = PackedMove::from(m) == excluded || is_unseen(m);
            if is_left_out || K::ROOT && !self.takes_up(m, depth, found.searched) {
                continue;
            }
            let mut turn = self.turn(m, &found, side, &steps);
            let key = self.announce(node, m);
            if may_prune && self.prunes(&node.chess, turn, depth, &checks, picker.is_sound()) {
                continue;
            }
            let known = known.filter(|_| PackedMove::from(m) == table_move);
            match self.singular::<K>(node, m, known, window.beta, state)? {
                Singular::Cut(score) => return Ok(score),
                Singular::Extend(plies) => turn.extension = plies,
            }
            let score = self.search_move::<K>(node, key, turn, window, state)?;
            found.note(score);
            if score > window.alpha {
                found.best_move = Some(m);
                if K::PV {
                    self.extend_pv(ply, m);
                }
                if window.fails_high(score) {
                    self.learn(node, m, &found, state);
                    break;
                }
                window.raise(score);
            }
            found.add(m);
            may_prune = prunes && !found.best.is_lost();
            if may_prune && self.is_hopeless(state, window.alpha, found.searched) {
                picker.leave_out_quiets(&checks);
            }
        }
        Ok(self.conclude::<K>(node, &found, asked, state))
    }

    /// The score of a node whose moves have been tried; remembers it.
    fn conclude<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        found: &Found,
        asked: Window,
        state: NodeState,
    ) -> Score {
        let NodeState { depth, ply, raw_eval, .. } = state;
        let score = found.best;
        if self.stack[ply].excluded != PackedMove::NONE {
            return score.max(asked.alpha);
        }
        if found.searched == 0 {
            return if node.in_check() { Score::mated_in(ply) } else { self.draw(ply) };
        }
        if score <= asked.alpha {
            self.learn_prior(node, state);
        }
        // a root searched for some of its moves only says nothing of the position
        if !K::ROOT || self.root_is_whole {
            let bound = Bound::of(score, asked);
            let best_move = found.best_move.map_or(PackedMove::NONE, PackedMove::from);
            let known = Known { score, bound, depth, static_eval: raw_eval };
            self.shared.table.store(node.key, ply, best_move, known);
            if found.best_move.is_none_or(is_quiet) {
                self.learn_error(node, score, bound, state);
            }
        }
        score
    }

    /// Whether a move `known` to the table is alone in being good: the others are searched, less deep,
    /// against a bound a little under its score. <https://www.chessprogramming.org/Singular_Extensions>
    fn singular<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        m: Move,
        known: Option<Known>,
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
        // the replies that cut in that search are not counted in this one
        self.stack[ply + 1].cutoffs = 0;
        let others = others?;
        Ok(if others < bound {
            Singular::Extend(1)
        } else if others >= beta && !others.is_decided() {
            // another move is too good already: so are two
            Singular::Cut(others)
        } else if known.score >= beta {
            Singular::Extend(-2)
        } else if cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// Tells the table which position may come next: its entry takes a while to arrive. Returns the
    /// key of [`Node::key_after`].
    pub(in crate::search) fn announce(&self, node: &Node<E::Sums>, m: Move) -> Zobrist64 {
        let key = node.key_after(m);
        self.shared.table.fetch(key);
        key
    }

    /// The score of one move: the first with the whole window, later ones by a zero window and
    /// perhaps reduced, and again in full if they turn out better, a ply deeper or shallower by how much.
    fn search_move<K: Kind>(
        &mut self,
        node: &Node<E::Sums>,
        key: Zobrist64,
        turn: Candidate,
        window: Window,
        state: NodeState,
    ) -> Result<Score, Stopped> {
        let Candidate { m, searched, extension, best, .. } = turn;
        let NodeState { depth, ply, cut_node, .. } = state;
        let before = self.nodes;
        let child = node.play(&self.evaluator, m, key);
        self.stack[ply].step = Some(Step::of(m));
        self.stack[ply].quiet = is_quiet(m).then_some(m);
        self.line.push(node.key);
        let zero = Window::zero(window.alpha).flip();
        let mut full_depth = depth - 1 + extension;
        let mut score = None;
        if !self.full_width && self.params.late_move_reduces(depth, searched, K::PV) {
            let reduction = self.reduction::<K>(turn, state, child.in_check());
            let reduced = (full_depth - reduction).clamp(1.min(full_depth), full_depth);
            let value = -self.negamax::<NonPv>(&child, zero, reduced, ply + 1, true)?;
            score = Some(value);
            if value > window.alpha && reduced < full_depth {
                // how good it looked tells how much closer a look it deserves
                let deeper = value > best.plus(self.params.deeper_margin);
                let shallower = value < best.plus(self.params.shallower_margin);
                full_depth += i32::from(deeper) - i32::from(shallower);
                if full_depth > reduced {
                    let value =
                        -self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?;
                    score = Some(value);
                }
            }
        } else if !K::PV || searched > 0 {
            score = Some(-self.negamax::<NonPv>(&child, zero, full_depth, ply + 1, !cut_node)?);
        }
        if K::PV && score.is_none_or(|score| score > window.alpha) {
            score = Some(-self.negamax::<Pv>(&child, window.flip(), full_depth, ply + 1, false)?);
        }
        self.line.pop();
        let score = score.unwrap_or_default();
        if K::ROOT {
            self.note_root_move(m, score, before);
        }
        Ok(score)
    }
}

/// What comes of a table's move whose rivals were searched.
enum Singular {
    /// It is searched so much deeper.
    Extend(i32),
    /// The node fails high with this score.
    Cut(Score),
}
