//! Tablebase probing: ranks the root moves, and scores nodes right after a capture or pawn move.
//! <https://www.chessprogramming.org/Syzygy_Bases>

use super::report::Bound;
use crate::{
    chess::{
        score::Score,
        tablebase::{Dtz, Tablebase, Wdl},
    },
    search::{memory::tt::TableScore, params as p},
};
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};
use std::{
    cmp::Ordering,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// The options of tablebase probing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probing {
    /// The minimum remaining depth, in plies, to probe nodes with the maximum number of pieces.
    /// Nodes with fewer pieces are always probed.
    pub depth: u8,
    /// The maximum number of pieces on the board, kings and pawns included.
    pub men: usize,
    /// Whether the fifty-move rule applies.
    pub fifty_move_rule: bool,
}

impl Default for Probing {
    fn default() -> Self {
        Self { depth: 1, men: 7, fifty_move_rule: true }
    }
}

/// The tablebases of one search, with the ranked root moves.
#[derive(Debug)]
pub struct Endgames<'s> {
    tablebase: &'s dyn Tablebase,
    probing: Probing,
    /// The score of a draw for the side to move at the root.
    draw: Score,
    /// The verdicts on the root moves: on all of them or on none.
    verdicts: Vec<(Move, RootRank)>,
    /// Successful probes of all threads.
    hits: AtomicU64,
}

/// The tablebase rank and score of a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::search) struct RootRank {
    /// Higher for a better move. The search chooses among moves of equal rank.
    pub(in crate::search) rank: i32,
    /// The score to report.
    pub(in crate::search) score: Score,
}

impl<'s> Endgames<'s> {
    /// Probes the moves of `root`. `keys` are the Zobrist keys of the earlier positions of the
    /// game. `draw` is the score of a draw for the side to move.
    pub fn new(
        tablebase: &'s dyn Tablebase,
        probing: Probing,
        root: &Chess,
        keys: &[Zobrist64],
        draw: Score,
    ) -> Self {
        let men = probing.men.min(tablebase.most_men());
        let probing = Probing { men, ..probing };
        let hits = AtomicU64::new(0);
        let mut endgames = Self { tablebase, probing, draw, verdicts: Vec::new(), hits };
        if root.board().occupied().count() <= men && !root.castles().any() {
            endgames.rank_root(root, keys);
        }
        endgames
    }

    /// Returns the number of successful probes so far.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// Returns the maximum number of pieces of a node to probe. 0 disables probing in the tree.
    pub(in crate::search) fn men(&self) -> usize {
        self.probing.men
    }

    /// Returns the verdict on the root move `m`.
    pub(in crate::search) fn verdict(&self, m: Move) -> Option<RootRank> {
        self.verdicts.iter().find(|(known, _)| *known == m).map(|(_, verdict)| *verdict)
    }

    fn rank_root(&mut self, root: &Chess, keys: &[Zobrist64]) {
        let moves = root.legal_moves();
        let rank = |m: &Move| Some((*m, self.rank_by_dtz(root, *m, keys)?));
        let by_dtz: Option<Vec<_>> = moves.iter().map(rank).collect();
        let is_ranked_by_dtz = by_dtz.is_some();
        let rank = |m: &Move| Some((*m, self.rank_by_wdl(root, *m, keys)?));
        let Some(verdicts) = by_dtz.or_else(|| moves.iter().map(rank).collect()) else {
            return;
        };
        // the best-ranked moves keep the result, and probed wins would all look alike, so the tree
        // is probed only for a win without DTZ
        let is_won = verdicts.iter().any(|(_, verdict)| verdict.score > Score::MAX_STATIC);
        if is_ranked_by_dtz || !is_won {
            self.probing.men = 0;
        }
        self.verdicts = verdicts;
    }

    /// Ranks a root move by DTZ, the distance to the next capture or pawn move.
    fn rank_by_dtz(&self, root: &Chess, m: Move, keys: &[Zobrist64]) -> Option<RootRank> {
        let after = play(root, m);
        let dtz = if after.is_checkmate() {
            Dtz::exact(1)
        } else if is_draw(&after, keys) {
            Dtz::exact(0)
        } else if m.is_zeroing() {
            Dtz::before_zeroing(-self.wdl(&after)?)
        } else {
            self.dtz(&after)?.step_back()
        };
        let clock = if m.is_zeroing() { 0 } else { root.halfmoves().min(100) as i32 };
        Some(self.verdict_of(dtz, clock, has_repeated(root, keys)))
    }

    /// Ranks a root move by its result alone (WDL).
    fn rank_by_wdl(&self, root: &Chess, m: Move, keys: &[Zobrist64]) -> Option<RootRank> {
        let after = play(root, m);
        let wdl = if is_draw(&after, keys) { Wdl::Draw } else { -self.wdl(&after)? };
        Some(self.verdict_of(Dtz::before_zeroing(wdl), 0, false))
    }

    /// Converts a DTZ value at the root into a rank and a score. `clock` is the halfmove clock.
    ///
    /// Wins that are safe from the fifty-move rule have equal ranks. Shorter wins rank higher if
    /// the rule is near, or if a position was `repeated`, because then the search makes no
    /// progress. A rounded DTZ may be one ply too short, and so may the line that follows it. Among
    /// lost moves, longer ones rank higher if the fifty-move rule may still save the game.
    fn verdict_of(&self, dtz: Dtz, clock: i32, repeated: bool) -> RootRank {
        const TOP: i32 = 1 << 16;
        let plies = dtz.plies.abs();
        let rank = match dtz.plies.cmp(&0) {
            Ordering::Greater => {
                let is_safe = clock + plies + 2 * i32::from(dtz.rounded) <= 100;
                if is_safe && !repeated { TOP } else { TOP - clock - plies }
            }
            Ordering::Equal => 0,
            Ordering::Less => {
                let is_within_reach = clock + 2 * plies >= 100;
                if is_within_reach { clock + plies - TOP } else { -TOP }
            }
        };
        let score = match dtz.plies.signum() {
            sign if self.probing.fifty_move_rule && clock + plies > 100 => self.draw.plus(sign),
            1 => Score::win_in(plies as usize),
            -1 => Score::loss_in(plies as usize),
            _ => self.draw,
        };
        RootRank { rank, score }
    }

    /// Probes a node at `ply` that is to be searched to `depth`.
    ///
    /// The tables assume a halfmove clock of zero. Wins and losses are bounds, because a mate may
    /// be found. A result changed by the fifty-move rule scores one centipawn more or less than
    /// `draw`.
    pub(in crate::search) fn probe(
        &self,
        chess: &Chess,
        depth: i32,
        ply: usize,
        draw: Score,
    ) -> Option<TableScore> {
        let men = chess.board().occupied().count();
        let is_shallow = men == self.probing.men && depth < i32::from(self.probing.depth);
        if is_shallow || chess.halfmoves() != 0 || chess.castles().any() {
            return None;
        }
        let fifty = self.probing.fifty_move_rule;
        let (score, bound) = match self.wdl(chess)? {
            Wdl::Win => (Score::win_in(ply), Bound::Lower),
            Wdl::CursedWin if !fifty => (Score::win_in(ply), Bound::Lower),
            Wdl::CursedWin => (draw.plus(1), Bound::Exact),
            Wdl::Draw => (draw, Bound::Exact),
            Wdl::BlessedLoss if fifty => (draw.plus(-1), Bound::Exact),
            Wdl::BlessedLoss | Wdl::Loss => (Score::loss_in(ply), Bound::Upper),
        };
        let depth = depth + p::TABLEBASE_DEPTH;
        Some(TableScore { score, bound, depth, static_eval: None, was_pv: false })
    }

    fn wdl(&self, position: &Chess) -> Option<Wdl> {
        let wdl = self.tablebase.wdl(position)?;
        self.hits.fetch_add(1, Relaxed);
        Some(wdl)
    }

    fn dtz(&self, position: &Chess) -> Option<Dtz> {
        let dtz = self.tablebase.dtz(position)?;
        self.hits.fetch_add(1, Relaxed);
        Some(dtz)
    }
}

fn play(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

/// Whether the position is a draw by threefold repetition or insufficient material.
fn is_draw(position: &Chess, keys: &[Zobrist64]) -> bool {
    let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    position.is_insufficient_material() || keys.iter().filter(|&&before| before == key).count() > 1
}

/// Whether any position since the last irreversible move has occurred twice.
fn has_repeated(root: &Chess, keys: &[Zobrist64]) -> bool {
    let mut keys: Vec<u64> = keys.iter().map(|key| key.0).collect();
    keys.push(root.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
