//! Iterative deepening with aspiration windows.
//! <https://www.chessprogramming.org/Iterative_Deepening>

use super::{
    endgames::Verdict,
    report::{Bound, Iteration},
    time::patience,
};
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::{MAX_PLY, Score, Window},
    },
    search::{Endgames, Outcome, Root, Stopped, Worker, memory::tt::PackedMove, params as p},
};
use shakmaty::{Chess, Move, Position};

/// A move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(in crate::search) struct RootMove {
    m: Move,
    score: Score,
    pv: Vec<Move>,
    /// Nodes spent on it in this search.
    nodes: u64,
    /// What a tablebase knows of it.
    verdict: Option<Verdict>,
}

impl RootMove {
    /// Moves of a higher rank are searched before all others.
    fn rank(&self) -> Option<i32> {
        self.verdict.map(|verdict| verdict.rank)
    }

    /// The score to report: what is known, unless the search has found a mate.
    fn known_score(&self) -> Score {
        self.verdict.filter(|_| !self.score.is_mate()).map_or(self.score, |known| known.score)
    }
}

/// A mate, for either side, that iterations twice as deep have not changed.
fn is_settled(score: Score, depth: i32) -> bool {
    score.mate_distance().is_some_and(|plies| depth > 2 * plies.abs() + 4)
}

impl<E: Evaluator> Worker<'_, E> {
    /// Iterations until a limit or a stop. `None` if there is no legal move.
    ///
    /// Whoever `leads` alone decides when enough is searched: helpers work on until then.
    pub(in crate::search) fn deepen(&mut self, root: &Chess, leads: bool) -> Option<Outcome> {
        let node = Node::new(&self.evaluator, root.clone());
        self.list_root_moves(root);
        let only_move = self.equals_of(0).count() == 1;
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
            self.timed = true;
            finished = depth as u8;
            let best = self.root.first()?;
            stability = if best.m == best_before { stability + 1 } else { 0 };
            let fallen =
                last_score.map_or(0, |last: Score| last.centipawns() - best.score.centipawns());
            last_score = Some(best.score);
            let patience = self.patience(stability, fallen, only_move);
            let is_pondering = self.is_pondering();
            if leads
                && (self.mate_is_found(best.score)
                    || self.root[..lines].iter().all(|root| is_settled(root.score, depth))
                    || self.shared.timer.soft_is_over(patience))
            {
                break;
            }
            self.pondered = (leads && is_pondering).then_some(patience);
        }
        let best = self.root.first()?;
        let (best, score, pv) = (best.m, best.known_score(), best.pv.clone());
        let ponder = pv.get(1).copied().or_else(|| self.expected_reply(&node, best));
        let (nodes, elapsed) = (self.all_nodes(), self.shared.timer.elapsed());
        Some(Outcome { best, pv, ponder, score, depth: finished, nodes, elapsed })
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

    /// The moves from place `line` on that a tablebase finds no worse than the one there.
    fn equals_of(&self, line: usize) -> impl Iterator<Item = &RootMove> {
        let from = self.root.get(line..).unwrap_or_default();
        from.iter().take_while(|root| root.rank() == from[0].rank())
    }

    /// One depth: the best line, and as many others as asked for.
    fn iteration(&mut self, node: &Node<E::Sums>, depth: i32, lines: usize) -> Result<(), Stopped> {
        for line in 0..lines {
            self.searched_line = line;
            self.root_moves = self.equals_of(line).map(|root| root.m).collect();
            let is_whole = self.root_moves.len() == self.root.len();
            self.root_is_whole = is_whole && self.shared.limits.moves.is_empty();
            let score = self.aspire(node, depth, line)?;
            self.promote(line, score, Bound::Exact);
        }
        self.root[..lines].sort_by_key(|root| std::cmp::Reverse((root.rank(), root.score)));
        for line in 0..lines {
            self.tell(depth, line, Bound::Exact);
        }
        Ok(())
    }

    /// Searches with a window about the last score and widens it until the score is inside.
    fn aspire(&mut self, node: &Node<E::Sums>, depth: i32, line: usize) -> Result<Score, Stopped> {
        let mut width = self.aspiration_width;
        let mut window = Window::FULL;
        let last = self.root[line].score;
        if depth >= p::ASPIRATION_DEPTH && !last.is_mate() {
            window = Window { alpha: last.plus(-width), beta: last.plus(width) };
        }
        loop {
            // a stop before the first node would find the variation of the last search here
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
                self.tell(depth, line, bound);
            }
        }
    }

    /// Puts the move that the search found best in place `line`, the others behind it. With a bound
    /// comes the mere beginning of a line: of the move that stood there what went on so stays.
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

    /// A stopped iteration counts as far as it has found a better move for the best line. Whoever
    /// listens must hear of that move before it is played.
    fn keep_partial(&mut self, depth: i32) {
        if let Some(last) = self.root.first().filter(|root| self.root_moves.contains(&root.m)) {
            // as long as some moves are not searched, it is not known that all of them lose
            let score = if self.root_best.is_lost() { last.score } else { self.root_best };
            self.promote(0, score, Bound::Lower);
        }
        let best = self.root.first().map(|root| root.m);
        if self.told_best.is_some() && self.told_best != best {
            // of a whole line, if the stop came in one of those after it
            let is_whole = self.searched_line > 0;
            self.tell(depth, 0, if is_whole { Bound::Exact } else { Bound::Lower });
        }
    }

    /// What the opponent is likely to answer to `m`, as far as the table knows.
    fn expected_reply(&self, node: &Node<E::Sums>, m: Move) -> Option<Move> {
        let child = node.play(&self.evaluator, m, node.key_after(m));
        let reply = self.shared.table.probe(child.key, 1)?.m;
        child.chess.legal_moves().into_iter().find(|&m| PackedMove::from(m) == reply)
    }

    /// The move that the last iteration found best of those in question now.
    pub(in crate::search) fn favourite(&self) -> PackedMove {
        self.root.get(self.searched_line).map_or(PackedMove::NONE, |root| root.m.into())
    }

    /// Whether the root move `m`, after `searched` others, is one of those to search. In a long
    /// search, tells of it.
    pub(in crate::search) fn takes_up(&mut self, m: Move, depth: i32, searched: usize) -> bool {
        let wanted = self.root_moves.contains(&m);
        if wanted && self.shared.timer.elapsed() >= p::REPORT_MOVES_AFTER {
            let number = self.searched_line + searched + 1;
            self.report.root_move(depth as u8, m, number);
        }
        wanted
    }

    /// Remembers the score of the root move `m`, and the nodes it has taken since there were
    /// `before`.
    pub(in crate::search) fn note_root_move(&mut self, m: Move, score: Score, before: u64) {
        self.root_best = self.root_best.max(score);
        if let Some(root) = self.root.iter_mut().find(|root| root.m == m) {
            root.nodes += self.nodes - before;
        }
    }

    /// Percent of the usual time worth spending, see [`patience`].
    fn patience(&self, stability: u32, fallen: i32, only_move: bool) -> u32 {
        let nodes = self.nodes.max(1);
        let spent = self.root.first().map_or(0, |root| root.nodes * 100 / nodes) as u32;
        patience(spent, stability, fallen, only_move)
    }

    fn mate_is_found(&self, score: Score) -> bool {
        let wanted = self.shared.limits.mate.map(|moves| 2 * i32::from(moves) - 1);
        wanted.is_some_and(|plies| score.mate_distance().is_some_and(|d| d > 0 && d <= plies))
    }

    fn tell(&mut self, depth: i32, line: usize, bound: Bound) {
        let nodes = self.all_nodes();
        let root = &self.root[line];
        if line == 0 {
            self.told_best = Some(root.m);
        }
        // a tablebase scores apart what it ranks alike, and the search puts it in order: no line may
        // seem better than one before it
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
        chess::evaluator::stub::Even,
        search::{
            Shared, Signals,
            memory::{history::History, pages::Memory, tt::Compatible},
            root::{
                limits::Limits,
                report::Silent,
                time::{Budget, Timer},
            },
        },
    };
    use std::{sync::atomic::Ordering::Relaxed, time::Duration};

    #[test]
    fn a_ponder_hit_ends_the_iteration_if_enough_was_pondered() {
        let mut memory = Memory::new(1).unwrap();
        memory.new_search(0, Compatible::default());
        let (signals, limits) = (Signals::default(), Limits::default());
        let hour = Some(Duration::from_hours(1));
        for (percent, ends) in [(0, true), (100, false)] {
            signals.pondering.store(true, Relaxed);
            let timer = Timer::start(Budget { soft: hour, hard: hour }, true);
            let shared = Shared::new(&signals, &limits, timer, memory.table(), 1);
            let (mut history, mut report) = (History::default(), Silent);
            let mut worker = Worker::new(&shared, Even, &mut history, &[], u64::MAX, &mut report);
            (worker.timed, worker.pondered) = (true, Some(percent));
            assert!(!worker.must_stop());
            signals.pondering.store(false, Relaxed);
            assert_eq!(worker.must_stop(), ends, "{percent}");
        }
    }
}
