//! Recomputes the numbers of the article with a mind built by hand, and compares them.

use crate::minds::{held_mind, paper_mind};
use deepfeeling::{
    chess_mind::{Goal, GoalRelevance, Mind},
    lab::paper::{self, report::Origin},
};

#[test]
fn all_numbers_of_the_article_are_reproduced() {
    let report = paper::run(&paper_mind());
    let differing: Vec<_> = report
        .tables
        .iter()
        .flat_map(|table| table.rows.iter().map(move |row| (table.name, row)))
        .filter(|(_, row)| !row.ok())
        .map(|(table, row)| format!("{table}: {row}"))
        .collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
    assert!(report.ok());
}

#[test]
fn all_printed_numbers_are_checked() {
    let report = paper::run(&paper_mind());
    let rows = |name: &str| {
        let found = report.tables.iter().find(|table| table.name.starts_with(name));
        found.map_or(0, |table| table.rows.len())
    };
    // table 2: the links other than 0, then function, slope and rule
    assert_eq!(rows("Table 2"), 20 + 3);
    assert_eq!(rows("Table 3"), 2 + 8 + 1);
    assert_eq!(rows("Table 4"), 11);
    // table 5: ten rows of seven values, and the fixed point
    assert_eq!(rows("Table 5"), 10 * 7 + 1);
    assert_eq!(rows("Eq. 11"), 4);
    assert_eq!(rows("Table 6: the leaves"), 4 + 11);
    assert_eq!(rows("Table 6: parts"), 11);
    assert!(report.tables.iter().any(|table| table.origin == Origin::Derived));
}

#[test]
fn deviations_are_within_rounding() {
    for table in paper::run(&paper_mind()).tables {
        for row in table.rows {
            assert!(row.deviation() <= row.tolerance(), "{}: {row}", table.name);
        }
    }
}

#[test]
fn a_different_mind_fails_the_check() {
    let mut slope = paper_mind();
    slope.map.squash = deepfeeling::mind::fcm::Squash::BipolarLogistic { slope: 4.99 };
    let mut held = paper_mind();
    held.held[deepfeeling::mind::concept::Concept::Mobility as usize] = true;
    let mut share = paper_mind();
    share.relevance.goals[Goal::EscapeCheck as usize] =
        GoalRelevance::Shares { share: [0.05, 0.31, 0.59, 0.05], at: -0.7 };
    let bounded = Mind {
        relevance: deepfeeling::chess_mind::RelevanceTable {
            floor: Some(0.25),
            ..paper_mind().relevance
        },
        ..paper_mind()
    };
    for wrong in [slope, held, share, bounded, held_mind()] {
        assert!(!paper::run(&wrong).ok());
    }
}

#[test]
fn the_report_lists_what_the_article_leaves_open() {
    let text = paper::run(&paper_mind()).to_string();
    for part in
        ["IndROp = -1", "drawing of the tree is lost", "no thresholds", "other eleven goals"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("largest deviation"));
}
