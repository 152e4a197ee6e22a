//! Which move next: the table's, captures that do not lose, killers, quiet moves by history and
//! threats, and captures that lose. Each kind is made when its turn comes: often an earlier one cuts.
//! <https://www.chessprogramming.org/Move_Ordering>

use super::see::{self, see_ge};
use crate::{
    chess::node::{Checks, Generator},
    search::memory::{history::History, tt::PackedMove},
};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Chess, Color, Move, MoveList, Position, Role};

/// Quiet moves that refuted siblings of a node.
pub(in crate::search) type Killers = [PackedMove; 2];

/// Whether a move neither captures nor promotes.
pub(in crate::search) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}

/// What is handed out next.
#[derive(Clone, Copy, Debug)]
enum Stage {
    TableMove,
    MakeNoisy,
    /// Captures and promotions that do not lose.
    Noisy,
    Killer(usize),
    MakeQuiet,
    Quiet,
    Losers,
}

/// Which quiet moves are wanted.
#[derive(Clone, Debug)]
enum Quiets {
    All,
    Checks(Checks),
    None,
}

impl Quiets {
    fn want(&self, m: Move) -> bool {
        match self {
            Self::All => true,
            Self::Checks(checks) => checks.gives(m),
            Self::None => false,
        }
    }
}

/// Hands out the legal moves of a node, best first, making and sorting no more than is asked for.
pub(in crate::search) struct Picker<'p> {
    chess: &'p Chess,
    generator: Generator<'p>,
    stage: Stage,
    table_move: PackedMove,
    killers: Killers,
    quiets: Quiets,
    /// The node is one of quiescence and not in check.
    settles: bool,
    noisy: List,
    quiet: List,
}

impl<'p> Picker<'p> {
    /// All moves of a node in which `checkers` give check.
    pub(in crate::search) fn new(
        chess: &'p Chess,
        checkers: Bitboard,
        table_move: PackedMove,
        killers: Killers,
    ) -> Self {
        Self {
            chess,
            generator: Generator::new(chess, checkers),
            stage: Stage::TableMove,
            table_move,
            killers,
            quiets: Quiets::All,
            settles: false,
            noisy: List::default(),
            quiet: List::default(),
        }
    }

    /// The captures and queen promotions of a node not in check, those that lose among them.
    pub(in crate::search) fn noisy(chess: &'p Chess, table_move: PackedMove) -> Self {
        let mut picker = Self::new(chess, Bitboard::EMPTY, table_move, Killers::default());
        (picker.quiets, picker.settles) = (Quiets::None, true);
        picker
    }

    /// Whether the exchange that the last move begins is known to lose nothing.
    pub(in crate::search) fn is_sound(&self) -> bool {
        matches!(self.stage, Stage::Noisy) && !self.settles
    }

    /// From now on hands out no quiet moves but those that give check.
    pub(in crate::search) fn leave_out_quiets(&mut self, checks: &Checks) {
        if !matches!(self.quiets, Quiets::All) {
            return;
        }
        self.quiets = Quiets::Checks(checks.clone());
        self.quiet.leave_out(|m| !checks.gives(m));
    }

    /// From now on hands out no quiet moves.
    pub(in crate::search) fn leave_out_all_quiets(&mut self) {
        self.quiets = Quiets::None;
        self.quiet.leave_out(|_| true);
    }

    /// The best move left. `of_quiet` ranks the quiet ones, once they are made.
    pub(in crate::search) fn next(
        &mut self,
        history: &History,
        of_quiet: impl Fn(Move) -> i32,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::MakeNoisy;
                    let m = self.find(self.table_move);
                    if m.is_some_and(|m| !self.settles || settles(m)) {
                        return m;
                    }
                }
                Stage::MakeNoisy => {
                    self.stage = Stage::Noisy;
                    self.make_noisy(history);
                }
                Stage::Noisy => match self.noisy.best() {
                    Some((index, rank)) if rank > LOSER / 2 => {
                        let loses = || !see_ge(self.chess, self.noisy.moves[index], 0);
                        if self.settles || !loses() {
                            return Some(self.noisy.take(index));
                        }
                        self.noisy.keys[index] = key(rank + LOSER, index);
                    }
                    _ => self.stage = Stage::Killer(0),
                },
                Stage::Killer(number) => {
                    let last = number + 1 == self.killers.len();
                    self.stage = if last { Stage::MakeQuiet } else { Stage::Killer(number + 1) };
                    if let Some(m) = self.killer(self.killers[number]) {
                        return Some(m);
                    }
                }
                Stage::MakeQuiet => {
                    self.stage = Stage::Quiet;
                    self.make_quiet(&of_quiet);
                }
                Stage::Quiet => match self.quiet.best() {
                    Some((index, _)) => return Some(self.quiet.take(index)),
                    None => self.stage = Stage::Losers,
                },
                Stage::Losers => {
                    let (index, _) = self.noisy.best()?;
                    return Some(self.noisy.take(index));
                }
            }
        }
    }

    fn find(&self, packed: PackedMove) -> Option<Move> {
        let (from, to, promotion) = packed.parts()?;
        self.generator.find(from, to, promotion)
    }

    fn killer(&self, killer: PackedMove) -> Option<Move> {
        if killer == self.table_move || matches!(self.quiets, Quiets::None) {
            return None;
        }
        self.find(killer).filter(|m| is_quiet(*m) && self.quiets.want(*m))
    }

    fn make_noisy(&mut self, history: &History) {
        let side = self.chess.turn();
        self.generator.noisy(&mut self.noisy.moves);
        self.noisy.rank(|m| {
            if PackedMove::from(m) == self.table_move {
                None
            } else if is_lesser_promotion(m) {
                (!self.settles).then_some(LOSER)
            } else {
                Some(capture_score(side, m, history))
            }
        });
    }

    fn make_quiet(&mut self, of_quiet: impl Fn(Move) -> i32) {
        if matches!(self.quiets, Quiets::None) {
            return;
        }
        self.generator.quiet(&mut self.quiet.moves);
        self.quiet.rank(|m| {
            let packed = PackedMove::from(m);
            let known = packed == self.table_move || self.killers.contains(&packed);
            (!known && self.quiets.want(m)).then(|| of_quiet(m))
        });
    }
}

/// More than a list of moves has room for; a power of two.
const MOST_MOVES: usize = 512;
const KEY_INDEX_BITS: u32 = MOST_MOVES.ilog2();

/// What is taken from the rank of a move that loses.
const LOSER: i32 = -(1 << 21);

/// Moves of one kind, sorted as far as they are taken.
#[derive(Default)]
struct List {
    moves: MoveList,
    /// For each move its rank and, in the low bits, its index; [`Self::GONE`] once taken. One number
    /// for both lets the compiler find the best with vector instructions.
    keys: ArrayVec<i32, MOST_MOVES>,
}

impl List {
    const GONE: i32 = i32::MIN;

    /// Ranks all moves; those without a rank are left out.
    fn rank(&mut self, rank: impl Fn(Move) -> Option<i32>) {
        for (index, m) in self.moves.iter().enumerate() {
            self.keys.push(rank(*m).map_or(Self::GONE, |rank| key(rank, index)));
        }
    }

    fn leave_out(&mut self, unwanted: impl Fn(Move) -> bool) {
        for (key, m) in self.keys.iter_mut().zip(&self.moves) {
            if *key != Self::GONE && unwanted(*m) {
                *key = Self::GONE;
            }
        }
    }

    /// The index and the rank of the best move left.
    fn best(&self) -> Option<(usize, i32)> {
        let best = self.keys.iter().copied().max().filter(|best| *best != Self::GONE)?;
        Some((best as usize % MOST_MOVES, best >> KEY_INDEX_BITS))
    }

    fn take(&mut self, index: usize) -> Move {
        self.keys[index] = Self::GONE;
        self.moves[index]
    }
}

/// Higher for a better rank; the index breaks ties, so that every machine orders alike.
const fn key(rank: i32, index: usize) -> i32 {
    rank << KEY_INDEX_BITS | index as i32
}

/// Most valuable victim first; what history knows of the capture second.
fn capture_score(side: Color, m: Move, history: &History) -> i32 {
    see::gain(m) * 32 + history.of_capture(side, m)
}

/// Promotions to other than a queen are tried last.
fn is_lesser_promotion(m: Move) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

/// Whether quiescence looks at a move.
fn settles(m: Move) -> bool {
    !is_quiet(m) && !is_lesser_promotion(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::node::Checks,
        search::memory::history::{Step, Steps},
    };
    use proptest::prelude::*;

    /// A history of no meaning, taught by `numbers`.
    fn history(moves: &[Move], side: Color, steps: &Steps, numbers: &[u8]) -> History {
        let mut history = History::default();
        for (m, number) in moves.iter().zip(numbers.iter().cycle()) {
            let bonus = 8 * i32::from(*number) - 1020;
            if is_quiet(*m) {
                history.teach_quiet(side, *m, steps, bonus);
            } else {
                history.teach_capture(side, *m, bonus);
            }
        }
        history
    }

    /// The same order from all moves at once: by kind, then by rank, then the last of equals.
    fn in_order(
        chess: &Chess,
        table_move: PackedMove,
        killers: Killers,
        history: &History,
        steps: &Steps,
    ) -> Vec<Move> {
        let mut ranked: Vec<_> = chess.legal_moves().into_iter().enumerate().collect();
        ranked.sort_by_key(|(index, m)| {
            let packed = PackedMove::from(*m);
            let (kind, rank) = if packed == table_move {
                (4, 0)
            } else if is_lesser_promotion(*m) {
                (0, 0)
            } else if !is_quiet(*m) {
                (if see_ge(chess, *m, 0) { 3 } else { 0 }, capture_score(chess.turn(), *m, history))
            } else if let Some(rank) = killers.iter().position(|killer| *killer == packed) {
                (2, -(rank as i32))
            } else {
                (1, history.of_quiet(chess.turn(), *m, steps))
            };
            std::cmp::Reverse((kind, rank, *index))
        });
        ranked.into_iter().map(|(_, m)| m).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn making_moves_by_and_by_keeps_the_order_of_all_at_once(
            walk in prop::collection::vec(any::<u16>(), 0..90),
            numbers in prop::collection::vec(any::<u8>(), 5),
            special in any::<[u16; 3]>(),
            left_out_after in 1..40_usize,
        ) {
            let mut chess = Chess::default();
            let mut steps = [None; 3];
            for number in walk {
                let moves = chess.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[usize::from(number) % moves.len()];
                steps = [Some(Step::of(m)), steps[0], steps[1]];
                chess.play_unchecked(m);
            }
            let moves = chess.legal_moves();
            let history = history(&moves, chess.turn(), &steps, &numbers);
            // one in four is no move of this position
            let [table_move, first, second] = special.map(|number| {
                let index = usize::from(number) % (moves.len() * 4 / 3 + 1);
                moves.get(index).map_or(PackedMove::NONE, |m| PackedMove::from(*m))
            });
            let killers = if first == second { Killers::default() } else { [first, second] };
            let checks = Checks::of(&chess);
            let mut expected = in_order(&chess, table_move, killers, &history, &steps);
            let mut number = 0;
            expected.retain(|m| {
                number += 1;
                number <= left_out_after || !is_quiet(*m) || checks.gives(*m)
            });
            let mut picker = Picker::new(&chess, chess.checkers(), table_move, killers);
            let mut found = Vec::new();
            loop {
                if found.len() == left_out_after {
                    picker.leave_out_quiets(&checks);
                }
                let of_quiet = |m| history.of_quiet(chess.turn(), m, &steps);
                let Some(m) = picker.next(&history, of_quiet) else { break };
                found.push(m);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
