//! Iterative deepening at the root, with aspiration windows and `MultiPV`.
//! <https://www.chessprogramming.org/Iterative_Deepening>
//! <https://www.chessprogramming.org/Aspiration_Windows>

use super::{
    budget::time_percent,
    endgames::RootRank,
    report::{Bound, Iteration},
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{MAX_PLY, Score, Window},
    },
    search::{
        Endgames, Root, SearchResult, Stopped, Worker, memory::packed_move::PackedMove, params as p,
    },
};
use shakmaty::{Chess, Move, Position};

/// A root move with its score and principal variation.
#[derive(Clone, Debug)]
pub(in crate::search) struct RootMove {
    m: Move,
    score: Score,
    pv: Vec<Move>,
    /// Nodes spent on the move in this search.
    nodes: u64,
    /// The tablebase rank and score of the move, if known.
    verdict: Option<RootRank>,
}

impl RootMove {
    /// Returns the tablebase rank. Moves of a higher rank always come first.
    fn rank(&self) -> Option<i32> {
        self.verdict.map(|verdict| verdict.rank)
    }

    /// Returns the score to report: the tablebase score, unless the search has found a mate.
    fn known_score(&self) -> Score {
        self.verdict.filter(|_| !self.score.is_mate()).map_or(self.score, |known| known.score)
    }
}

/// Whether the score is a mate for either side that a search more than twice as deep has confirmed.
fn is_settled(score: Score, depth: i32) -> bool {
    score.mate_distance().is_some_and(|plies| depth > 2 * plies.abs() + 4)
}

impl<E: Evaluator> Worker<'_, E> {
    /// Runs iterative deepening until a limit or a stop. Returns `None` if there is no legal move.
    ///
    /// Only the main thread (`leads`) decides when to stop. Helper threads search until it does.
    pub(in crate::search) fn deepen(&mut self, root: &Chess, leads: bool) -> Option<SearchResult> {
        let node = Node::new(&self.evaluator, root.clone());
        self.list_root_moves(root);
        let only_move = self.equal_ranks_from(0).count() == 1;
        let lines = self.shared.multi_pv.clamp(1, self.root.len().max(1));
        let max_depth = i32::from(self.shared.limits.depth.unwrap_or(u8::MAX));
        let mut stability = 0;
        let mut last_score = None;
        let mut finished = 0;
        for depth in 1..=max_depth.min(MAX_PLY as i32 - 1) {
            let best_before = self.root.first()?.m;
            self.seldepth = 0;
            self.root_depth = depth;
            self.full_width = depth <= self.params.full_width_depth;
            if self.iteration(&node, depth, lines).is_err() {
                self.keep_partial(depth);
                break;
            }
            self.may_stop = true;
            finished = depth as u8;
            let best = self.root.first()?;
            stability = if best.m == best_before { stability + 1 } else { 0 };
            let score_drop =
                last_score.map_or(0, |last: Score| last.centipawns() - best.score.centipawns());
            last_score = Some(best.score);
            let time_percent = self.time_percent(stability, score_drop, only_move);
            let is_pondering = self.is_pondering();
            if leads
                && (self.mate_is_found(best.score)
                    || self.root[..lines].iter().all(|root| is_settled(root.score, depth))
                    || self.shared.timer.soft_is_over(time_percent))
            {
                break;
            }
            self.pondered_percent = (leads && is_pondering).then_some(time_percent);
        }
        let best = self.root.first()?;
        let (best, score, pv) = (best.m, best.known_score(), best.pv.clone());
        let ponder = pv.get(1).copied().or_else(|| self.expected_reply(&node, best));
        let (nodes, elapsed) = (self.all_nodes(), self.shared.timer.elapsed());
        Some(SearchResult { best, pv, ponder, score, depth: finished, nodes, elapsed })
    }

    fn list_root_moves(&mut self, root: &Chess) {
        let legal = root.legal_moves();
        let wanted = &self.shared.limits.moves;
        let endgames = self.shared.endgames.as_ref();
        let verdict = |m| endgames.and_then(|endgames| endgames.verdict(m));
        self.root = legal
            .iter()
            .filter(|m| wanted.is_empty() || wanted.contains(m))
            .map(|&m| {
                let (score, pv) = (Score::default(), vec![m]);
                RootMove { m, score, pv, nodes: 0, verdict: verdict(m) }
            })
            .collect();
        self.root.sort_by_key(|root| std::cmp::Reverse(root.rank()));
    }

    /// Returns the root moves from index `line` on with the same tablebase rank as the move there.
    fn equal_ranks_from(&self, line: usize) -> impl Iterator<Item = &RootMove> {
        let from = self.root.get(line..).unwrap_or_default();
        from.iter().take_while(|root| root.rank() == from[0].rank())
    }

    /// Searches all `MultiPV` lines to one depth and reports them.
    fn iteration(&mut self, node: &Node<E::Sums>, depth: i32, lines: usize) -> Result<(), Stopped> {
        for line in 0..lines {
            self.searched_line = line;
            self.root_moves = self.equal_ranks_from(line).map(|root| root.m).collect();
            let is_complete = self.root_moves.len() == self.root.len();
            self.root_is_complete = is_complete && self.shared.limits.moves.is_empty();
            let score = self.aspiration_search(node, depth, line)?;
            self.promote(line, score, Bound::Exact);
        }
        self.root[..lines].sort_by_key(|root| std::cmp::Reverse((root.rank(), root.score)));
        for line in 0..lines {
            self.report_line(depth, line, Bound::Exact);
        }
        Ok(())
    }

    /// Searches with an aspiration window around the last score, widened until the score is inside.
    fn aspiration_search(
        &mut self,
        node: &Node<E::Sums>,
        depth: i32,
        line: usize,
    ) -> Result<Score, Stopped> {
        let mut width = self.aspiration_width;
        let mut window = Window::FULL;
        let last = self.root[line].score;
        if depth >= p::ASPIRATION_DEPTH && !last.is_mate() {
            window = Window { alpha: last.plus(-width), beta: last.plus(width) };
        }
        loop {
            // a stop before the first node must not leave the pv of an earlier search
            self.pv[0].clear();
            self.root_best = -Score::INFINITE;
            let score = self.negamax::<Root>(node, window, depth, 0, false)?;
            let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.beta =
                    Score::cp(i32::midpoint(window.alpha.centipawns(), window.beta.centipawns()));
                Bound::Upper
            } else if window.fails_high(score) && window.beta < Window::FULL.beta {
                self.promote(line, score, Bound::Lower);
                Bound::Lower
            } else {
                return Ok(score);
            };
            width *= 2;
            let open = width > p::ASPIRATION_GIVE_UP || score.is_mate();
            match bound {
                Bound::Upper if open => window.alpha = Window::FULL.alpha,
                Bound::Upper => window.alpha = score.plus(-width),
                _ if open => window.beta = Window::FULL.beta,
                _ => window.beta = score.plus(width),
            }
            if self.nodes >= p::REPORT_BOUNDS_NODES {
                self.root[line].score = score;
                self.report_line(depth, line, bound);
            }
        }
    }

    /// Moves the best move of the search to index `line` and sets its score and principal
    /// variation. A fail high yields only the beginning of a line, so a longer line of the same
    /// move is kept.
    fn promote(&mut self, line: usize, score: Score, bound: Bound) {
        let Some(best) = self.pv[0].first() else { return };
        if let Some(found) = self.root[line..].iter().position(|root| root.m == *best) {
            self.root[line..=line + found].rotate_right(1);
            let root = &mut self.root[line];
            root.score = score;
            let is_beginning = bound != Bound::Exact && !score.is_decided();
            let stays = found == 0 && is_beginning && root.pv.starts_with(&self.pv[0]);
            if !stays {
                root.pv.clone_from(&self.pv[0]);
            }
        }
    }

    /// Uses the result of a stopped iteration if it found a better move for the first line. Reports
    /// that move, so that listeners know it before it is played.
    fn keep_partial(&mut self, depth: i32) {
        if let Some(last) = self.root.first().filter(|root| self.root_moves.contains(&root.m)) {
            // a lost score is not final while other root moves are unsearched
            let score = if self.root_best.is_lost() { last.score } else { self.root_best };
            self.promote(0, score, Bound::Lower);
        }
        let best = self.root.first().map(|root| root.m);
        if self.reported_best.is_some() && self.reported_best != best {
            // the first line is complete if a later line was interrupted
            let is_complete = self.searched_line > 0;
            self.report_line(depth, 0, if is_complete { Bound::Exact } else { Bound::Lower });
        }
    }

    /// Returns the best reply to `m` in the transposition table.
    fn expected_reply(&self, node: &Node<E::Sums>, m: Move) -> Option<Move> {
        let child = node.play(&self.evaluator, m, node.key_after(m));
        let reply = self.shared.table.probe(child.key, 1)?.m;
        child.chess.legal_moves().into_iter().find(|&m| PackedMove::from(m) == reply)
    }

    /// Returns the best move of the last iteration for the current line: the table move of the
    /// root.
    pub(in crate::search) fn best_root_move(&self) -> PackedMove {
        self.root.get(self.searched_line).map_or(PackedMove::NONE, |root| root.m.into())
    }

    /// Whether the root move `m` is searched in this iteration. In a long search, also reports it
    /// as the current move. `searched` is the number of moves before it.
    pub(in crate::search) fn begin_root_move(
        &mut self,
        m: Move,
        depth: i32,
        searched: usize,
    ) -> bool {
        let wanted = self.root_moves.contains(&m);
        if wanted && self.shared.timer.elapsed() >= p::REPORT_MOVES_AFTER {
            let number = self.searched_line + searched + 1;
            self.report.root_move(depth as u8, m, number);
        }
        wanted
    }

    /// Records the score of the root move `m` and its nodes: those counted since `before`.
    pub(in crate::search) fn record_root_move(&mut self, m: Move, score: Score, before: u64) {
        self.root_best = self.root_best.max(score);
        if let Some(root) = self.root.iter_mut().find(|root| root.m == m) {
            root.nodes += self.nodes - before;
        }
    }

    /// Returns the percent of the usual time worth spending, see [`time_percent`].
    fn time_percent(&self, stability: u32, score_drop: i32, only_move: bool) -> u32 {
        let nodes = self.nodes.max(1);
        let spent = self.root.first().map_or(0, |root| root.nodes * 100 / nodes) as u32;
        time_percent(spent, stability, score_drop, only_move)
    }

    fn mate_is_found(&self, score: Score) -> bool {
        let wanted = self.shared.limits.mate.map(|moves| 2 * i32::from(moves) - 1);
        wanted.is_some_and(|plies| score.mate_distance().is_some_and(|d| d > 0 && d <= plies))
    }

    fn report_line(&mut self, depth: i32, line: usize, bound: Bound) {
        let nodes = self.all_nodes();
        let root = &self.root[line];
        if line == 0 {
            self.reported_best = Some(root.m);
        }
        // equal ranks may have different scores: no line may be reported above an earlier one
        let alike = |before: &&RootMove| before.verdict.is_some() && before.rank() == root.rank();
        let above = self.root[..line].iter().filter(alike).map(RootMove::known_score).min();
        let score = above.map_or(root.known_score(), |above| above.min(root.known_score()));
        self.report.iteration(&Iteration {
            depth: depth as u8,
            seldepth: self.seldepth as u8,
            multi_pv: line + 1,
            score,
            bound,
            nodes,
            elapsed: self.shared.timer.elapsed(),
            hashfull: self.shared.table.hashfull(),
            tablebase_hits: self.shared.endgames.as_ref().map_or(0, Endgames::hits),
            pv: &root.pv,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::evaluator::stub::DrawEvaluator,
        search::{
            SharedState, Signals,
            memory::{history::History, pages::Memory, tt::CompatibleEvaluations},
            root::{budget::Budget, limits::Limits, report::Silent, time::Timer},
        },
    };
    use std::{sync::atomic::Ordering::Relaxed, time::Duration};

    #[test]
    fn a_ponder_hit_ends_the_iteration_if_pondering_lasted_long_enough() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, CompatibleEvaluations::default());
        let (signals, limits) = (Signals::default(), Limits::default());
        let hour = Some(Duration::from_hours(1));
        for (percent, ends) in [(0, true), (100, false)] {
            signals.pondering.store(true, Relaxed);
            let timer = Timer::start(Budget { soft: hour, hard: hour }, true);
            let shared = SharedState::new(&signals, &limits, timer, memory.table(), 1);
            let (mut history, mut report) = (History::default(), Silent);
            let mut worker =
                Worker::new(&shared, DrawEvaluator, &mut history, &[], u64::MAX, &mut report);
            (worker.may_stop, worker.pondered_percent) = (true, Some(percent));
            assert!(!worker.must_stop());
            signals.pondering.store(false, Relaxed);
            assert_eq!(worker.must_stop(), ends, "{percent}");
        }
    }
}
