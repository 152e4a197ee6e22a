//! One-sentence comments on the turning points of a game: mistakes and swings of a player's
//! feeling.

use crate::{
    chess_mind::{Appraisal, Goal, Ratios},
    eval::{TermEvaluator, group::Group},
    explain::split::Split,
    mind::appraisal::emotion_word,
    profile::Profile,
    review::{MoveGrade, Review, Reviewed},
    search::quiet_line,
};
use shakmaty::{ByColor, Chess, Move, Position};

/// Minimum change of the intensity between two moves of a player that counts as a swing.
const SWING: f64 = 0.75;
/// Minimum change of a group that is mentioned, in centipawns.
const SLIGHT: f64 = 20.0;
/// Maximum number of groups that are mentioned.
const MOST_GROUPS: usize = 2;

/// Returns the sentence about the move at `ply`, or `None` if the move is not a turning point.
///
/// Full stops occur only in numbers and at the end, see [`super::notes::SIGNATURE`].
pub(super) fn sentence(review: &Review, ply: usize, profile: &Profile) -> Option<String> {
    let now = &review.plies[ply];
    let who = now.mover().fold_wb("White", "Black");
    if let Some(grade) = now.grade.filter(|grade| *grade >= MoveGrade::Mistake) {
        let what = mistake(now, review.plies.get(ply + 1), profile);
        let [before, after] = [now.chance_before, now.chance_after];
        return Some(format!(
            "{} (winning chances {before:.0}% -> {after:.0}%): {what}; {who} felt {}.",
            grade.name(),
            mood(&now.appraisal)
        ));
    }
    let last = &review.plies[ply.checked_sub(2)?];
    let [was, is] = [last, now].map(|reviewed| reviewed.appraisal.intensity);
    ((is - was).abs() >= SWING).then(|| {
        let moved = changes(&last.neutral, &now.neutral);
        let board = if moved.is_empty() {
            String::new()
        } else {
            format!("; since the last move: {moved}")
        };
        format!("{who} swings from {} to {}{board}.", emotion(was), mood(&now.appraisal))
    })
}

/// Describes what a bad move gives away. Unless a mate is missed or allowed, it compares the
/// evaluation terms at the end of the line played with those at the end of the better line.
fn mistake(now: &Reviewed, next: Option<&Reviewed>, profile: &Profile) -> String {
    let better = &now.line[0];
    if let Some(moves) = now.score_before.mate_moves().filter(|moves| *moves > 0) {
        return format!("misses mate in {moves} with {better}");
    }
    if let Some(plies) = now.score_after.mate_distance().filter(|plies| *plies < 0) {
        return format!("allows mate in {}, {better} was better", (1 - plies) / 2);
    }
    let reply = next.map_or(&[][..], |next| &next.line_moves);
    let played = [&[now.m], reply].concat();
    let [better_end, played_end] = [&now.line_moves[..], &played].map(|line| {
        let chess = end(&now.before, line, profile);
        Split::of(profile, &chess, now.mover(), &Ratios::NEUTRAL).by_group()
    });
    let moved = changes(&better_end, &played_end);
    if moved.is_empty() {
        format!("{better} was better")
    } else {
        format!("{better} was better, this line ends with {moved}")
    }
}

/// Returns the quiet position at the end of a line, after all remaining captures.
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

/// Lists the groups that change most for the side that feels, in pawns: "material 2.84 worse, king
/// 0.67 better". The text is empty if no group changes noticeably.
fn changes(from: &[f64; Group::COUNT], to: &[f64; Group::COUNT]) -> String {
    let change = |group| (group, to[group as usize] - from[group as usize]);
    let mut changes: Vec<_> = Group::ALL.into_iter().map(change).collect();
    changes.retain(|(_, change)| change.abs() >= SLIGHT);
    changes.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let text = |(group, change): &(Group, f64)| {
        let word = if *change > 0.0 { "better" } else { "worse" };
        format!("{} {:.2} {word}", group.name(), change.abs() / 100.0)
    };
    changes.iter().take(MOST_GROUPS).map(text).collect::<Vec<_>>().join(", ")
}

/// Describes a feeling: "fear (-0.75) with the goal secure king (own king x1.12)".
fn mood(felt: &Appraisal) -> String {
    let goal = match felt.goal {
        Some(goal) => format!("with the goal {}", words(goal)),
        None => "without a goal".to_owned(),
    };
    let Ratios { own, other } = &felt.ratios;
    let sides = [("own", own), ("other", other)];
    let factors = sides
        .into_iter()
        .flat_map(|(whose, ratios)| Group::ALL.map(|group| (whose, group, ratios[group as usize])));
    let strongest = factors.max_by(|a, b| (a.2 - 1.0).abs().total_cmp(&(b.2 - 1.0).abs()));
    let weight = strongest.filter(|(_, _, ratio)| (ratio - 1.0).abs() >= 0.005).map_or_else(
        || " (no change of weights)".to_owned(),
        |(whose, group, ratio)| format!(" ({whose} {} x{ratio:.2})", group.name()),
    );
    format!("{} {goal}{weight}", emotion(felt.intensity))
}

fn words(goal: Goal) -> String {
    goal.name().replace('_', " ")
}

/// Describes an intensity: "fear (-0.75)".
fn emotion(intensity: f64) -> String {
    let number = format!("{intensity:+.2}");
    let number = if number.ends_with("0.00") { "0.00" } else { &number };
    format!("{} ({number})", emotion_word(intensity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feelings_have_a_word_and_a_number() {
        for (intensity, expected) in [
            (-0.75, "fear (-0.75)"),
            (-0.5, "slight fear (-0.50)"),
            (-0.001, "neutral (0.00)"),
            (0.25, "slight relief (+0.25)"),
            (1.0, "relief (+1.00)"),
        ] {
            assert_eq!(emotion(intensity), expected);
        }
    }

    #[test]
    fn the_groups_that_change_most_are_listed() {
        let from = [0.0; Group::COUNT];
        let mut to = from;
        to[Group::Material as usize] = -284.0;
        to[Group::King as usize] = 67.0;
        to[Group::Space as usize] = 30.0;
        to[Group::Pawns as usize] = 19.0;
        assert_eq!(changes(&from, &to), "material 2.84 worse, king 0.67 better");
        assert_eq!(changes(&to, &to), "");
    }
}
