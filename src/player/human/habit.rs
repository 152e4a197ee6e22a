//! Habits: how often people play a move of a piece from one square to another when they can.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

use shakmaty::{Color, Move, Square};

/// Number of entries: a piece, a square from, and a square to, from the mover's side of the board.
const LEN: usize = 6 * 64 * 64;
/// Units of an entry per nat.
const PER_NAT: f32 = 24.0;

/// For each piece, from and to: the log-odds of being played compared with other moves of the piece.
#[derive(Clone, Debug)]
pub struct Habits(Box<[i8]>);

impl Habits {
    /// Returns the habits counted in people's games.
    #[must_use]
    pub fn counted() -> Self {
        Self::of_bytes(include_bytes!("habits.bin").to_vec()).unwrap_or_else(Self::none)
    }

    /// Returns habits of a person without any.
    #[must_use]
    pub fn none() -> Self {
        Self(vec![0; LEN].into())
    }

    /// Reads habits as [`Self::bytes`] writes them. Returns `None` if the length is wrong.
    #[must_use]
    pub fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        let entries: Box<[i8]> = bytes.into_iter().map(u8::cast_signed).collect();
        (entries.len() == LEN).then_some(Self(entries))
    }

    /// Returns one byte per entry.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        self.0.iter().map(|&entry| entry.cast_unsigned()).collect()
    }

    /// Returns the habit of playing `m` as `side`, in nats.
    #[must_use]
    pub fn of(&self, side: Color, m: Move) -> f32 {
        index(side, m).map_or(0.0, |index| f32::from(self.0[index]) / PER_NAT)
    }
}

/// Counts how often each kind of move was possible and how often it was played.
#[derive(Clone, Debug)]
pub struct HabitCounts {
    possible: Vec<u32>,
    played: Vec<u32>,
}

impl Default for HabitCounts {
    fn default() -> Self {
        Self { possible: vec![0; LEN], played: vec![0; LEN] }
    }
}

impl HabitCounts {
    /// Counts a choice of `chosen` among the legal `moves` of `side`.
    pub fn add(&mut self, side: Color, moves: &[Move], chosen: Move) {
        for index in moves.iter().filter_map(|&m| index(side, m)) {
            self.possible[index] += 1;
        }
        if let Some(index) = index(side, chosen) {
            self.played[index] += 1;
        }
    }

    /// Adds other counts to these.
    pub fn merge(&mut self, other: &Self) {
        let pairs = [(&mut self.possible, &other.possible), (&mut self.played, &other.played)];
        for (own, other) in pairs {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }

    /// Returns the habits. A rare move is pulled to the mean of its piece.
    #[must_use]
    pub fn habits(&self) -> Habits {
        /// Occasions that the mean of the piece counts for.
        const PRIOR: f64 = 40.0;
        let mut entries = vec![0; LEN];
        for start in (0..LEN).step_by(64 * 64) {
            let piece = start..start + 64 * 64;
            let sum = |counts: &[u32]| counts.iter().map(|&n| f64::from(n)).sum::<f64>();
            let mean =
                sum(&self.played[piece.clone()]) / sum(&self.possible[piece.clone()]).max(1.0);
            for index in piece.filter(|&index| self.possible[index] > 0 && mean > 0.0) {
                let rate = (f64::from(self.played[index]) + PRIOR * mean)
                    / (f64::from(self.possible[index]) + PRIOR);
                entries[index] = (libm::log(rate / mean) as f32 * PER_NAT) as i8;
            }
        }
        Habits(entries.into())
    }
}

/// Returns the entry of `m`, seen from the side of the mover. Castling has none.
fn index(side: Color, m: Move) -> Option<usize> {
    let own = |square: Square| usize::from(side.fold_wb(square, square.flip_vertical()));
    let from = m.from().filter(|_| !m.is_castle())?;
    Some((m.role() as usize - 1) * 64 * 64 + own(from) * 64 + own(m.to()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Chess, Position};

    #[test]
    fn habits_follow_what_was_played_and_survive_a_file() {
        let chess = Chess::default();
        let moves = chess.legal_moves();
        let find =
            |from, to| moves.iter().copied().find(|m| m.from() == Some(from) && m.to() == to);
        let e4 = find(Square::E2, Square::E4).unwrap();
        let a3 = find(Square::A2, Square::A3).unwrap();
        let mut counts = HabitCounts::default();
        (0..500).for_each(|_| counts.add(Color::White, &moves, e4));
        let habits = Habits::of_bytes(counts.habits().bytes()).unwrap();
        assert!(habits.of(Color::White, e4) > 1.5 && habits.of(Color::White, a3) < -1.5);
        assert!(Habits::of_bytes(vec![0; 7]).is_none());
        assert!(Habits::none().of(Color::White, e4).abs() < 1e-9);
    }
}
