//! Selects the moves that a player of limited strength considers. Salience is supplied from
//! outside.

use super::{
    handicap::{Handicap, SEED},
    limits::Limits,
};
use crate::support::random::mixed;
use shakmaty::{Chess, Move, MoveList, Position, Square};
use std::{cmp::Reverse, fmt, num::NonZeroU64};

/// Decides which moves come to a player's mind first.
pub trait Salience: fmt::Debug + Sync {
    /// Returns the salience of the legal move `m`, in centipawns. `last` is the target square of
    /// the opponent's last move.
    fn of(&self, position: &Chess, last: Option<Square>, m: Move) -> i32;
}

/// What a player under a handicap considers.
#[derive(Clone, Copy, Debug)]
pub struct Weakening<'s> {
    /// The limits.
    pub handicap: Handicap,
    /// Ranks the candidate moves.
    pub salience: &'s dyn Salience,
}

impl Weakening<'_> {
    /// The maximum noise added to salience, in centipawns. It decides among moves of similar
    /// salience, and is the same whenever the position recurs.
    const NOISE: i32 = 200;

    /// Removes all but the most salient of the legal `moves`, as the handicap demands at this
    /// `ply`. In check, keeps all moves.
    fn attend(&self, position: &Chess, ply: usize, last: Option<Square>, moves: &mut MoveList) {
        let Some(&breadth) = self.handicap.breadth.get(ply) else { return };
        if moves.len() <= breadth || position.is_check() {
            return;
        }
        let board = position.board();
        let seed = mixed(mixed(SEED ^ board.white().0) ^ board.black().0);
        moves.sort_by_cached_key(|&m| {
            Reverse(self.salience.of(position, last, m) + noise(seed, m, Self::NOISE))
        });
        moves.truncate(breadth);
    }

    /// Returns `limits` narrowed to the nodes and root moves of the handicap. A mate in one is
    /// never overlooked.
    pub fn limits(&self, root: &Chess, limits: &Limits) -> Limits {
        let mut moves = root.legal_moves();
        let legal = moves.len();
        if !limits.moves.is_empty() {
            moves.retain(|m| limits.moves.contains(m));
        }
        if let Some(mate) = moves.iter().copied().find(|&m| gives_mate(root, m)) {
            moves.clear();
            moves.push(mate);
        }
        self.attend(root, 0, None, &mut moves);
        let nodes = NonZeroU64::new(self.handicap.nodes);
        Limits {
            nodes: limits.nodes.map_or(nodes, |limit| nodes.map(|nodes| nodes.min(limit))),
            // a forced move needs no search
            depth: if moves.len() == 1 { Some(1) } else { limits.depth },
            // an empty list searches all moves
            moves: if moves.len() == legal { Vec::new() } else { moves.to_vec() },
            ..limits.clone()
        }
    }

    /// Returns the moves to consider at `ply`, where the last move went to `last`. `None` means all
    /// moves. The root moves are narrowed by [`Self::limits`] instead.
    pub(in crate::search) fn attended(
        &self,
        position: &Chess,
        ply: usize,
        last: Option<Square>,
    ) -> Option<Vec<Move>> {
        (1..self.handicap.breadth.len()).contains(&ply).then(|| {
            let mut moves = position.legal_moves();
            self.attend(position, ply, last, &mut moves);
            moves.to_vec()
        })
    }
}

/// Returns noise from 0 to `most`, determined by the position (`seed`) and the move.
fn noise(seed: u64, m: Move, most: i32) -> i32 {
    let from = m.from().map_or(0, |square| u64::from(square.to_u32()));
    let mixture = mixed(seed ^ (from << 6 | u64::from(m.to().to_u32())));
    (mixture % (most as u64 + 1)) as i32
}

/// Returns whether the legal move `m` is checkmate.
pub fn gives_mate(position: &Chess, m: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(m);
    after.is_checkmate()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    /// A salience of captures only.
    #[derive(Debug)]
    struct Greed;

    impl Salience for Greed {
        fn of(&self, _: &Chess, _: Option<Square>, m: Move) -> i32 {
            if m.is_capture() { 1000 } else { 0 }
        }
    }

    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn weakening(elo: u16) -> Weakening<'static> {
        Weakening { handicap: Handicap::of_elo(elo).unwrap(), salience: &Greed }
    }

    fn chess(fen: &str) -> Chess {
        Game::from_fen(fen, None).unwrap().chess
    }

    #[test]
    fn the_most_salient_moves_and_all_check_evasions_are_considered() {
        let (weakening, position) = (weakening(1000), chess(MIDDLEGAME));
        let legal = position.legal_moves();
        for (ply, &breadth) in weakening.handicap.breadth.iter().enumerate() {
            let mut moves = legal.clone();
            weakening.attend(&position, ply, None, &mut moves);
            assert_eq!(moves.len(), breadth);
            let captures = legal.iter().filter(|m| m.is_capture()).count();
            assert_eq!(moves.iter().filter(|m| m.is_capture()).count(), captures.min(breadth));
        }
        let mut further = legal.clone();
        weakening.attend(&position, weakening.handicap.breadth.len(), None, &mut further);
        assert_eq!(further, legal);
        let check = chess("4k3/8/8/8/8/8/4r3/1QRNK1NR w - - 0 1");
        let mut evasions = check.legal_moves();
        weakening.attend(&check, 0, None, &mut evasions);
        assert_eq!(evasions, check.legal_moves());
    }

    #[test]
    fn limits_are_narrowed_but_never_widened() {
        let (weakening, position) = (weakening(1000), chess(MIDDLEGAME));
        let nodes = |nodes| Limits { nodes: NonZeroU64::new(nodes), ..Limits::default() };
        let spent = |limits: &Limits| weakening.limits(&position, limits).nodes.unwrap().get();
        assert_eq!(spent(&nodes(3)), 3);
        assert_eq!(spent(&nodes(u64::MAX)), weakening.handicap.nodes);
        assert_eq!(spent(&Limits::default()), weakening.handicap.nodes);
        let wanted: Vec<_> = position.legal_moves()[7..9].to_vec();
        let limits = Limits { moves: wanted.clone(), ..Limits::default() };
        assert!(weakening.limits(&position, &limits).moves.iter().all(|m| wanted.contains(m)));
        let few = chess("7k/8/8/8/8/8/8/K7 w - - 0 1");
        assert!(
            weakening.limits(&few, &Limits::default()).moves.is_empty(),
            "all moves are considered"
        );
    }
}
