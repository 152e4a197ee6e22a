//! What the page shows of Horses.

use super::{
    Horses,
    board::{Square, squares},
    feeling::HorsesGoal,
};
use crate::{
    game::{Game, Side},
    view::{Shown, compared, counted},
};
use serde::Serialize;

/// A square that is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SquareView {
    /// The name, such as `c3`.
    pub name: String,
    /// Its points. 0 if there are none.
    pub prize: i8,
    /// The side that gets there first: 0 or 1, or `None` if neither gets there.
    pub first: Option<usize>,
    /// The moves that each side needs if the other one stands still.
    pub moves: [Option<u8>; 2],
}

/// The board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HorsesBoard {
    /// The squares of the knights.
    pub knights: [String; 2],
    /// The squares that are left.
    pub squares: Vec<SquareView>,
    /// The side that was fined last: 0 or 1.
    pub fined: Option<usize>,
}

/// Returns the number of moves from a side's knight to each square that is left, while the other
/// knight stands still.
fn distances(position: &Horses, side: Side) -> [Option<u8>; Square::COUNT] {
    let mut distances = [None; Square::COUNT];
    let mut edge = position.targets(side);
    let mut known = position.destroyed();
    for moves in 1.. {
        if edge == 0 {
            break;
        }
        known |= edge;
        squares(edge).for_each(|square| distances[square.index()] = Some(moves));
        edge = squares(edge).fold(0, |next, square| next | square.steps()) & !known;
    }
    distances
}

impl Shown for Horses {
    const SUMMARY: &'static str =
        "Two knights collect points on a board that crumbles behind them.";
    const RULES: &'static [&'static str] = &[
        "Move your horse like a knight in chess: two squares in one direction and one to the side.",
        "You get the points of the square that you step on, and points can be negative.",
        "A visited square is gone for good, for both sides.",
        "A side without moves is fined 4 points, and the other one moves alone.",
        "More points at the end win.",
    ];
    const STRENGTHS: &'static [(&'static str, &'static str)] = &[
        ("random", "plays any move"),
        ("beginner", "looks 2 moves ahead; scores 99\u{a0}% against random"),
        ("amateur", "looks 4 moves ahead; scores 69\u{a0}% against beginner"),
        ("expert", "looks 6 moves ahead; scores 61\u{a0}% against amateur"),
        ("master", "looks as far as it can; scores 68\u{a0}% against expert"),
    ];
    const VARIANTS: &'static [(&'static str, &'static str)] =
        &[("fine=once", "fined once"), ("fine=each_turn", "fined at every turn")];
    const JUDGE_DEPTH: u8 = 6;
    const LIKELY_WIN: f64 = 50.0;

    type Board = HorsesBoard;

    fn board(&self) -> HorsesBoard {
        let [white, black] = Side::ALL.map(|side| distances(self, side));
        let view = |square: Square| {
            let moves = [white, black].map(|one| one[square.index()]);
            let [white, black] = moves.map(|one| one.unwrap_or(u8::MAX));
            let first = match white.cmp(&black) {
                // the side to move is one move ahead
                std::cmp::Ordering::Equal => self.turn(),
                std::cmp::Ordering::Less => Side::First,
                std::cmp::Ordering::Greater => Side::Second,
            };
            let first = (moves != [None; 2]).then_some(first as usize);
            SquareView { name: square.to_string(), prize: self.prize(square), first, moves }
        };
        HorsesBoard {
            knights: Side::ALL.map(|side| self.knight(side).to_string()),
            squares: squares(!self.destroyed()).map(view).collect(),
            fined: self.fined().map(|side| side as usize),
        }
    }

    fn step(&self, m: Square) -> [String; 2] {
        [self.knight(self.turn()), m].map(|square| square.to_string())
    }

    fn scored(&self, side: Side) -> i32 {
        self.score(side).into()
    }

    fn reasons([lead, mobility, room, exposure]: [f64; 4]) -> [String; 4] {
        let roomier =
            ["more room than the other", "less room than the other", "as much room as the other"];
        [
            compared(lead, "point", ["ahead", "behind", "level on points"]),
            format!("{} left to step on", counted(mobility, "square")),
            format!("{} within two moves", counted(room, "square")),
            compared(exposure, "square", roomier),
        ]
    }

    fn wish(goal: HorsesGoal) -> &'static str {
        match goal {
            HorsesGoal::BreakOut => "break out",
            HorsesGoal::StrandRival => "strand the other horse",
            HorsesGoal::MakeRoom => "make room",
            HorsesGoal::TakePrize => "take the prize",
            HorsesGoal::DenyPrize => "deny the other the prize",
            HorsesGoal::SitOnLead => "sit on its lead",
            HorsesGoal::Hunt => "hunt for points",
            HorsesGoal::HoldCentre => "hold the centre",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::HorsesRules, *};

    #[test]
    fn squares_belong_to_the_side_that_gets_there_first() {
        // only a line of squares from a1, and one square that both reach in one move
        let free = ["b3", "c5", "e6", "h1"];
        let all = squares(u64::MAX).map(|square| square.to_string());
        let taken: Vec<String> = all
            .filter(|name| !free.contains(&name.as_str()) && name != "a1" && name != "d4")
            .collect();
        let text = |turn: &str| format!("a1 d4 {turn} 0:0 - {} e6+5", taken.join(","));
        let board = |turn| Horses::parse(&text(turn), HorsesRules::default()).unwrap().board();
        let found: Vec<_> = board("w").squares.into_iter().collect();
        let row = |name: &str| found.iter().find(|one| one.name == name).unwrap();
        assert_eq!(found.len(), 4);
        assert_eq!((row("b3").first, row("b3").moves), (Some(0), [Some(1), Some(1)]));
        assert_eq!((row("c5").first, row("c5").moves), (Some(0), [Some(2), Some(2)]));
        assert_eq!((row("e6").first, row("e6").prize), (Some(1), 5));
        assert_eq!((row("h1").first, row("h1").moves), (None, [None, None]));
        let blacks = board("b").squares;
        assert_eq!(blacks.iter().filter(|one| one.first == Some(1)).count(), 3);
    }
}
