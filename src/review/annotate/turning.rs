//! Turning points of a game in a sentence: what a mistake gave away, or what turned a feeling.

use crate::{
    eval::{TermEvaluator, group::Group},
    mind::{appraisal::Appraisal, concept::Concept, goal::Goal, relevance::Ratios},
    profile::Profile,
    review::{Contributions, MoveGrade, Review, Reviewed},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Move, Position};

/// A feeling that changes by so much from one move to the next of the same player has turned.
const TURNED: f64 = 0.75;
/// A neutral feeling leans to one side from here on.
const LEANS: f64 = 0.25;
/// Groups that move by less are not worth a word, in centipawns.
const SLIGHT: f64 = 20.0;
/// So many groups are told at most.
const TOLD: usize = 2;

/// The sentence about the move at `ply`, if there is something to tell. Full stops stand only within
/// numbers and at its end.
pub(super) fn sentence(review: &Review, ply: usize, profile: &Profile) -> Option<String> {
    let now = &review.plies[ply];
    if let Some(grade) = now.grade.filter(|grade| *grade >= MoveGrade::Mistake) {
        let what = mistake(now, review.plies.get(ply + 1), profile);
        let [before, after] = [now.chance_before, now.chance_after];
        return Some(format!(
            "{} (chance to win from {before:.0} to {after:.0} %), {what}, played {}.",
            grade.name(),
            mood(&now.appraisal)
        ));
    }
    let last = &review.plies[ply.checked_sub(2)?];
    let [was, is] = [last, now].map(|reviewed| reviewed.appraisal.intensity);
    ((is - was).abs() >= TURNED).then(|| {
        let who = now.mover().fold_wb("White", "Black");
        let moved = changes(&last.neutral, &now.neutral);
        let board = if moved.is_empty() { String::new() } else { format!(" ({moved})") };
        format!(
            "{who} comes from {} to this move{board}, and makes it {}.",
            emotion(was),
            mood(&now.appraisal)
        )
    })
}

/// What a bad move gives away: by the terms at the end of its line against those at the end of the
/// line that would have been better, if neither is a mate.
fn mistake(now: &Reviewed, next: Option<&Reviewed>, profile: &Profile) -> String {
    let better = &now.line[0];
    if let Some(moves) = now.score_before.mate_moves().filter(|moves| *moves > 0) {
        return format!("misses mate in {moves} by {better}");
    }
    if let Some(plies) = now.score_after.mate_distance().filter(|plies| *plies < 0) {
        return format!("allows mate in {}, which {better} does not", (1 - plies) / 2);
    }
    let reply = next.map_or(&[][..], |next| &next.line_moves);
    let played = [&[now.m], reply].concat();
    let [better_end, played_end] = [&now.line_moves[..], &played].map(|line| {
        let chess = end(&now.before, line, profile);
        Contributions::of(profile, &chess, now.mover(), &Ratios::NEUTRAL)
    });
    let moved = changes(&better_end, &played_end);
    if moved.is_empty() {
        format!("worse than {better}, though no group of terms shows why")
    } else {
        format!("worse than {better}: in the end {moved}")
    }
}

/// Where a line ends, and the captures that are left.
fn end(start: &Chess, line: &[Move], profile: &Profile) -> Chess {
    let mut chess = start.clone();
    for m in line {
        chess.play_unchecked(*m);
    }
    let weights = ByColor::new_with(|_| profile.weights.clone());
    for m in quiet_line(chess.clone(), &mut TermEvaluator::new(weights)) {
        chess.play_unchecked(m);
    }
    chess
}

/// The groups that move most for the side that feels, in pawns: "material 2.84 worse, king 0.67
/// better"; empty if none moves.
fn changes(from: &Contributions, to: &Contributions) -> String {
    let change = |group| (group, to.balance(group) - from.balance(group));
    let mut changes: Vec<_> = Group::ALL.into_iter().map(change).collect();
    changes.retain(|(_, change)| change.abs() >= SLIGHT);
    changes.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let told = |(group, change): &(Group, f64)| {
        let word = if *change > 0.0 { "better" } else { "worse" };
        format!("{} {:.2} {word}", group.name(), change.abs() / 100.0)
    };
    changes.iter().take(TOLD).map(told).collect::<Vec<_>>().join(", ")
}

/// "in fear (-0.31) with the goal secure king, which weighs own king by 1.12".
fn mood(felt: &Appraisal) -> String {
    let goal = match felt.goal {
        Some(goal) => format!("with the goal {}", words(goal)),
        None => "without a goal".to_owned(),
    };
    let Ratios { own, other } = &felt.ratios;
    let sides = [("own", own), ("the other's", other)];
    let factors = sides
        .into_iter()
        .flat_map(|(whose, ratios)| Group::ALL.map(|group| (whose, group, ratios[group as usize])));
    let strongest = factors.max_by(|a, b| (a.2 - 1.0).abs().total_cmp(&(b.2 - 1.0).abs()));
    let weight = strongest.filter(|(_, _, ratio)| (ratio - 1.0).abs() >= 0.005).map_or_else(
        || ", which changes no weight".to_owned(),
        |(whose, group, ratio)| format!(", which weighs {whose} {} by {ratio:.2}", group.name()),
    );
    format!("in {} {goal}{weight}", emotion(felt.intensity))
}

fn words(goal: Goal) -> String {
    goal.name().replace('_', " ")
}

/// "fear (-0.31)".
fn emotion(intensity: f64) -> String {
    let number = format!("{intensity:+.2}");
    let number = if number.ends_with("0.00") { "0.00" } else { &number };
    let label = match Concept::Relief.label(intensity) {
        "neutral" if intensity >= LEANS => "a lean to relief",
        "neutral" if intensity <= -LEANS => "a lean to fear",
        "neutral" => "calm",
        label => label,
    };
    format!("{label} ({number})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feelings_have_a_word_and_a_number() {
        for (intensity, expected) in [
            (-0.75, "fear (-0.75)"),
            (-0.5, "a lean to fear (-0.50)"),
            (-0.001, "calm (0.00)"),
            (0.25, "a lean to relief (+0.25)"),
            (1.0, "relief (+1.00)"),
        ] {
            assert_eq!(emotion(intensity), expected);
        }
    }

    #[test]
    fn the_groups_that_move_most_are_told() {
        let mut to = Contributions::default();
        to.own[Group::Material as usize] = -284.0;
        to.other[Group::King as usize] = -67.0;
        to.own[Group::Space as usize] = 30.0;
        to.own[Group::Pawns as usize] = 19.0;
        let from = Contributions::default();
        assert_eq!(changes(&from, &to), "material 2.84 worse, king 0.67 better");
        assert_eq!(changes(&to, &to), "");
    }
}
