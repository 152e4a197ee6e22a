//! Cues: what speaks for or against a move in the eyes of a person.
//!
//! Three readings say what a move loses: a glance, a look and a longer reading. The other cues say
//! what draws the eye, whatever a move is worth: captures, threats, the last moves, habit. Each cue
//! is a number of about -1 to 3. The policy weighs them.
#![allow(clippy::cast_precision_loss, reason = "values are far within what floats hold")]

pub use crate::chess_mind::cue::Cue;

use super::{
    habit::Habits,
    reading::{MoveReading, Readings},
};
use crate::{
    chess::{game::Game, score::Score, wdl::fullness, win_chance::win_chance},
    chess_mind::salience::{Focus, gives_check, is_exposed, is_in_danger},
    eval::measures::piece_value,
};
use shakmaty::{Bitboard, Board, Chess, Color, File, Move, Position, Rank, Role, Square, attacks};
use strum::EnumCount;

/// The cues of one move, in the order of [`Cue`].
pub type Cues = [f32; Cue::COUNT];

/// What all moves of a position share.
pub struct Scene<'g> {
    game: &'g Game,
    focus: &'g Focus,
    /// The intensity of the emotion, negative in fear.
    intensity: f64,
    habits: &'g Habits,
    /// The best scores at a glance, by two plies and by the longest reading.
    best: [i32; 3],
    /// The moves that have them, and the answer of the search.
    bests: [Option<Move>; 4],
    endangered: Bitboard,
    /// The share of material that is gone.
    gone: f32,
}

/// The loss of winning chance from which a move is an error, in percentage points.
pub const ERROR: f64 = 15.0;

impl<'g> Scene<'g> {
    /// Creates the scene of `game`, with the `readings` of all its moves.
    #[must_use]
    pub fn new(
        game: &'g Game,
        readings: &Readings,
        focus: &'g Focus,
        intensity: f64,
        habits: &'g Habits,
    ) -> Self {
        let first = |of: fn(&MoveReading) -> i32| {
            let first = readings.moves.iter().max_by_key(|reading| of(reading));
            first.map_or((0, None), |reading| (of(reading), Some(reading.m)))
        };
        let [glance, look, read] = [first(|r| r.glance), first(|r| r.look), first(|r| r.read)];
        let (board, turn) = (game.chess.board(), game.chess.turn());
        let own = board.by_color(turn) & !board.kings();
        Self {
            game,
            focus,
            intensity,
            habits,
            best: [glance.0, look.0, read.0],
            bests: [glance.1, look.1, read.1, readings.best],
            endangered: own.into_iter().filter(|&square| is_in_danger(board, square)).collect(),
            gone: (1.0 - fullness(board)) as f32,
        }
    }

    /// Returns the cues of the move that `reading` is about.
    #[must_use]
    pub fn cues(&self, reading: &MoveReading) -> Cues {
        let mut cues = [0.0; Cue::COUNT];
        let m = reading.m;
        let mut set = |cue: Cue, value: f32| cues[cue as usize] = value;
        self.losses(reading, &mut set);
        let chess = &self.game.chess;
        let mut after = chess.clone();
        after.play_unchecked(m);
        self.gains(m, &after, &mut set);
        self.memories(m, &mut set);
        self.shape(m, &mut set);
        let share = self.focus.share(chess, m) as f32;
        set(if self.intensity < 0.0 { Cue::LitByFear } else { Cue::LitByRelief }, share);
        set(Cue::Habit, self.habits.of(chess.turn(), m));
        cues
    }

    fn losses(&self, reading: &MoveReading, set: &mut impl FnMut(Cue, f32)) {
        let loss = |best: i32, own: i32| (best - own).clamp(0, 1000) as f32 / 100.0;
        let doubt = |loss: f32| 1.0 - libm::expf(-2.0 * loss);
        let [glance, look, read] = self.best;
        let chance = win_chance(Score::cp(read)) - win_chance(Score::cp(reading.read));
        let glance = loss(glance, reading.glance);
        let look = loss(look, reading.look);
        let read = loss(read, reading.read);
        set(Cue::GlanceLoss, glance);
        set(Cue::GlanceDoubt, doubt(glance));
        set(Cue::LookLoss, look);
        set(Cue::LookDoubt, doubt(look));
        set(Cue::ReadLoss, read);
        set(Cue::ReadDoubt, doubt(read));
        let (given, error) = ((chance / 100.0).max(0.0) as f32, flag(chance >= ERROR));
        set(Cue::ReadChance, given);
        set(Cue::ReadError, error);
        set(Cue::EndgameChance, given * self.gone);
        set(Cue::EndgameError, error * self.gone);
        let cues = [Cue::GlanceBest, Cue::LookBest, Cue::ReadBest, Cue::SearchBest];
        for (cue, best) in cues.into_iter().zip(self.bests) {
            set(cue, flag(best == Some(reading.m)));
        }
    }

    fn gains(&self, m: Move, after: &Chess, set: &mut impl FnMut(Cue, f32)) {
        let chess = &self.game.chess;
        let (board, turn) = (chess.board(), chess.turn());
        let pawns = |role: Role| piece_value(role) as f32 / 100.0;
        set(Cue::Capture, flag(m.is_capture()));
        set(Cue::Victim, m.capture().map_or(0.0, pawns));
        if m.capture() == Some(m.role()) {
            set(Cue::Trade, (self.best[2] as f32 / 500.0).clamp(-1.0, 1.0));
        }
        set(Cue::Check, flag(gives_check(chess, m)));
        set(Cue::Castle, flag(m.is_castle()));
        set(Cue::Promotion, flag(m.promotion() == Some(Role::Queen)));
        let under = m.promotion().is_some_and(|role| role != Role::Queen);
        set(Cue::Underpromotion, flag(under));
        let Some(from) = m.from().filter(|_| !m.is_castle()) else { return };
        let (moved, to) = (m.promotion().unwrap_or(m.role()), m.to());
        if self.endangered.contains(from) {
            set(Cue::Rescue, pawns(m.role()));
        }
        let rest = after.board();
        if is_in_danger(rest, to) && moved != Role::King {
            set(Cue::EnPrise, pawns(moved));
        }
        let others = self.endangered.without(from);
        let hanging = others.into_iter().filter(|&square| is_in_danger(rest, square));
        set(Cue::LeavesHanging, most(hanging.filter_map(|square| rest.role_at(square)).map(pawns)));
        let before = attacks::attacks(from, m.role().of(turn), board.occupied());
        let now = attacks::attacks(to, moved.of(turn), rest.occupied());
        let targets = now & !before & rest.by_color(!turn) & !rest.kings();
        let won = targets.into_iter().filter(|&square| is_won(rest, turn, square));
        set(Cue::Threat, most(won.filter_map(|square| rest.role_at(square)).map(pawns)));
    }

    fn memories(&self, m: Move, set: &mut impl FnMut(Cue, f32)) {
        let [last, own, _] = self.game.recent;
        if let Some(last) = last.map(Move::to) {
            set(Cue::Recapture, flag(m.is_capture() && m.to() == last));
            set(Cue::NearLast, flag(last.distance(m.to()) == 1));
        }
        if let Some(own) = own {
            let again = m.from() == Some(own.to());
            set(Cue::SamePiece, flag(again));
            set(Cue::Undo, flag(again && own.from() == Some(m.to()) && !m.is_capture()));
        }
    }

    fn shape(&self, m: Move, set: &mut impl FnMut(Cue, f32)) {
        let Some(from) = m.from().filter(|_| !m.is_castle()) else { return };
        let (board, turn, to) = (self.game.chess.board(), self.game.chess.turn(), m.to());
        let rank = |square: Square| turn.relative_rank(square.rank()) as i32;
        set(Cue::Distance, from.distance(to).saturating_sub(2) as f32);
        set(Cue::Backward, flag(rank(to) < rank(from)));
        if let Some(king) = board.king_of(!turn) {
            let closer = from.distance(king) as i32 - to.distance(king) as i32;
            set(Cue::TowardKing, closer as f32 / 2.0);
        }
        let central = matches!(to, Square::D4 | Square::E4 | Square::D5 | Square::E5);
        set(Cue::Centre, flag(central));
        match m.role() {
            Role::Pawn => {
                set(Cue::EndgamePawn, self.gone);
                set(Cue::RookPawn, flag(matches!(from.file(), File::A | File::H)));
                set(Cue::PawnRun, (rank(to) - Rank::Fourth as i32).max(0) as f32);
            }
            Role::Knight | Role::Bishop => {
                let is_knight = m.role() == Role::Knight;
                set(if is_knight { Cue::Knight } else { Cue::Bishop }, 1.0);
                set(Cue::Develop, flag(rank(from) == 0 && rank(to) > 0));
            }
            Role::Rook => set(Cue::Rook, 1.0),
            Role::Queen => set(Cue::Queen, 1.0),
            Role::King => {
                set(Cue::King, 1.0);
                set(Cue::EndgameKing, self.gone);
            }
        }
    }
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

fn most(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0, f32::max)
}

/// Returns whether `turn` could capture the piece on `square` with profit, were it to move.
fn is_won(board: &Board, turn: Color, square: Square) -> bool {
    let attackers = board.attacks_to(square, turn, board.occupied());
    let defenders = board.attacks_to(square, !turn, board.occupied());
    board.role_at(square).is_some_and(|role| is_exposed(board, role, attackers, defenders))
}
