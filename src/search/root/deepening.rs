//! Iterative deepening at the root, with aspiration windows and `MultiPV`.
//! <https://www.chessprogramming.org/Iterative_Deepening>
//! <https://www.chessprogramming.org/Aspiration_Windows>

use super::{
    budget::time_percent,
    endgames::Endgames,
    report::{Bound, Iteration, SearchResult},
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{MAX_PLY, Score, Window},
    },
    search::{
        memory::packed_move::PackedMove,
        params as p,
        worker::{Root, Stopped, Worker},
    },
};
use shakmaty::{Chess, Move, Position};

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
        if node.has_bare_king() {
            // otherwise, the search goes back and forth between positions of equal score
            self.line.count_once_in_game();
        }
        let limits = self.shared.limits;
        self.root.list(root, self.shared);
        let only_move = self.root.equal_ranks_from(0).count() == 1;
        let lines = self.shared.multi_pv.clamp(1, self.root.moves.len().max(1));
        let max_depth = i32::from(limits.depth.unwrap_or(u8::MAX));
        let mut stability = 0;
        let mut last_score = None;
        let mut finished = 0;
        for depth in 1..=max_depth.min(MAX_PLY as i32 - 1) {
            let best_before = self.root.moves.first()?.m;
            self.seldepth = 0;
            self.root_depth = depth;
            self.full_width = depth <= self.params.full_width_depth;
            if self.iteration(&node, depth, lines).is_err() {
                self.keep_partial(depth);
                break;
            }
            self.poll.may_stop = true;
            finished = depth as u8;
            let best = self.root.moves.first()?;
            stability = if best.m == best_before { stability + 1 } else { 0 };
            let score_drop =
                last_score.map_or(0, |last: Score| last.centipawns() - best.score.centipawns());
            last_score = Some(best.score);
            let time_percent = self.time_percent(stability, score_drop, only_move);
            let is_pondering = self.shared.is_pondering();
            self.shared.timer.count(self.all_nodes());
            if leads
                && (self.mate_is_found(best.score)
                    || self.root.moves[..lines].iter().all(|root| is_settled(root.score, depth))
                    || self.shared.timer.soft_is_over(time_percent))
            {
                break;
            }
            self.poll.pondered_percent = (leads && is_pondering).then_some(time_percent);
        }
        let best = self.root.moves.first()?;
        let (best, score, pv) = (best.m, best.known_score(), best.pv.clone());
        let ponder = pv.get(1).copied().or_else(|| self.expected_reply(&node, best));
        let (nodes, elapsed) = (self.all_nodes(), self.shared.timer.elapsed());
        Some(SearchResult { best, pv, ponder, score, depth: finished, nodes, elapsed })
    }

    /// Searches all `MultiPV` lines to one depth and reports them.
    fn iteration(&mut self, node: &Node<E::Sums>, depth: i32, lines: usize) -> Result<(), Stopped> {
        for line in 0..lines {
            self.root.begin_line(line, self.shared.limits);
            let score = self.aspiration_search(node, depth, line)?;
            self.root.promote(line, &self.pv[0], (score, depth), Bound::Exact);
        }
        self.root.moves[..lines].sort_by_key(|root| std::cmp::Reverse((root.rank(), root.score)));
        for line in 0..lines {
            self.report_line(depth, line, Bound::Exact);
        }
        Ok(())
    }

    /// Searches with an aspiration window around the last score, widened until the score is inside.
    /// After a fail high, the next search is shallower: only the score of one move is in doubt.
    fn aspiration_search(
        &mut self,
        node: &Node<E::Sums>,
        depth: i32,
        line: usize,
    ) -> Result<Score, Stopped> {
        let (mut width, mut fail_highs) = (self.root.aspiration_width, 0);
        let mut window = Window::FULL;
        let last = self.root.moves[line].score;
        if depth >= p::ASPIRATION_DEPTH && !last.is_mate() {
            window = Window { alpha: last.plus(-width), beta: last.plus(width) };
        }
        loop {
            // a stop before the first node must not leave the pv of an earlier search
            self.pv[0].clear();
            self.root.best_score = -Score::INFINITE;
            let reduced = (depth - fail_highs.min(self.params.aspiration_reduction)).max(1);
            let score = self.negamax::<Root>(node, window, reduced, 0, false)?;
            let bound = if score <= window.alpha && window.alpha > Window::FULL.alpha {
                fail_highs = 0;
                window.beta =
                    Score::cp(i32::midpoint(window.alpha.centipawns(), window.beta.centipawns()));
                Bound::Upper
            } else if window.fails_high(score) && window.beta < Window::FULL.beta {
                self.root.promote(line, &self.pv[0], (score, depth), Bound::Lower);
                fail_highs += 1;
                Bound::Lower
            } else {
                return Ok(score);
            };
            width += 1 + width * self.params.aspiration_growth / 100;
            let open = width > p::ASPIRATION_GIVE_UP || score.is_mate();
            match bound {
                Bound::Upper if open => window.alpha = Window::FULL.alpha,
                Bound::Upper => window.alpha = score.plus(-width),
                _ if open => window.beta = Window::FULL.beta,
                _ => window.beta = score.plus(width),
            }
            if self.nodes >= p::REPORT_BOUNDS_NODES {
                self.root.moves[line].set_score(score, depth);
                self.report_line(depth, line, bound);
            }
        }
    }

    /// Uses the result of a stopped iteration if it found a better move for the first line. Reports
    /// that move, so that listeners know it before it is played.
    fn keep_partial(&mut self, depth: i32) {
        let root = &mut self.root;
        if let Some(last) = root.moves.first().filter(|first| root.of_line.contains(&first.m)) {
            // a lost score is not final while other root moves are unsearched
            let score = if root.best_score.is_lost() { last.score } else { root.best_score };
            root.promote(0, &self.pv[0], (score, depth), Bound::Lower);
        }
        let best = self.root.moves.first().map(|root| root.m);
        if self.root.reported_best.is_some() && self.root.reported_best != best {
            // the first line is complete if a later line was interrupted
            let is_complete = self.root.line > 0;
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
        self.root.moves.get(self.root.line).map_or(PackedMove::NONE, |root| root.m.into())
    }

    /// Whether the root move `m` is searched in this iteration. In a long search, also reports it
    /// as the current move. `searched` is the number of moves before it.
    pub(in crate::search) fn begin_root_move(
        &mut self,
        m: Move,
        depth: i32,
        searched: usize,
    ) -> bool {
        let wanted = self.root.of_line.contains(&m);
        if wanted && self.shared.timer.elapsed() >= p::REPORT_MOVES_AFTER {
            let number = self.root.line + searched + 1;
            self.root.report.root_move(depth as u8, m, number);
        }
        wanted
    }

    /// Records the score of the root move `m` and its nodes: those counted since `before`.
    pub(in crate::search) fn record_root_move(&mut self, m: Move, score: Score, before: u64) {
        self.root.record(m, score, self.nodes - before);
    }

    /// Returns the percent of the usual time worth spending, see [`time_percent`].
    fn time_percent(&self, stability: u32, score_drop: i32, only_move: bool) -> u32 {
        let nodes = self.nodes.max(1);
        let spent = self.root.moves.first().map_or(0, |root| root.nodes * 100 / nodes) as u32;
        time_percent(spent, stability, score_drop, only_move)
    }

    fn mate_is_found(&self, score: Score) -> bool {
        let wanted = self.shared.limits.mate.map(|moves| 2 * i32::from(moves) - 1);
        wanted.is_some_and(|plies| score.mate_distance().is_some_and(|d| d > 0 && d <= plies))
    }

    fn report_line(&mut self, depth: i32, line: usize, bound: Bound) {
        let (shared, nodes) = (self.shared, self.all_nodes());
        let score = self.root.score_to_report(line);
        let root = &mut self.root;
        let first = &root.moves[line];
        if line == 0 {
            root.reported_best = Some(first.m);
        }
        root.report.iteration(&Iteration {
            depth: depth as u8,
            seldepth: self.seldepth as u8,
            multi_pv: line + 1,
            score,
            bound,
            nodes,
            elapsed: shared.timer.elapsed(),
            hashfull: shared.table.hashfull(),
            tablebase_hits: shared.endgames.as_ref().map_or(0, Endgames::hits),
            pv: &first.pv,
        });
    }

    /// Returns the nodes of all threads, as of the last polls of the others.
    fn all_nodes(&self) -> u64 {
        self.poll.all_nodes(self.nodes, self.shared)
    }
}
