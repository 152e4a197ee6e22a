//! What a player of limited strength sees: few candidate moves, a short way ahead, and blurred.
//!
//! No move is ever picked at random. A weak player *overlooks*: near the root only the moves that
//! come to mind first are read at all, and what comes to mind is told from outside, by a salience.
//! It *reads little*: a budget of nodes. And it *misjudges*: each aspect of a position, e.g. where
//! one side's knights stand, is thought better or worse than it is, always by the same amount, so
//! that the table stays right, a game can be repeated, and a misjudged structure stays misjudged
//! for as long as it stands.

use super::limits::Limits;
use crate::{
    chess::{evaluator::Evaluator, score::Score},
    support::random::mixed,
};
use shakmaty::{Bitboard, Board, Chess, Color, Move, MoveList, Position, Role, Square};
use std::{cmp::Reverse, num::NonZeroU64};

/// How much weaker than it could a player plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// How many nodes it reads.
    pub nodes: u64,
    /// How many moves it considers: of its own at the root, of the replies, and of its own again.
    /// Further on it follows whatever the lines bring.
    pub breadth: [usize; 3],
    /// By how much one aspect of a position is misjudged at most, in centipawns.
    pub blur: i32,
}

impl Handicap {
    /// The least strength that can be asked for, in Elo.
    pub const LEAST_ELO: u16 = 1000;
    /// From this strength on, in Elo, nothing is held back.
    pub const FULL_ELO: u16 = 3450;

    /// The handicap at which the player plays about `elo`; none at full strength.
    pub fn of_elo(elo: u16) -> Option<Self> {
        let above = LEVELS.iter().position(|(level, _)| *level > elo)?;
        let (low, weaker) = LEVELS[above.saturating_sub(1)];
        let (high, stronger) = LEVELS[above];
        let (part, whole) = (i64::from(elo.max(low) - low), i64::from((high - low).max(1)));
        let between = |from: i64, to: i64| from + (to - from) * part / whole;
        Some(Self {
            nodes: between(weaker.nodes as i64, stronger.nodes as i64) as u64,
            breadth: std::array::from_fn(|ply| {
                between(weaker.breadth[ply] as i64, stronger.breadth[ply] as i64) as usize
            }),
            blur: between(weaker.blur.into(), stronger.blur.into()) as i32,
        })
    }
}

const fn level(elo: u16, nodes: u64, breadth: [usize; 3], blur: i32) -> (u16, Handicap) {
    (elo, Handicap { nodes, breadth, blur })
}

/// Handicaps by the strength they leave, weakest first; between them all numbers are interpolated.
///
/// Up to 2500 measured in games by nodes against Stockfish 15.1 at Skill Levels 0 to 7, each as strong
/// as Stockfish 16 says: the inverse of the formula by which it turns `UCI_Elo`, fitted to the CCRL's
/// ratings, into a Skill Level (1347, 1444, 1566, 1729, 1953, 2197, 2383, 2518). From 2500 on measured
/// by the clock against engines of known rating. What was measured stands in the README.
const LEVELS: [(u16, Handicap); 11] = [
    level(Handicap::LEAST_ELO, 61, [6, 6, 6], 77),
    level(1250, 240, [11, 11, 10], 47),
    level(1500, 545, [15, 14, 12], 30),
    level(1750, 1_150, [19, 18, 16], 25),
    level(2000, 1_800, [22, 19, 17], 20),
    level(2250, 3_800, [27, 23, 20], 14),
    level(2500, 7_200, [30, 26, 22], 11),
    level(2750, 14_400, [34, 28, 24], 9),
    level(3000, 31_000, [38, 31, 27], 6),
    level(3250, 90_000, [50, 40, 34], 3),
    level(Handicap::FULL_ELO, 8_000_000, [218, 218, 218], 0),
];

/// Tells which moves come to a player's mind first.
pub trait Salience {
    /// How salient the legal move `m` is after a move to `last`, in centipawns of what it seems to
    /// be about.
    fn of(&self, position: &Chess, last: Option<Square>, m: Move) -> i32;
}

/// What a player under a handicap sees.
#[derive(Clone, Debug)]
pub struct Sight<S> {
    pub handicap: Handicap,
    pub salience: S,
}

/// Makes this player's misjudgements its own.
const SEED: u64 = 0x6465_6570_6665_656c;

impl<S: Salience> Sight<S> {
    /// Of equally salient moves some come to mind and others do not: up to this much salience is a
    /// whim, in centipawns, and the same whenever the position comes up.
    const WHIM: i32 = 200;

    /// Leaves in `moves`, the legal ones of a position, those that are considered: as many as the
    /// handicap has for this `ply`, the most salient ones. Every way out of check is considered.
    pub fn attend(&self, position: &Chess, ply: usize, last: Option<Square>, moves: &mut MoveList) {
        let Some(&breadth) = self.handicap.breadth.get(ply) else { return };
        if moves.len() <= breadth || position.is_check() {
            return;
        }
        let board = position.board();
        let place = mixed(mixed(SEED ^ board.white().0) ^ board.black().0);
        moves.sort_by_cached_key(|&m| {
            Reverse(self.salience.of(position, last, m) + whim(place, m, Self::WHIM))
        });
        moves.truncate(breadth);
    }

    /// `limits` so narrowed that the search of `root` keeps to what this player reads and considers.
    /// A mate in one is never overlooked.
    pub fn limits(&self, root: &Chess, limits: &Limits) -> Limits {
        let mut moves = root.legal_moves();
        let legal = moves.len();
        if !limits.moves.is_empty() {
            moves.retain(|m| limits.moves.contains(m));
        }
        if let Some(mate) = moves.iter().copied().find(|&m| mates(root, m)) {
            moves.clear();
            moves.push(mate);
        }
        self.attend(root, 0, None, &mut moves);
        let nodes = NonZeroU64::new(self.handicap.nodes);
        Limits {
            nodes: limits.nodes.map_or(nodes, |limit| nodes.map(|nodes| nodes.min(limit))),
            // there is nothing to think about
            depth: if moves.len() == 1 { Some(1) } else { limits.depth },
            // as long as all are considered, it is an ordinary search
            moves: if moves.len() == legal { Vec::new() } else { moves.to_vec() },
            ..limits.clone()
        }
    }

    /// By how much White's chances are overrated, in centipawns. Mirrored positions are misjudged
    /// alike.
    fn blur(&self, board: &Board) -> i32 {
        let error = |color, role| misjudgement(board, color, role) * self.handicap.blur / UNIT;
        Role::ALL
            .into_iter()
            .map(|role| error(Color::White, role) - error(Color::Black, role))
            .sum()
    }
}

/// A whole misjudgement.
const UNIT: i32 = 1 << 15;

/// How wrongly it is judged where the pieces of `role` and `color` stand: from -[`UNIT`] to it.
fn misjudgement(board: &Board, color: Color, role: Role) -> i32 {
    let pieces: Bitboard = board.by_piece(role.of(color));
    if pieces.is_empty() {
        return 0;
    }
    let seen = color.fold_wb(pieces, pieces.flip_vertical());
    i32::from(mixed(SEED ^ mixed(seen.0 ^ role as u64)) as i16)
}

/// From 0 to `most`, as position and move will have it.
fn whim(place: u64, m: Move, most: i32) -> i32 {
    let from = m.from().map_or(0, |square| u64::from(square.to_u32()));
    let mixture = mixed(place ^ (from << 6 | u64::from(m.to().to_u32())));
    (mixture % (most as u64 + 1)) as i32
}

fn mates(position: &Chess, m: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(m);
    after.is_checkmate()
}

/// An evaluator as a player under a handicap sees by it.
#[derive(Clone, Debug)]
pub struct Limited<E, S> {
    pub evaluator: E,
    pub sight: Sight<S>,
}

impl<E: Evaluator, S: Salience> Evaluator for Limited<E, S> {
    type Sums = E::Sums;

    fn sums(&self, position: &Chess) -> Self::Sums {
        self.evaluator.sums(position)
    }

    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums {
        self.evaluator.after(sums, before, m)
    }

    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score {
        let white = self.sight.blur(position.board());
        let blur = position.turn().fold_wb(white, -white);
        self.evaluator.evaluate(position, sums).plus(blur).clamp_static()
    }

    fn attended(&self, position: &Chess, ply: usize, last: Option<Square>) -> Option<MoveList> {
        // the root was narrowed by its limits
        (1..self.sight.handicap.breadth.len()).contains(&ply).then(|| {
            let mut moves = position.legal_moves();
            self.sight.attend(position, ply, last, &mut moves);
            moves
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{EnPassantMode, FromSetup};

    /// Only captures are salient.
    struct Greed;

    impl Salience for Greed {
        fn of(&self, _: &Chess, _: Option<Square>, m: Move) -> i32 {
            if m.is_capture() { 1000 } else { 0 }
        }
    }

    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn sight(elo: u16) -> Sight<Greed> {
        Sight { handicap: Handicap::of_elo(elo).unwrap(), salience: Greed }
    }

    fn chess(fen: &str) -> Chess {
        Game::from_fen(fen, None).unwrap().chess
    }

    #[test]
    fn more_strength_sees_more_and_full_strength_all() {
        let handicaps: Vec<_> =
            (Handicap::LEAST_ELO..Handicap::FULL_ELO).filter_map(Handicap::of_elo).collect();
        assert_eq!(handicaps.len(), usize::from(Handicap::FULL_ELO - Handicap::LEAST_ELO));
        for pair in handicaps.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].blur >= pair[1].blur);
            assert!((0..3).all(|ply| pair[0].breadth[ply] <= pair[1].breadth[ply]));
        }
        assert_eq!(Handicap::of_elo(0), handicaps.first().copied());
        assert_eq!(Handicap::of_elo(Handicap::FULL_ELO), None);
        assert_eq!(Handicap::of_elo(u16::MAX), None);
    }

    #[test]
    fn the_most_salient_moves_are_considered_and_every_way_out_of_check() {
        let (sight, position) = (sight(1000), chess(MIDDLEGAME));
        let legal = position.legal_moves();
        for (ply, &breadth) in sight.handicap.breadth.iter().enumerate() {
            let mut moves = legal.clone();
            sight.attend(&position, ply, None, &mut moves);
            assert_eq!(moves.len(), breadth);
            let captures = legal.iter().filter(|m| m.is_capture()).count();
            assert_eq!(moves.iter().filter(|m| m.is_capture()).count(), captures.min(breadth));
        }
        let mut further = legal.clone();
        sight.attend(&position, sight.handicap.breadth.len(), None, &mut further);
        assert_eq!(further, legal);
        let check = chess("4k3/8/8/8/8/8/4r3/1QRNK1NR w - - 0 1");
        let mut evasions = check.legal_moves();
        sight.attend(&check, 0, None, &mut evasions);
        assert_eq!(evasions, check.legal_moves());
    }

    #[test]
    fn limits_are_narrowed_but_never_widened() {
        let (sight, position) = (sight(1000), chess(MIDDLEGAME));
        let nodes = |nodes| Limits { nodes: NonZeroU64::new(nodes), ..Limits::default() };
        let spent = |limits: &Limits| sight.limits(&position, limits).nodes.unwrap().get();
        assert_eq!(spent(&nodes(3)), 3);
        assert_eq!(spent(&nodes(u64::MAX)), sight.handicap.nodes);
        assert_eq!(spent(&Limits::default()), sight.handicap.nodes);
        let wanted: Vec<_> = position.legal_moves()[7..9].to_vec();
        let limits = Limits { moves: wanted.clone(), ..Limits::default() };
        assert!(sight.limits(&position, &limits).moves.iter().all(|m| wanted.contains(m)));
        let few = chess("7k/8/8/8/8/8/8/K7 w - - 0 1");
        assert!(sight.limits(&few, &Limits::default()).moves.is_empty(), "all are considered");
    }

    #[test]
    fn mirrored_positions_are_misjudged_alike_and_all_within_bounds() {
        let sight = sight(1000);
        for fen in [MIDDLEGAME, "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55"] {
            let position = chess(fen);
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirror = Chess::from_setup(setup, position.castles().mode()).unwrap();
            let blur = sight.blur(position.board());
            assert_eq!(sight.blur(mirror.board()), -blur);
            assert!(blur != 0 && blur.abs() <= 12 * sight.handicap.blur);
        }
    }
}
