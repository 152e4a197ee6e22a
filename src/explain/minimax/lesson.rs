//! A lesson in minimax about one position: both searches side by side, and the horizon.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

use super::{Found, GameTree, Stopped, Watcher, alpha_beta, plain};
use serde::Serialize;
use std::fmt;

/// Minimax and alpha-beta from one position to the same depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lesson {
    /// In half-moves.
    depth: u32,
    minimax: SearchRecord,
    alpha_beta: SearchRecord,
    /// The mean number of moves in a position above the leaves.
    branching: f64,
    /// `branching` to the power of `depth`.
    power: f64,
}

/// What happens to the chosen move as the search looks deeper.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Horizon {
    /// The searches to depth 1, 2 and so on, until the move changes.
    depths: Vec<SearchRecord>,
    /// The first change of the move, if there is one.
    change: Option<ChangeRecord>,
}

/// The result of one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct SearchRecord {
    /// The chosen move, or `None` if the game is over or the search was stopped.
    #[serde(rename = "move")]
    first: Option<String>,
    /// `None` if the search was stopped.
    value: Option<Value>,
    /// The line that led to the value.
    line: String,
    leaves: u64,
    stopped: bool,
}

/// The line beyond the horizon, and the line of the move that is played instead.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct ChangeRecord {
    depth: u32,
    /// The move of the depth before, searched to this depth.
    hidden: SearchRecord,
    instead: SearchRecord,
}

/// A value for the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    Word(&'static str),
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        if value.is_finite() {
            Self::Number(value)
        } else {
            Self::Word(if value > 0.0 { "win" } else { "loss" })
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(0.0) => f.pad("0"),
            // at most two decimals
            Self::Number(number) => f.pad(&format!("{:+}", (number * 100.0).round() / 100.0)),
            Self::Word(word) => f.pad(word),
        }
    }
}

impl SearchRecord {
    fn of<T: GameTree>(
        tree: &T,
        root: &T::Position,
        found: &Result<Found<T::Move>, Stopped>,
    ) -> Self {
        match found {
            Ok(Found { value, line, leaves, .. }) => Self {
                first: line.first().map(|m| tree.describe(root, std::slice::from_ref(m))),
                value: Some((*value).into()),
                line: tree.describe(root, line),
                leaves: *leaves,
                stopped: false,
            },
            Err(Stopped { leaves }) => Self { leaves: *leaves, stopped: true, ..Self::default() },
        }
    }
}

impl Lesson {
    /// Searches `root` to `depth` half-moves with both algorithms. The watcher may end either of
    /// them.
    pub fn of<T: GameTree>(tree: &T, root: &T::Position, depth: u32, watch: Watcher<'_>) -> Self {
        let whole = plain(tree, root, depth, watch);
        let pruned = alpha_beta(tree, root, depth, watch);
        let measured = whole.as_ref().or(pruned.as_ref());
        let branching = measured.map_or(0.0, |found| found.branching);
        Self {
            depth,
            minimax: SearchRecord::of(tree, root, &whole),
            alpha_beta: SearchRecord::of(tree, root, &pruned),
            branching,
            power: branching.powf(f64::from(depth)),
        }
    }

    /// Whether the watcher ended both searches.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.minimax.stopped && self.alpha_beta.stopped
    }
}

impl Horizon {
    /// Searches `root` with alpha-beta to depth 1, 2 and so on up to `deepest`, until the chosen
    /// move changes.
    pub fn of<T: GameTree>(tree: &T, root: &T::Position, deepest: u32, watch: Watcher<'_>) -> Self {
        let (mut depths, mut last) = (Vec::new(), None);
        for depth in 1..=deepest {
            let found = alpha_beta(tree, root, depth, watch);
            let record = SearchRecord::of(tree, root, &found);
            depths.push(record.clone());
            let Some(first) = found.ok().and_then(|found| found.line.into_iter().next()) else {
                break;
            };
            let hidden = last.replace(first.clone()).filter(|last| *last != first);
            if let Some(hidden) = hidden {
                let hidden = forced(tree, root, &hidden, depth, watch);
                let hidden = SearchRecord::of(tree, root, &hidden);
                let change = Some(ChangeRecord { depth, hidden, instead: record });
                return Self { depths, change };
            }
        }
        Self { depths, change: None }
    }
}

/// Searches only the move `m` of `root`, to `depth`.
fn forced<T: GameTree>(
    tree: &T,
    root: &T::Position,
    m: &T::Move,
    depth: u32,
    watch: Watcher<'_>,
) -> Result<Found<T::Move>, Stopped> {
    let child = tree.children(root).into_iter().find(|(other, _)| other == m);
    let Some((m, child)) = child else { return Err(Stopped { leaves: 0 }) };
    let mut found = alpha_beta(tree, &child, depth - 1, watch)?;
    if !tree.moves_again(root, &child) {
        found.value = -found.value;
    }
    found.line.insert(0, m);
    Ok(found)
}

impl fmt::Display for SearchRecord {
    /// Formats move, value and leaves as cells of a table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first, value, leaves, stopped, .. } = self;
        if *stopped {
            return write!(f, "{:<10}{:>7}{leaves:>13}", "stopped", "");
        }
        let (first, value) = (first.as_deref().unwrap_or("none"), value.map(|v| v.to_string()));
        write!(f, "{first:<10}{:>7}{leaves:>13}", value.unwrap_or_default())
    }
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, minimax, alpha_beta, branching, power } = self;
        writeln!(f, "  {:<12}{:<10}{:>7}{:>13}", "", "move", "value", "leaves")?;
        writeln!(f, "  {:<12}{minimax}", "minimax")?;
        write!(f, "  {:<12}{alpha_beta}", "alpha-beta")?;
        if !minimax.stopped && !alpha_beta.stopped {
            let percent = 100.0 * alpha_beta.leaves as f64 / minimax.leaves as f64;
            write!(f, "   {percent:.1} % of them")?;
        }
        writeln!(f, "\n  {:<29}{power:>13.0}   b = {branching:.1} moves, n = {depth}", "b^n")?;
        let best = if alpha_beta.stopped { minimax } else { alpha_beta };
        if !best.line.is_empty() {
            writeln!(f, "\nBest line: {}", best.line)?;
        }
        write!(
            f,
            "\nA leaf is a position at the end of a line, which is valued. Minimax values all of them.\n\
             Alpha-beta skips those that a player would avoid. It finds the same move and value."
        )
    }
}

impl fmt::Display for Horizon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depths, change } = self;
        writeln!(f, "The horizon, with alpha-beta")?;
        writeln!(f, "  {:<12}{:<10}{:>7}{:>13}", "depth", "move", "value", "leaves")?;
        for (index, search) in depths.iter().enumerate() {
            writeln!(f, "  {:<12}{search}", index + 1)?;
        }
        let Some(ChangeRecord { depth, hidden, instead }) = change else {
            return write!(f, "\nThe move does not change up to depth {}.", depths.len());
        };
        let cells = |search: &SearchRecord| {
            let value = search.value.map_or_else(|| "stopped".into(), |value| value.to_string());
            format!("{value:>6}   {}", search.line)
        };
        let first = |search: &SearchRecord| search.first.clone().unwrap_or_default();
        write!(
            f,
            "\nThe move changes at depth {depth}. At depth {}, the end of this line was beyond the horizon:\n\
             {}\nThe move {} is better now:\n{}",
            depth - 1,
            cells(hidden),
            first(instead),
            cells(instead)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{chess::game::Game, explain::minimax::material::MaterialTree};
    use shakmaty::Chess;

    fn chess(text: &str) -> Chess {
        Game::parse(text, None).unwrap().chess
    }

    /// White can take a pawn that is protected.
    const BAIT: &str = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";

    #[test]
    fn a_lesson_compares_both_searches() {
        let lesson = Lesson::of(&MaterialTree, &chess("startpos"), 2, &mut |_| true);
        assert_eq!((lesson.minimax.leaves, lesson.minimax.value), (400, Some(Value::Number(0.0))));
        assert_eq!(lesson.minimax.line, lesson.alpha_beta.line);
        assert!((lesson.branching - 420.0 / 21.0).abs() < 1e-9);
        assert!((lesson.power - 400.0).abs() < 1e-6);
        let text = lesson.to_string();
        assert!(text.contains("minimax") && text.contains(" % of them\n"), "{text}");
        let json = serde_json::to_value(&lesson).unwrap();
        assert_eq!((&json["minimax"]["leaves"], &json["depth"]), (&400.into(), &2.into()));
    }

    #[test]
    fn a_stopped_search_has_no_move() {
        let lesson = Lesson::of(&MaterialTree, &chess("startpos"), 7, &mut |leaves| leaves < 100);
        assert!(lesson.is_stopped());
        assert_eq!((&lesson.minimax.first, lesson.minimax.leaves), (&None, 1 << 16));
        assert!(lesson.to_string().contains("minimax     stopped"), "{lesson}");
        // alpha-beta needs fewer leaves
        let lesson = Lesson::of(&MaterialTree, &chess("startpos"), 4, &mut |_| false);
        assert!(!lesson.is_stopped() && lesson.minimax.stopped, "{lesson}");
    }

    #[test]
    fn the_horizon_hides_the_recapture() {
        let horizon = Horizon::of(&MaterialTree, &chess(BAIT), 4, &mut |_| true);
        let change = horizon.change.as_ref().unwrap();
        assert_eq!((change.depth, horizon.depths.len()), (2, 2));
        assert_eq!(horizon.depths[0].line, "1.Qxd6");
        assert_eq!(change.hidden.line, "1.Qxd6 cxd6");
        assert_eq!(change.hidden.value, Some(Value::Number(-1.0)));
        assert_eq!(change.instead.value, Some(Value::Number(7.0)));
        assert_ne!(change.instead.first, change.hidden.first);
        let text = horizon.to_string();
        assert!(
            text.contains("changes at depth 2") && text.contains("    -1   1.Qxd6 cxd6"),
            "{text}"
        );
    }

    #[test]
    fn a_move_that_stays_and_a_finished_game_have_no_horizon() {
        let mate = Horizon::of(
            &MaterialTree,
            &chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"),
            3,
            &mut |_| true,
        );
        assert_eq!((mate.depths.len(), mate.change.is_none()), (3, true));
        assert_eq!(mate.depths[2].value, Some(Value::Word("win")));
        let over =
            Horizon::of(&MaterialTree, &chess("7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), 3, &mut |_| true);
        assert_eq!((over.depths.len(), over.depths[0].value), (1, Some(Value::Word("loss"))));
    }

    #[test]
    fn values_have_a_sign_and_at_most_two_decimals() {
        let shown = |value: f64| Value::from(value).to_string();
        assert_eq!([0.0, 3.0, -1.25, 0.1 + 0.2].map(shown), ["0", "+3", "-1.25", "+0.3"]);
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(shown), ["win", "loss"]);
    }
}
