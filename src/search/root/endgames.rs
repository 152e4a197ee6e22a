//! A tablebase in the search: it ranks the moves of a root that it knows, and in the tree it decides
//! nodes right after a capture or pawn move. <https://www.chessprogramming.org/Syzygy_Bases>

use super::report::Bound;
use crate::{
    chess::{
        evaluator::Evaluator,
        node::Node,
        score::Score,
        tablebase::{Dtz, Tablebase, Wdl},
    },
    search::{Worker, memory::tt::Known, params as p},
};
use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};
use std::{
    cmp::Ordering,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// How a search uses a tablebase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probing {
    /// The least remaining depth, in plies, at which nodes with the most men are looked up; those
    /// with fewer always are.
    pub depth: u8,
    /// The most men on the board, kings included.
    pub men: usize,
    /// Whether fifty moves without a capture or pawn move make a draw.
    pub fifty_move_rule: bool,
}

impl Default for Probing {
    fn default() -> Self {
        Self { depth: 1, men: 7, fifty_move_rule: true }
    }
}

/// A tablebase as one search asks it.
#[derive(Debug)]
pub struct Endgames<'s> {
    tablebase: &'s dyn Tablebase,
    probing: Probing,
    /// What a draw is worth to the side to move at the root.
    draw: Score,
    /// What is known of the root's moves: of all or of none.
    verdicts: Vec<(Move, Verdict)>,
    /// Positions found, by all threads.
    hits: AtomicU64,
}

/// What is known of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::search) struct Verdict {
    /// Higher for a better move; the search chooses among equals.
    pub(in crate::search) rank: i32,
    pub(in crate::search) score: Score,
}

impl<'s> Endgames<'s> {
    /// Looks up the moves of `root`; `keys` are those of the positions before it. A draw is worth
    /// `draw` to the side to move there.
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

    /// Positions found so far.
    pub fn hits(&self) -> u64 {
        self.hits.load(Relaxed)
    }

    /// The most men of a node in the tree worth looking up; 0 if none is.
    pub(in crate::search) fn men(&self) -> usize {
        self.probing.men
    }

    /// What is known of the root move `m`.
    pub(in crate::search) fn verdict(&self, m: Move) -> Option<Verdict> {
        self.verdicts.iter().find(|(known, _)| *known == m).map(|(_, verdict)| *verdict)
    }

    fn rank_root(&mut self, root: &Chess, keys: &[Zobrist64]) {
        let moves = root.legal_moves();
        let rank = |m: &Move| Some((*m, self.by_distance(root, *m, keys)?));
        let by_distance: Option<Vec<_>> = moves.iter().map(rank).collect();
        let is_ranked_by_distance = by_distance.is_some();
        let rank = |m: &Move| Some((*m, self.by_result(root, *m, keys)?));
        let Some(verdicts) = by_distance.or_else(|| moves.iter().map(rank).collect()) else {
            return;
        };
        // the moves left hold the result; were all that follows known to be won as well, nothing
        // would tell the search which of them makes progress
        let is_won = verdicts.iter().any(|(_, verdict)| verdict.score > Score::MAX_STATIC);
        if is_ranked_by_distance || !is_won {
            self.probing.men = 0;
        }
        self.verdicts = verdicts;
    }

    /// Of the root move `m`, by the distance to zeroing.
    fn by_distance(&self, root: &Chess, m: Move, keys: &[Zobrist64]) -> Option<Verdict> {
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
        Some(self.judge(dtz, clock, has_repeated(root, keys)))
    }

    /// Of the root move `m`, by nothing but the result.
    fn by_result(&self, root: &Chess, m: Move, keys: &[Zobrist64]) -> Option<Verdict> {
        let after = play(root, m);
        let wdl = if is_draw(&after, keys) { Wdl::Draw } else { -self.wdl(&after)? };
        Some(self.judge(Dtz::before_zeroing(wdl), 0, false))
    }

    /// What a distance from the root means `clock` half-moves after the last zeroing move.
    ///
    /// Wins that surely come before the fifty-move rule are equal; in all others haste is needed,
    /// and in every win once a position has been `repeated`: the search has lost its way. A rounded
    /// distance may be one more, and a way along rounded distances one longer. Lost positions are
    /// held as long as the fifty-move rule is within reach.
    fn judge(&self, dtz: Dtz, clock: i32, repeated: bool) -> Verdict {
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
        Verdict { rank, score }
    }

    /// What is known of a node `ply` half-moves from the root, to be searched `depth` plies deep.
    ///
    /// The tables count on a halfmove clock of zero. A win may still be a mate, a loss a quick one:
    /// they are bounds. What fifty moves draw is a `draw`, and a little better or worse.
    fn look_up(&self, chess: &Chess, depth: i32, ply: usize, draw: Score) -> Option<Known> {
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
        Some(Known { score, bound, depth: depth + p::TABLEBASE_DEPTH, static_eval: None })
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

impl<E: Evaluator> Worker<'_, E> {
    /// What tables know of a node, if it has few enough men.
    pub(in crate::search) fn look_up(
        &mut self,
        node: &Node<E::Sums>,
        depth: i32,
        ply: usize,
    ) -> Option<Known> {
        if node.chess.board().occupied().count() > self.tablebase_men {
            return None;
        }
        let endgames = self.shared.endgames.as_ref()?;
        let known = endgames.look_up(&node.chess, depth, ply, self.draw(ply))?;
        // the table may have waited for a disk
        self.poll.soon();
        Some(known)
    }
}

fn play(chess: &Chess, m: Move) -> Chess {
    let mut after = chess.clone();
    after.play_unchecked(m);
    after
}

/// By the third repetition, or because nobody can mate any more.
fn is_draw(position: &Chess, keys: &[Zobrist64]) -> bool {
    let key = position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    position.is_insufficient_material() || keys.iter().filter(|&&before| before == key).count() > 1
}

/// Whether any position of the game has come twice since the last irreversible move.
fn has_repeated(root: &Chess, keys: &[Zobrist64]) -> bool {
    let mut keys: Vec<u64> = keys.iter().map(|key| key.0).collect();
    keys.push(root.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0);
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
