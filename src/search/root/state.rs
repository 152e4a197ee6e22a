//! The root moves of one thread, their scores and lines, and what was reported of them.

use super::{
    bonus::RootBonus,
    endgames::RootRank,
    limits::Limits,
    report::{Bound, SearchListener},
};
use crate::{chess::score::Score, search::SharedState};
use shakmaty::{Chess, Move, Position};

/// A root move with its score and principal variation.
#[derive(Clone, Debug)]
pub(in crate::search) struct RootMove {
    pub(super) m: Move,
    pub(super) score: Score,
    pub(super) pv: Vec<Move>,
    /// Nodes spent on the move in this search.
    pub(super) nodes: u64,
    /// The bonus, or 0 if several lines are reported, because these are sorted by score.
    bonus: RootBonus,
    /// The bonus in its score, in centipawns. It is not reported.
    unreported: i32,
    /// The tablebase rank and score of the move, if known.
    verdict: Option<RootRank>,
}

impl RootMove {
    /// Sets the score that a search of this `depth` has found.
    pub(super) fn set_score(&mut self, score: Score, depth: i32) {
        (self.score, self.unreported) = (score, self.bonus.at_depth(depth));
    }

    /// Returns the tablebase rank. Moves of a higher rank always come first.
    pub(super) fn rank(&self) -> Option<i32> {
        self.verdict.map(|verdict| verdict.rank)
    }

    /// Returns the score to report. It is the tablebase score, unless the search
    /// has found a mate.
    pub(super) fn known_score(&self) -> Score {
        let found = || self.score.with_bonus(-self.unreported);
        self.verdict.filter(|_| !self.score.is_mate()).map_or_else(found, |known| known.score)
    }
}

/// The part of a thread's search state that only the root needs.
pub(in crate::search) struct RootState<'s> {
    pub(super) report: &'s mut dyn SearchListener,
    /// Half the width of the first aspiration window, in centipawns. Helper threads use wider ones.
    pub(super) aspiration_width: i32,
    /// All root moves to search, the best first.
    pub(super) moves: Vec<RootMove>,
    /// The best score of a root move since the root was last entered.
    pub(super) best_score: Score,
    /// The best move of the last report.
    pub(super) reported_best: Option<Move>,
    /// The `MultiPV` line that is searched. 0 is the best line.
    pub(super) line: usize,
    /// The moves that may begin this line.
    pub(super) of_line: Vec<Move>,
    /// Whether they are all legal moves.
    pub(in crate::search) is_complete: bool,
}

impl<'s> RootState<'s> {
    /// Creates the state of a thread that reports to `report`, with half the width of its first
    /// aspiration window.
    pub(in crate::search) fn new(
        report: &'s mut dyn SearchListener,
        aspiration_width: i32,
    ) -> Self {
        Self {
            report,
            aspiration_width,
            moves: Vec::new(),
            best_score: -Score::INFINITE,
            reported_best: None,
            line: 0,
            of_line: Vec::new(),
            is_complete: true,
        }
    }

    /// Lists the legal moves of `root` that the limits allow, the highest rank first.
    pub(super) fn list(&mut self, root: &Chess, shared: &SharedState<'_>) {
        let SharedState { limits, endgames, bonuses, multi_pv, .. } = shared;
        let wanted = &limits.moves;
        let bonus = |m| if *multi_pv > 1 { RootBonus::default() } else { bonuses.of(m) };
        let verdict = |m| endgames.as_ref().and_then(|endgames| endgames.verdict(m));
        self.moves = root
            .legal_moves()
            .iter()
            .filter(|m| wanted.is_empty() || wanted.contains(m))
            .map(|&m| {
                let (score, pv) = (Score::default(), vec![m]);
                let (bonus, verdict) = (bonus(m), verdict(m));
                RootMove { m, score, pv, nodes: 0, bonus, unreported: 0, verdict }
            })
            .collect();
        self.moves.sort_by_key(|root| std::cmp::Reverse(root.rank()));
    }

    /// Returns the root moves from index `line` on with the same tablebase rank as the move there.
    pub(super) fn equal_ranks_from(&self, line: usize) -> impl Iterator<Item = &RootMove> {
        let from = self.moves.get(line..).unwrap_or_default();
        from.iter().take_while(|root| root.rank() == from[0].rank())
    }

    /// Begins to search the line with index `line`.
    pub(super) fn begin_line(&mut self, line: usize, limits: &Limits) {
        self.line = line;
        self.of_line = self.equal_ranks_from(line).map(|root| root.m).collect();
        self.is_complete = self.of_line.len() == self.moves.len() && limits.moves.is_empty();
    }

    /// Moves the first move of `pv` to index `line` and sets its principal variation and its score by
    /// a search of this `depth`. A fail high yields only the beginning of a line, so a longer line of
    /// the same move is kept.
    pub(super) fn promote(
        &mut self,
        line: usize,
        pv: &[Move],
        (score, depth): (Score, i32),
        bound: Bound,
    ) {
        let Some(best) = pv.first() else { return };
        if let Some(found) = self.moves[line..].iter().position(|root| root.m == *best) {
            self.moves[line..=line + found].rotate_right(1);
            let root = &mut self.moves[line];
            root.set_score(score, depth);
            let is_beginning = bound != Bound::Exact && !score.is_decided();
            let stays = found == 0 && is_beginning && root.pv.starts_with(pv);
            if !stays {
                pv.clone_into(&mut root.pv);
            }
        }
    }

    /// Records the score of the root move `m` and the `nodes` spent on it.
    pub(super) fn record(&mut self, m: Move, score: Score, nodes: u64) {
        self.best_score = self.best_score.max(score);
        if let Some(root) = self.moves.iter_mut().find(|root| root.m == m) {
            root.nodes += nodes;
        }
    }

    /// Returns the score to report for the line with index `line`.
    pub(super) fn score_to_report(&self, line: usize) -> Score {
        let root = &self.moves[line];
        // equal ranks may have different scores: no line may be reported above an earlier one
        let alike = |before: &&RootMove| before.verdict.is_some() && before.rank() == root.rank();
        let above = self.moves[..line].iter().filter(alike).map(RootMove::known_score).min();
        above.map_or(root.known_score(), |above| above.min(root.known_score()))
    }
}
