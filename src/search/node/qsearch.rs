//! Quiescence search: searches captures and queen promotions until the position is quiet. In check,
//! it searches evasions, of which only a few quiet ones.
//! <https://www.chessprogramming.org/Quiescence_Search>

use super::{
    ordering::{Killers, Picker},
    quiet_ranks::QuietRanks,
    see,
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{MAX_PLY, Score, Window},
    },
    search::{
        memory::{
            packed_move::PackedMove,
            step::{Step, Steps},
            tt::TableScore,
        },
        params::TT_CUTOFF_CLOCK_LIMIT,
        root::report::Bound,
        worker::{NodeKind, Stopped, Worker},
    },
};
use shakmaty::Position;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches captures until the position is quiet and returns the score.
    pub(in crate::search) fn qsearch<K: NodeKind>(
        &mut self,
        node: &Node<E::Sums>,
        mut window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.enter(ply)?;
        if K::PV {
            self.pv[ply].clear();
        }
        if self.is_draw(node) {
            return Ok(self.draw(ply));
        }
        let (in_check, steps) = (node.in_check(), self.steps(ply));
        if ply >= MAX_PLY - 1 {
            return Ok(if in_check { Score::DRAW } else { self.evaluate(node) });
        }
        // before the table is read, because that waits for memory
        let places = (!in_check).then(|| self.history.corrections.find(node, steps));
        let hit = self.shared.table.probe(node.key, ply);
        let known = hit.and_then(|hit| hit.known);
        if let Some(known) = known
            && !K::PV
            && node.chess.halfmoves() < TT_CUTOFF_CLOCK_LIMIT
            && known.cuts(window)
        {
            return Ok(known.score);
        }
        let first_window = window;
        let mut raw_eval = None;
        let mut best = Score::mated_in(ply);
        if let Some(places) = places {
            let raw = known.and_then(|k| k.static_eval).unwrap_or_else(|| self.evaluate(node));
            raw_eval = Some(raw);
            let eval = Self::correct(node, raw, self.correction(node, places));
            // a mate score from the table would end the line without its mating moves
            let better = known.filter(|k| k.improves(eval) && !k.score.is_mate());
            best = better.map_or(eval, |k| k.score);
            if window.fails_high(best) {
                if hit.is_none() {
                    let (bound, static_eval) = (Bound::Lower, raw_eval);
                    let known =
                        TableScore { score: best, bound, depth: 0, static_eval, was_pv: K::PV };
                    self.shared.table.store(node.key, ply, PackedMove::NONE, known);
                }
                return Ok(best);
            }
            window.raise(best);
        }
        let stand_pat = best;
        let table_move = hit.map_or(PackedMove::NONE, |hit| hit.m);
        let mut picker = if in_check {
            Picker::new(&node.chess, node.checkers, table_move, Killers::default())
        } else {
            Picker::noisy(&node.chess, table_move)
        };
        let mut best_move = PackedMove::NONE;
        let (side, last) = (node.chess.turn(), steps[0].map(Step::to));
        let (mut seen, mut quiet_evasions) = (0, 0);
        while let Some(m) = picker.next(
            |m| self.history.of_capture(side, m, node.threats().attacked()),
            || self.rank_evasions(node, steps),
        ) {
            if !in_check && self.params.late_capture(m, seen, last) {
                continue;
            }
            if !in_check {
                let gains = || see::see_ge(&node.chess, m, 1);
                let ceiling = self.params.delta(stand_pat, see::gain(m), window.alpha, gains);
                if let Some(ceiling) = ceiling {
                    best = best.max(ceiling);
                    continue;
                }
            }
            seen += 1;
            let key = self.prefetch(node, m);
            if !in_check && !see::see_ge(&node.chess, m, 0) {
                continue;
            }
            let child = node.play(&self.evaluator, m.into(), key);
            self.stack[ply].step = Some(Step::of(m));
            self.line.push(node.key);
            let score = -self.qsearch::<K>(&child, window.flip(), ply + 1)?;
            self.line.pop();
            quiet_evasions += i32::from(m.is_quiet());
            if self.params.enough_evasions(quiet_evasions, best.max(score)) {
                picker.skip_all_quiets();
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > window.alpha {
                best_move = m.into();
                if K::PV {
                    self.extend_pv(ply, m.into());
                }
                if window.fails_high(score) {
                    break;
                }
                window.raise(score);
            }
        }
        // not exact: quiet moves were not searched
        let bound = if first_window.fails_high(best) { Bound::Lower } else { Bound::Upper };
        let was_pv = K::PV || known.is_some_and(|known| known.was_pv);
        let known = TableScore { score: best, bound, depth: 0, static_eval: raw_eval, was_pv };
        self.shared.table.store(node.key, ply, best_move, known);
        Ok(best)
    }

    /// Returns the ranks of the quiet moves by their history.
    fn rank_evasions<'r>(&'r self, node: &'r Node<E::Sums>, steps: Steps) -> QuietRanks<'r> {
        let threats = node.threats();
        let history = self.history.quiets(node.chess.turn(), steps, threats.attacked());
        QuietRanks::by_history(history, threats)
    }
}
