//! Recomputes the numbers of the article and compares them with the printed ones.
//!
//! [`article`] holds the printed numbers, [`run`] recomputes them, and [`report`] shows both. The
//! engine does not use this code in play. It verifies that the code with the profile `paper2012`
//! implements the article's model.

pub mod article;
mod example;
pub mod report;

use crate::{
    chess_mind::{Mind, relevance},
    eval::measures::piece_value,
    mind::{
        concept::{Activations, Concept},
        fcm::{Rule, Squash},
        starts,
    },
};
use report::{Origin, PaperReport, PaperRow, PaperTable};
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

/// Recomputes every table and equation with `mind`, normally the mind of `paper2012`.
#[must_use]
pub fn run(mind: &Mind) -> PaperReport {
    use Origin::{Derived, Printed};
    let table = |name, origin, rows| PaperTable { name, origin, rows };
    PaperReport {
        tables: vec![
            table("Table 2: the map", Printed, links(mind)),
            table("Table 3: the ranges of the measures", Printed, ranges()),
            table("Table 4: the leaves without emotion", Printed, example::plain_leaves(mind)),
            table("Table 5: the map settles", Printed, settling(mind)),
            table(
                "Eq. 11: the factors of escape check",
                Printed,
                example::factors(mind, article::FACTORS, 2),
            ),
            table("Eq. 11, to six decimals", Derived, example::factors(mind, DERIVED_FACTORS, 6)),
            table("Table 6: the leaves under eq. 7", Printed, example::felt_leaves(mind)),
            table("Table 6: parts added without rounding", Printed, example::added_parts(mind)),
            table("The chosen move", Printed, example::choices(mind)),
            table("Intensities where choice and sign change", Derived, example::turns(mind)),
            table("The map with no concept held", Derived, free_map(mind)),
            table("The map with the board concepts held", Derived, held_map(mind)),
        ],
        notes: NOTES.to_vec(),
    }
}

/// The limits of the comparison, printed at the end of each report.
const NOTES: [&str; 12] = [
    "The text gives the input IndROp = -1, and table 2 links Mov to IndROp with 0.25. Table 5 is \
     only reproduced with IndROp at 0 throughout, so it is held at 0 here.",
    "Table 5 is compared at t = 1 to 5, 10, 15, 20 and 25. The other rows are computed, but the \
     project has no copy of the printed values.",
    "Table 6 has 55 cells. The eleven totals and the four parts of leaf 1 are compared. The other \
     40 parts are checked by their sum: each row must add up to its printed total.",
    "The drawing of the tree is lost. The tree used here, Kh8 {1,2}{3,4}; Kf8 {5,6}{7,8}; Kh7 \
     {9,10}{11}, agrees with every statement of the text. The intensity at which the chosen move \
     changes depends on it.",
    "Figures 4, 6 and 7 and the board of the test position are not available. The measures of the \
     leaves are taken as printed, not computed from a board.",
    "The article prints the opponent's king safety in the last column of the leaves. Its negative, \
     IndROp, is used here.",
    "Tropism is read as 14 - (a + b)/2, not (14 - (a + b))/2, because this reading is known to \
     reproduce the article's numbers. Without the test board this report cannot show it.",
    "The range of SegR, -115.5 to 64, does not follow from eqs. 4 and 5 as read here: a pawn \
     shield of three files reaches 36. The range is taken as printed.",
    "The article describes the measures only briefly. Here an open file has no pawns of either \
     colour. Each bishop and each rook that aims at the king counts, the bishop also through other \
     pieces. Mobility counts target squares of moves that may leave the king in check, without \
     castling, with a promotion as one square.",
    "The article gives no thresholds for the conditions of figure 3. The labels of table 1 are \
     used; facts such as \"conditions to mate\" are defined by this project.",
    "The article gives relevance factors for escape check only. Those of the other eleven goals \
     are defined by this project.",
    "With the printed factors, material counts against its owner under fear beyond -0.7392. Under \
     relief, mobility and king safety do so almost at once. No bound is applied here.",
];

/// The factors of eq. 11 with more decimals than the article prints.
const DERIVED_FACTORS: [f64; 4] = [1.352_796, -25.618_352, -39.857_541, -2.011_938];

/// Compares the links, the squashing function and the update rule.
fn links(mind: &Mind) -> Vec<PaperRow> {
    let mut rows = Vec::new();
    for from in Concept::ALL {
        for to in Concept::ALL {
            let ours = mind.map.influence[(to as usize, from as usize)];
            let printed = article::LINKS[from as usize][to as usize];
            if ours != 0.0 || printed != 0.0 {
                let what = format!("{} to {}", from.symbol(), to.symbol());
                rows.push(PaperRow::number(what, ours, printed, 6));
            }
        }
    }
    let (function, slope) = match mind.map.squash {
        Squash::BipolarLogistic { slope } => ("bipolar", slope),
        Squash::Tanh { slope } => ("tanh", slope),
        Squash::Logistic { slope } => ("logistic", slope),
        Squash::Saturation => ("saturation", f64::NAN),
        Squash::Bivalent => ("bivalent", f64::NAN),
        Squash::Trivalent => ("trivalent", f64::NAN),
    };
    let rule = match mind.map.rule {
        Rule::Kosko => "kosko",
        Rule::ModifiedKosko => "modified kosko",
        Rule::Rescaled => "rescaled",
    };
    rows.push(PaperRow::word("squashing function", function, "bipolar"));
    rows.push(PaperRow::number("slope of the squashing function", slope, article::SLOPE, 6));
    rows.push(PaperRow::word("update rule", rule, "kosko"));
    rows
}

/// Compares the range sizes used by eq. 11, and those that follow from the rules of chess.
fn ranges() -> Vec<PaperRow> {
    let army: i32 = ARMY.iter().map(|&(role, number)| number * piece_value(role)).sum();
    let squares: i32 = ARMY.iter().map(|&(role, number)| number * most_squares(role)).sum();
    let mut rows = vec![
        PaperRow::number("BM, one side's pieces", f64::from(army), article::RANGES[0].2, 1),
        PaperRow::number(
            "Mov, one side's pieces on free squares",
            f64::from(squares),
            article::RANGES[1].2,
            1,
        ),
    ];
    for (ours, (symbol, low, high, size)) in relevance::RANGES.into_iter().zip(article::RANGES) {
        rows.push(PaperRow::number(format!("{symbol}, size"), ours, size, 1));
        rows.push(PaperRow::number(format!("{symbol}, end minus start"), ours, high - low, 1));
    }
    rows.push(PaperRow::number(
        "sum of all four",
        relevance::RANGES.iter().sum(),
        article::TOTAL_RANGE,
        1,
    ));
    rows
}

/// The pieces of one side at the start of a game.
const ARMY: [(Role, i32); 6] = [
    (Role::Queen, 1),
    (Role::Rook, 2),
    (Role::Bishop, 2),
    (Role::Knight, 2),
    (Role::King, 1),
    (Role::Pawn, 8),
];

/// Returns the maximum mobility of one piece. A pawn has two steps and two captures.
fn most_squares(role: Role) -> i32 {
    let reach = |from| match role {
        Role::Pawn => 4,
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
            let piece = Piece { color: Color::White, role };
            attacks::attacks(from, piece, Bitboard::EMPTY).count() as i32
        }
    };
    Square::ALL.into_iter().map(reach).max().unwrap_or(0)
}

/// Recomputes table 5 step by step, without the step limit and tolerance of the mind.
fn settling(mind: &Mind) -> Vec<PaperRow> {
    let (mut now, held) = mind.entry(&Activations::from(article::START));
    let mut rows: Vec<_> = Concept::ALL
        .into_iter()
        .map(|c| {
            let i = c as usize;
            PaperRow::number(format!("t = 0, {}", c.symbol()), now[i], article::START[i], 6)
        })
        .collect();
    let mut settled_at = 0;
    for time in 1..=2 * article::SETTLED_AT {
        let next = mind.map.step(&now, &held);
        if settled_at == 0 && (next - now).amax() < article::SETTLED_BELOW {
            settled_at = time;
        }
        now = next;
        if let Some((_, printed)) = article::RUN.iter().find(|(t, _)| *t == time) {
            rows.extend(Concept::ALL.into_iter().map(|c| {
                let i = c as usize;
                PaperRow::number(format!("t = {time}, {}", c.symbol()), now[i], printed[i], 6)
            }));
        }
    }
    let what = "first row with a change below 1e-6";
    rows.push(PaperRow::number(what, f64::from(settled_at), f64::from(article::SETTLED_AT), 0));
    rows
}

/// Checks that a free map loses gradation: it always ends in one of five states.
fn free_map(mind: &Mind) -> Vec<PaperRow> {
    let end = |start: &Activations| {
        mind.map.relax(start, &[false; Concept::COUNT]).0[Concept::Relief as usize]
    };
    let from = |concept: Concept, value: f64| {
        let mut start = Activations::zeros();
        start[concept as usize] = value;
        end(&start)
    };
    let (mut ends, mut against) = (Vec::<f64>::new(), 0);
    for start in starts(2) {
        let relief = end(&start);
        if ends.iter().all(|known| (known - relief).abs() > 1e-3) {
            ends.push(relief);
        }
        let lead = 0.5 * start[Concept::Mobility as usize] + start[Concept::Material as usize];
        against += i32::from(lead != 0.0 && lead.signum() != relief.signum());
    }
    vec![
        PaperRow::number("end states from 625 starts", f64::from(ends.len() as u32), 5.0, 0),
        PaperRow::number("of these, against the sign of Mov/2 + BM", f64::from(against), 0.0, 0),
        PaperRow::number("Aliv from Mov = 1", from(Concept::Mobility, 1.0), 0.999_381, 6),
        PaperRow::number("Aliv from Mov = -1", from(Concept::Mobility, -1.0), -0.999_381, 6),
        PaperRow::number("Aliv from SegR = 1 alone", from(Concept::Safety, 1.0), 0.8325, 4),
        PaperRow::number("Aliv from SegR = -1 alone", from(Concept::Safety, -1.0), -0.8325, 4),
        PaperRow::number("Aliv from all zeros", end(&Activations::zeros()), 0.0, 6),
    ]
}

/// Checks that the map keeps gradation if its board concepts are held.
///
/// Profiles for play hold them. `standard` also has a gentler slope.
fn held_map(mind: &Mind) -> Vec<PaperRow> {
    let held = Concept::ALL.map(Concept::is_perceived);
    [(-0.25, -0.465), (-0.5, -0.729), (-1.0, -0.898)]
        .into_iter()
        .map(|(safety, expected)| {
            let mut start = Activations::zeros();
            start[Concept::Safety as usize] = safety;
            let relief = mind.map.relax(&start, &held).0[Concept::Relief as usize];
            PaperRow::number(format!("Aliv from SegR = {safety} alone"), relief, expected, 3)
        })
        .collect()
}
