//! What the page shows of Tilt.

use super::{COLUMNS, MEN, ROWS, Tilt, TiltMove, feeling::TiltGoal, rules::Balance};
use crate::{
    game::{Game, Side},
    view::{Shown, compared, counted},
};
use serde::Serialize;

/// The board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TiltBoard {
    /// Columns and rows.
    pub size: [u8; 2],
    /// The cells of the men of each side.
    pub men: [Vec<String>; 2],
    /// The weights of the left and the right half.
    pub weights: [i16; 2],
    /// Ordinary moves of the side to move until the turn passes.
    pub run: i16,
    /// The extra men of each side that are not yet set.
    pub extras: [u8; 2],
    /// The steps or men of each side in the opponent's home.
    pub home: [u8; 2],
    /// The steps or men that win.
    pub goal: u8,
}

/// Returns the number of ordinary moves until the turn passes. A man who crosses the middle or comes
/// home changes it.
fn run(position: &Tilt) -> i16 {
    let lean = position.lean();
    let moves = match (position.turn(), position.rules().balance) {
        (Side::First, Balance::Gold) => lean,
        (Side::First, Balance::Stay) => lean + 1,
        (Side::Second, _) => 1 - lean,
    };
    // a side that moves because the other one cannot may have none
    moves.max(1)
}

impl Shown for Tilt {
    const SUMMARY: &'static str =
        "Two sides cross a board that tips, and the heavier half decides who moves.";
    const RULES: &'static [&'static str] = &[
        "A man moves one column forward, straight or diagonally, onto an empty cell. Nobody is captured.",
        "Men weigh more towards the edge of the board. Silver moves while the left half is heavier, and Gold otherwise.",
        "So each move makes your side lighter, until the board tips and the other side moves.",
        "A man who reaches one of the two far columns makes a step home. The first four of them set an extra man, who weighs on your side.",
        "Ten steps home win.",
        "Silver begins if the start number is even, and Gold if it is odd.",
    ];
    const STRENGTHS: &'static [(&'static str, &'static str)] = &[
        ("novice", "plays any move"),
        ("expert", "compares each move with the best reply; scores 99\u{a0}% against novice"),
        ("normal", "plays the move that looks best; scores 87\u{a0}% against expert"),
        ("master", "looks as far ahead as it can; scores 18\u{a0}% against normal"),
    ];
    const VARIANTS: &'static [(&'static str, &'static str)] = &[
        ("jumps=false", "no jumps, as in the source"),
        ("jumps=true", "men jump over a neighbour; nobody gets stuck"),
    ];
    const JUDGE_DEPTH: u8 = 3;
    const LIKELY_WIN: f64 = 10.0;

    type Board = TiltBoard;

    fn board(&self) -> TiltBoard {
        TiltBoard {
            size: [COLUMNS, ROWS],
            men: Side::ALL.map(|side| self.men(side).map(|cell| cell.to_string()).collect()),
            weights: self.weights(),
            run: run(self),
            extras: Side::ALL.map(|side| self.extras_left(side)),
            home: Side::ALL.map(|side| self.home(side)),
            goal: MEN,
        }
    }

    fn step(&self, m: TiltMove) -> [String; 2] {
        [m.from, m.to].map(|cell| cell.to_string())
    }

    fn scored(&self, side: Side) -> i32 {
        self.home(side).into()
    }

    fn reasons([lead, mobility, run, exposure]: [f64; 4]) -> [String; 4] {
        let more = ["more than the other", "fewer than the other", "as many moves as the other"];
        let run = if run > 0.0 {
            format!("{} until the board tips", counted(run, "move"))
        } else {
            "the board does not lean to its side".into()
        };
        [
            compared(lead, "step", ["home ahead", "home behind", "level on steps home"]),
            format!("{} to choose from", counted(mobility, "move")),
            run,
            compared(exposure, "move", more),
        ]
    }

    fn wish(goal: TiltGoal) -> &'static str {
        match goal {
            TiltGoal::Unblock => "get its men moving",
            TiltGoal::BringHome => "bring a man home",
            TiltGoal::StopRunner => "stop the runner",
            TiltGoal::UseRun => "use its run",
            TiltGoal::HemIn => "hem the other in",
            TiltGoal::KeepBalance => "keep the board from tipping",
            TiltGoal::Advance => "move forward",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_run_counts_moves_until_the_turn_passes() {
        for rules in ["balance=gold", "balance=stay"] {
            let mut position = Tilt::start(rules.parse().unwrap(), 1);
            for _ in 0..60 {
                let (run, side) = (run(&position), position.turn());
                let Some(m) = position.moves().into_iter().find(|m| {
                    let [from, to] = [m.from, m.to].map(super::super::Cell::column);
                    !super::super::is_home(side, m.to) && from.min(to) != 8
                }) else {
                    break;
                };
                position.play(m);
                assert_eq!(position.turn() == side, run > 1, "{position}");
            }
        }
    }
}
