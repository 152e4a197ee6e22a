//! Move ordering: yields the moves of a node in stages, best first.
//!
//! The stages are the table move, winning and equal captures, killers, quiet moves by history, and
//! losing captures. Each stage is generated only when it is reached, because an earlier move often
//! causes a cutoff.
//! <https://www.chessprogramming.org/Move_Ordering>

use super::{
    quiet_ranks::QuietRanks,
    ranked_moves::RankedMoves,
    see::{self, see_ge},
};
use crate::{
    chess::node::{Checks, CompactMove, Generator},
    search::memory::packed_move::PackedMove,
};
use shakmaty::{Bitboard, Chess, Role};

/// Killer moves: quiet moves that caused beta cutoffs at other nodes of the same ply.
/// <https://www.chessprogramming.org/Killer_Heuristic>
pub(in crate::search) type Killers = [PackedMove; 2];

/// The next stage of the picker.
#[derive(Clone, Copy, Debug)]
enum PickerStage {
    TableMove,
    GenerateNoisy,
    /// Captures and promotions that do not lose material.
    Noisy,
    Killer(usize),
    GenerateQuiet,
    Quiet,
    LosingCaptures,
}

/// Which quiet moves are yielded.
#[derive(Clone, Debug)]
enum Quiets {
    All,
    Checks(Checks),
    None,
}

impl Quiets {
    #[inline]
    fn want(&self, m: CompactMove) -> bool {
        match self {
            Self::All => true,
            Self::Checks(checks) => checks.gives(m),
            Self::None => false,
        }
    }
}

/// A staged move picker: yields the legal moves of a node, best first.
pub(in crate::search) struct Picker<'p> {
    chess: &'p Chess,
    generator: Generator<'p>,
    stage: PickerStage,
    table_move: PackedMove,
    killers: Killers,
    quiets: Quiets,
    /// Whether the node is in quiescence search and not in check.
    in_qsearch: bool,
    /// Captures and promotions, then quiet moves.
    moves: RankedMoves,
    /// The number of captures and promotions.
    noisy: usize,
}

impl<'p> Picker<'p> {
    /// Creates a picker of all legal moves. `checkers` are the pieces that give check.
    pub(in crate::search) fn new(
        chess: &'p Chess,
        checkers: Bitboard,
        table_move: PackedMove,
        killers: Killers,
    ) -> Self {
        Self {
            chess,
            generator: Generator::new(chess, checkers),
            stage: PickerStage::TableMove,
            table_move,
            killers,
            quiets: Quiets::All,
            in_qsearch: false,
            moves: RankedMoves::default(),
            noisy: 0,
        }
    }

    /// Creates a picker of captures and queen promotions, losing ones included. The side to move
    /// must not be in check.
    pub(in crate::search) fn noisy(chess: &'p Chess, table_move: PackedMove) -> Self {
        let mut picker = Self::new(chess, Bitboard::EMPTY, table_move, Killers::default());
        (picker.quiets, picker.in_qsearch) = (Quiets::None, true);
        picker
    }

    /// Whether the last move is known to pass SEE with threshold 0.
    pub(in crate::search) fn is_sound(&self) -> bool {
        matches!(self.stage, PickerStage::Noisy) && !self.in_qsearch
    }

    /// Skips all further quiet moves that do not give check.
    pub(in crate::search) fn skip_quiets(&mut self, checks: &Checks) {
        if !matches!(self.quiets, Quiets::All) {
            return;
        }
        self.quiets = Quiets::Checks(checks.clone());
        self.moves.remove_from(self.noisy, |m| !checks.gives(m));
    }

    /// Skips all further quiet moves.
    pub(in crate::search) fn skip_all_quiets(&mut self) {
        self.quiets = Quiets::None;
        self.moves.remove_from(self.noisy, |_| true);
    }

    /// Returns the next move. `of_capture` is the history of captures and promotions, and `quiets`
    /// returns the ranks of the quiet moves. Both are called when these moves are generated.
    #[expect(clippy::inline_always, reason = "the choice would vary with other code")]
    #[inline(always)]
    pub(in crate::search) fn next<'r>(
        &mut self,
        of_capture: impl Fn(CompactMove) -> i32,
        quiets: impl Fn() -> QuietRanks<'r>,
    ) -> Option<CompactMove> {
        loop {
            match self.stage {
                PickerStage::TableMove => {
                    self.stage = PickerStage::GenerateNoisy;
                    let m = self.find(self.table_move);
                    if m.is_some_and(|m| !self.in_qsearch || is_qsearch_move(m)) {
                        return m;
                    }
                }
                PickerStage::GenerateNoisy => {
                    self.stage = PickerStage::Noisy;
                    self.generate_noisy(&of_capture);
                }
                PickerStage::Noisy => match self.moves.best(..self.noisy) {
                    Some((index, rank)) if rank > LOSING_PENALTY / 2 => {
                        let loses = || !see_ge(self.chess, self.moves.at(index), 0);
                        if self.in_qsearch || !loses() {
                            return Some(self.moves.take(index));
                        }
                        self.moves.set_rank(index, rank + LOSING_PENALTY);
                    }
                    _ => self.stage = PickerStage::Killer(0),
                },
                PickerStage::Killer(number) => {
                    let last = number + 1 == self.killers.len();
                    self.stage = if last {
                        PickerStage::GenerateQuiet
                    } else {
                        PickerStage::Killer(number + 1)
                    };
                    if let Some(m) = self.killer(self.killers[number]) {
                        return Some(m);
                    }
                }
                PickerStage::GenerateQuiet => {
                    self.stage = PickerStage::Quiet;
                    if !matches!(self.quiets, Quiets::None) {
                        self.generate_quiet(&quiets());
                    }
                }
                PickerStage::Quiet => match self.moves.best(self.noisy..) {
                    Some((index, _)) => return Some(self.moves.take(index)),
                    None => self.stage = PickerStage::LosingCaptures,
                },
                PickerStage::LosingCaptures => {
                    let (index, _) = self.moves.best(..self.noisy)?;
                    return Some(self.moves.take(index));
                }
            }
        }
    }

    fn find(&self, packed: PackedMove) -> Option<CompactMove> {
        let (from, to, promotion) = packed.parts()?;
        self.generator.find(from, to, promotion)
    }

    fn killer(&self, killer: PackedMove) -> Option<CompactMove> {
        if killer == self.table_move || matches!(self.quiets, Quiets::None) {
            return None;
        }
        self.find(killer).filter(|m| m.is_quiet() && self.quiets.want(*m))
    }

    fn generate_noisy(&mut self, of_capture: impl Fn(CompactMove) -> i32) {
        let rank = |m| {
            if PackedMove::from(m) == self.table_move {
                None
            } else if is_lesser_promotion(m) {
                (!self.in_qsearch).then_some(LOSING_PENALTY)
            } else {
                Some(capture_score(m, of_capture(m)))
            }
        };
        self.moves.extend(|moves| self.generator.noisy(moves), rank);
        self.noisy = self.moves.len();
    }

    /// Generates and ranks the quiet moves, without table move and killers.
    fn generate_quiet(&mut self, ranks: &QuietRanks<'_>) {
        let Self { generator, moves, quiets, .. } = self;
        let known = [self.table_move, self.killers[0], self.killers[1]];
        let add = |role, from, targets: Bitboard| {
            let known = known.map(|m| m.target_from(from));
            let ranks = ranks.of_piece(role, from);
            for to in targets & !(known[0] | known[1] | known[2]) {
                moves.push(CompactMove::normal(role, from, to, None, None), ranks.of(to));
            }
        };
        let attacked = Some(ranks.attacked());
        if let Quiets::Checks(checks) = quiets {
            generator.each_quiet(attacked, |role, from| checks.targets(role, from), add);
            return;
        }
        generator.each_quiet(attacked, |_, _| Bitboard::FULL, add);
        let rank = |m: CompactMove| {
            let is_known = known.contains(&m.into());
            (!is_known).then(|| ranks.of_piece(m.role(), m.from_square()).of(m.to()))
        };
        moves.extend(|moves| generator.castling(moves), rank);
    }
}

/// Added to the rank of a losing capture.
const LOSING_PENALTY: i32 = -(1 << 21);

/// Ranks captures by MVV (most valuable victim), then by capture history.
fn capture_score(m: CompactMove, history: i32) -> i32 {
    see::gain(m) * 32 + history
}

/// Whether a move is an underpromotion.
fn is_lesser_promotion(m: CompactMove) -> bool {
    m.promotion().is_some_and(|role| role != Role::Queen)
}

/// Whether quiescence search considers a move.
fn is_qsearch_move(m: CompactMove) -> bool {
    !m.is_quiet() && !is_lesser_promotion(m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::node::{Checks, Threats},
        search::memory::{
            history::History,
            step::{Step, Steps},
        },
    };
    use proptest::prelude::*;
    use shakmaty::{Color, Position};

    /// The squares that the opponent is said to attack.
    const ATTACKED: Bitboard = Bitboard(0x3c3c_0000_ffff_0000);

    fn legal(chess: &Chess) -> Vec<CompactMove> {
        chess.legal_moves().into_iter().map(Into::into).collect()
    }

    /// Returns a history filled with arbitrary `numbers`.
    fn history(moves: &[CompactMove], side: Color, steps: Steps, numbers: &[u8]) -> History {
        let mut history = History::default();
        for (m, number) in moves.iter().zip(numbers.iter().cycle()) {
            let bonus = 8 * i32::from(*number) - 1020;
            if m.is_quiet() {
                history.update_quiet(side, *m, steps, ATTACKED, bonus);
            } else {
                history.update_capture(side, *m, ATTACKED, bonus);
            }
        }
        history
    }

    /// Returns all moves, sorted by stage, then by rank, then by descending index.
    fn in_order(
        chess: &Chess,
        table_move: PackedMove,
        killers: Killers,
        history: &History,
        steps: Steps,
    ) -> Vec<CompactMove> {
        let mut ranked: Vec<_> = legal(chess).into_iter().enumerate().collect();
        ranked.sort_by_key(|(index, m)| {
            let packed = PackedMove::from(*m);
            let (kind, rank) = if packed == table_move {
                (4, 0)
            } else if is_lesser_promotion(*m) {
                (0, 0)
            } else if !m.is_quiet() {
                let history = history.of_capture(chess.turn(), *m, ATTACKED);
                (if see_ge(chess, *m, 0) { 3 } else { 0 }, capture_score(*m, history))
            } else if let Some(rank) = killers.iter().position(|killer| *killer == packed) {
                (2, -(rank as i32))
            } else {
                let history = history.quiets(chess.turn(), steps, ATTACKED);
                (1, history.of_piece(m.role(), m.from_square()).of(m.to()))
            };
            std::cmp::Reverse((kind, rank, *index))
        });
        ranked.into_iter().map(|(_, m)| m).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn staged_generation_matches_sorting_all_moves(
            walk in prop::collection::vec(any::<u16>(), 0..90),
            numbers in prop::collection::vec(any::<u8>(), 5),
            special in any::<[u16; 3]>(),
            skipped_after in 1..40_usize,
        ) {
            let mut chess = Chess::default();
            let mut steps = [None; 3];
            for number in walk {
                let moves = legal(&chess);
                if moves.is_empty() {
                    break;
                }
                let m = moves[usize::from(number) % moves.len()];
                steps = [Some(Step::of(m)), steps[0], steps[1]];
                chess.play_unchecked(m.into());
            }
            let moves = legal(&chess);
            let history = history(&moves, chess.turn(), steps, &numbers);
            // a quarter of the table moves and killers are illegal in this position
            let [table_move, first, second] = special.map(|number| {
                let index = usize::from(number) % (moves.len() * 4 / 3 + 1);
                moves.get(index).map_or(PackedMove::NONE, |m| PackedMove::from(*m))
            });
            let killers = if first == second { Killers::default() } else { [first, second] };
            let (checks, threats) = (Checks::of(&chess), Threats::of(&chess));
            let mut expected = in_order(&chess, table_move, killers, &history, steps);
            let mut number = 0;
            expected.retain(|m| {
                number += 1;
                number <= skipped_after || !m.is_quiet() || checks.gives(*m)
            });
            let mut picker = Picker::new(&chess, chess.checkers(), table_move, killers);
            let mut found = Vec::new();
            loop {
                if found.len() == skipped_after {
                    picker.skip_quiets(&checks);
                }
                let of_capture = |m| history.of_capture(chess.turn(), m, ATTACKED);
                let quiets = || QuietRanks::by_history(
                    history.quiets(chess.turn(), steps, ATTACKED),
                    &threats,
                );
                let Some(m) = picker.next(of_capture, quiets) else { break };
                found.push(m);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
