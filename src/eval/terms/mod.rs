//! The evaluation terms, each in its own module, and the order in which they are counted.

mod each_piece;
mod ending;
mod king;
mod material;
mod mobility;
mod passed;
mod pawns;
mod pieces;
mod rooks;
mod shelter;
mod space;
mod threats;

use super::{attacks::Attacks, tally::Tally};
use king::Assault;
use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position, Role, Square};
use std::marker::PhantomData;

/// A side known at compile time. Terms are compiled once per side, which removes most branches on
/// colour.
trait Side: Copy {
    const COLOR: Color;
}

#[derive(Clone, Copy)]
struct White;

#[derive(Clone, Copy)]
struct Black;

impl Side for White {
    const COLOR: Color = Color::White;
}

impl Side for Black {
    const COLOR: Color = Color::Black;
}

/// A knight, bishop, rook or queen, with the squares it attacks.
#[derive(Clone, Copy)]
struct Attacker {
    square: Square,
    attacks: Bitboard,
}

/// The input of every term: the board, the attack sets, and the side to count for.
#[derive(Clone, Copy)]
struct View<'p, S> {
    board: &'p Board,
    attacks: &'p Attacks,
    side: PhantomData<S>,
}

impl<'p, S: Side> View<'p, S> {
    fn new(board: &'p Board, attacks: &'p Attacks) -> Self {
        Self { board, attacks, side: PhantomData }
    }

    #[expect(clippy::unused_self, reason = "the type of a view is not named where it is used")]
    const fn side(self) -> Color {
        S::COLOR
    }

    /// Iterates over the knights, bishops, rooks or queens of this side.
    fn pieces(self, role: Role) -> impl Iterator<Item = Attacker> {
        let attacks = self.attacks.get(S::COLOR);
        let squares = self.board.by_color(S::COLOR) & self.board.by_role(role);
        squares.into_iter().map(|square| Attacker { square, attacks: attacks.of_piece(square) })
    }

    const fn parts(self) -> (&'p Board, &'p Attacks, Color) {
        (self.board, self.attacks, S::COLOR)
    }
}

/// Counts all terms of `position` except those counted by [`count_structure`] and [`super::sums`].
///
/// `exposure` is the result of [`count_structure`] for the same position.
pub fn count(position: &Chess, attacks: &Attacks, exposure: ByColor<i32>, tally: &mut impl Tally) {
    let (board, turn) = (position.board(), position.turn());
    let (white, black) = (View::<White>::new(board, attacks), View::<Black>::new(board, attacks));
    let by_white = each_piece::count(white, tally);
    let by_black = each_piece::count(black, tally);
    let lead = ending::lead(board);
    count_side(white, turn, &by_black, exposure.white, tally);
    ending::count(white, lead, tally);
    count_side(black, turn, &by_white, exposure.black, tally);
    ending::count(black, -lead, tally);
    material::tempo(turn, tally);
    pieces::closed(board, tally);
    shelter::castling(position.castles(), tally);
}

/// Counts the terms that depend on pawns and kings only, whose total is cached. Returns the danger of
/// each king from its shelter.
pub fn count_structure(
    position: &Chess,
    attacks: &Attacks,
    tally: &mut impl Tally,
) -> ByColor<i32> {
    let board = position.board();
    let (white, black) = (View::<White>::new(board, attacks), View::<Black>::new(board, attacks));
    pawns::count(white, tally);
    pawns::count(black, tally);
    ending::king_to_pawns(white, tally);
    ending::king_to_pawns(black, tally);
    ByColor { white: shelter::count(white, tally), black: shelter::count(black, tally) }
}

fn count_side(
    view: View<'_, impl Side>,
    turn: Color,
    assault: &Assault,
    exposure: i32,
    tally: &mut impl Tally,
) {
    material::count(view, tally);
    passed::count(view, turn == view.side(), tally);
    pieces::count(view, tally);
    king::count(view, assault, exposure, turn, tally);
    threats::count(view, tally);
    space::count(view, tally);
}
