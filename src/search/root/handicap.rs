//! Limits the playing strength: fewer candidate moves, fewer nodes and evaluation errors.
//!
//! No move is picked at random. A weak player *overlooks* moves: near the root, only the most
//! salient ones are searched. Salience is supplied from outside. It *calculates little*: its nodes
//! are limited. And it *misjudges*: each kind of piece of each side adds an error to the
//! evaluation. The error depends only on the squares of these pieces. So the transposition table
//! stays valid, games are repeatable, and an unchanged structure stays misjudged.

use super::limits::Limits;
use crate::{
    chess::{evaluator::Evaluator, score::Score},
    support::random::mixed,
};
use shakmaty::{Bitboard, Board, Chess, Color, Move, MoveList, Position, Role, Square};
use std::{cmp::Reverse, num::NonZeroU64};

/// The limits of a weakened player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handicap {
    /// The node limit per move.
    pub nodes: u64,
    /// The maximum number of moves considered at the root, for the replies, and for the moves after
    /// those. All moves are considered at later plies.
    pub breadth: [usize; 3],
    /// The maximum evaluation error per side and kind of piece, in centipawns.
    pub blur: i32,
}

impl Handicap {
    /// The lowest strength available, in Elo.
    pub const LEAST_ELO: u16 = 1000;
    /// The strength from which there is no handicap, in Elo.
    pub const FULL_ELO: u16 = 3450;

    /// Returns the handicap for a strength of about `elo`, or `None` at full strength.
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

/// Handicaps by Elo, weakest first. Values between levels are interpolated.
///
/// Up to 2500, measured in games with a fixed number of nodes against Stockfish 15.1 at Skill
/// Levels 0 to 7. The Elo of these levels follows Stockfish 16: the inverse of its formula from
/// `UCI_Elo` to Skill Level, fitted to CCRL ratings (1347, 1444, 1566, 1729, 1953, 2197, 2383,
/// 2518). From 2500 on, measured in timed games against engines of known rating. docs/measurements.md
/// lists the results.
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

/// Decides which moves come to a player's mind first.
pub trait Salience {
    /// Returns the salience of the legal move `m`, in centipawns. `last` is the target square of
    /// the opponent's last move.
    fn of(&self, position: &Chess, last: Option<Square>, m: Move) -> i32;
}

/// How a player is weakened: its limits, and the moves that it considers first.
#[derive(Clone, Debug)]
pub struct Weakening<S> {
    /// The limits.
    pub handicap: Handicap,
    /// Ranks the candidate moves.
    pub salience: S,
}

/// The seed of the evaluation errors and of the noise in salience.
const SEED: u64 = 0x6465_6570_6665_656c;

impl<S: Salience> Weakening<S> {
    /// The maximum noise added to salience, in centipawns. It decides among moves of similar
    /// salience, and is the same whenever the position recurs.
    const NOISE: i32 = 200;

    /// Removes all but the most salient of the legal `moves`, as the handicap demands at this
    /// `ply`. In check, keeps all moves.
    pub fn attend(&self, position: &Chess, ply: usize, last: Option<Square>, moves: &mut MoveList) {
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
        if let Some(mate) = moves.iter().copied().find(|&m| mates(root, m)) {
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

    /// Returns the evaluation error in White's favour, in centipawns. Mirrored positions have
    /// mirrored errors.
    fn blur(&self, board: &Board) -> i32 {
        let error = |color, role| misjudgement(board, color, role) * self.handicap.blur / UNIT;
        Role::ALL
            .into_iter()
            .map(|role| error(Color::White, role) - error(Color::Black, role))
            .sum()
    }
}

/// The largest misjudgement.
const UNIT: i32 = 1 << 15;

/// Returns the misjudgement of the squares of one side's pieces of one kind, from -[`UNIT`] to
/// [`UNIT`].
fn misjudgement(board: &Board, color: Color, role: Role) -> i32 {
    let pieces: Bitboard = board.by_piece(role.of(color));
    if pieces.is_empty() {
        return 0;
    }
    let seen = color.fold_wb(pieces, pieces.flip_vertical());
    i32::from(mixed(SEED ^ mixed(seen.0 ^ role as u64)) as i16)
}

/// Returns noise from 0 to `most`, determined by the position (`seed`) and the move.
fn noise(seed: u64, m: Move, most: i32) -> i32 {
    let from = m.from().map_or(0, |square| u64::from(square.to_u32()));
    let mixture = mixed(seed ^ (from << 6 | u64::from(m.to().to_u32())));
    (mixture % (most as u64 + 1)) as i32
}

fn mates(position: &Chess, m: Move) -> bool {
    let mut after = position.clone();
    after.play_unchecked(m);
    after.is_checkmate()
}

/// An evaluator with the evaluation errors and candidate moves of a handicap.
#[derive(Clone, Debug)]
pub struct WeakenedEvaluator<E, S> {
    /// The evaluator without errors.
    pub evaluator: E,
    /// The handicap and the salience.
    pub weakening: Weakening<S>,
}

impl<E: Evaluator, S: Salience> Evaluator for WeakenedEvaluator<E, S> {
    type Sums = E::Sums;

    fn sums(&self, position: &Chess) -> Self::Sums {
        self.evaluator.sums(position)
    }

    fn after(&self, sums: Self::Sums, before: &Chess, m: Move) -> Self::Sums {
        self.evaluator.after(sums, before, m)
    }

    fn evaluate(&mut self, position: &Chess, sums: Self::Sums) -> Score {
        let white = self.weakening.blur(position.board());
        let blur = position.turn().fold_wb(white, -white);
        self.evaluator.evaluate(position, sums).plus(blur).clamp_static()
    }

    fn attended(&self, position: &Chess, ply: usize, last: Option<Square>) -> Option<MoveList> {
        // the root moves are already narrowed by the limits
        (1..self.weakening.handicap.breadth.len()).contains(&ply).then(|| {
            let mut moves = position.legal_moves();
            self.weakening.attend(position, ply, last, &mut moves);
            moves
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use shakmaty::{EnPassantMode, FromSetup};

    /// A salience of captures only.
    struct Greed;

    impl Salience for Greed {
        fn of(&self, _: &Chess, _: Option<Square>, m: Move) -> i32 {
            if m.is_capture() { 1000 } else { 0 }
        }
    }

    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn weakening(elo: u16) -> Weakening<Greed> {
        Weakening { handicap: Handicap::of_elo(elo).unwrap(), salience: Greed }
    }

    fn chess(fen: &str) -> Chess {
        Game::from_fen(fen, None).unwrap().chess
    }

    #[test]
    fn a_higher_elo_considers_more_and_full_elo_has_no_handicap() {
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

    #[test]
    fn mirrored_positions_have_mirrored_errors_within_bounds() {
        let weakening = weakening(1000);
        for fen in [MIDDLEGAME, "8/1p3p2/pk2b2R/1p6/8/P1P5/1KP1R3/5r2 w - - 6 55"] {
            let position = chess(fen);
            let setup = position.to_setup(EnPassantMode::Legal).into_mirrored();
            let mirror = Chess::from_setup(setup, position.castles().mode()).unwrap();
            let blur = weakening.blur(position.board());
            assert_eq!(weakening.blur(mirror.board()), -blur);
            assert!(blur != 0 && blur.abs() <= 12 * weakening.handicap.blur);
        }
    }
}
