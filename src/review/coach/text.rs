//! Formats what a player can learn as text, as printed by `deepfeeling coach`.

use super::{
    lesson::{Example, LESSONS, Lesson},
    report::{CoachRecord, ENOUGH_MOVES, KindRecord, MindRecord, NextRecord, RaisingCue},
};
use std::fmt;

/// The largest number of goals with a line of their own.
const GOALS: usize = 3;

impl fmt::Display for CoachRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, games, moves, rating, .. } = self;
        writeln!(f, "{player}, rated {rating}: {games} games, {moves} moves after the opening\n")?;
        if !self.is_enough {
            writeln!(
                f,
                "Fewer than {ENOUGH_MOVES} moves: too few to compare this player with others.\n"
            )?;
        }
        self.errors(f)?;
        self.feelings(f)?;
        self.mind(f)?;
        self.next(f)?;
        self.lessons(f)
    }
}

impl CoachRecord {
    fn errors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { errors, rating, expected_errors, .. } = self;
        writeln!(f, "Errors: {errors} moves lost at least 15 points of winning chance.")?;
        writeln!(
            f,
            "In these positions, {expected_errors:.1} are expected of people rated {rating} (FICS blitz).\n"
        )?;
        if self.kinds.is_empty() {
            return Ok(());
        }
        writeln!(f, "  {:<34}{:>5}{:>10}", "kind", "you", "expected")?;
        for KindRecord { title, errors, expected, compared, .. } in &self.kinds {
            let compared = compared.map_or(String::new(), |word| format!("  {word} than others"));
            writeln!(f, "  {title:<34}{errors:>5}{expected:>10.1}{compared}")?;
        }
        if self.is_enough {
            writeln!(
                f,
                "\"more\" and \"fewer\" are beyond noise (95 %). The other differences may be chance."
            )?;
        }
        writeln!(f)
    }

    fn feelings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { errors, moves, felt, .. } = self;
        if *errors == 0 {
            return Ok(());
        }
        writeln!(f, "Feelings and goals, as the map of the engine has them")?;
        for (emotion, [all, bad]) in [("Fear", felt.fear), ("Relief", felt.relief)] {
            writeln!(f, "  {emotion}: {bad} of {errors} errors, {all} of {moves} moves")?;
        }
        for row in felt.goals.iter().take(GOALS) {
            let (bad, all, goal) = (row.errors, row.moves, row.goal.replace('_', " "));
            writeln!(
                f,
                "  Goal {goal}: {bad} of {errors} errors, {all} of {moves} moves. {}",
                row.description
            )?;
        }
        writeln!(
            f,
            "  In {} of {errors} errors, the best move concerned the goal and the move played did not.",
            felt.goal_missed
        )?;
        writeln!(
            f,
            "  These are counts, not causes: docs/study.md found no link between feelings and errors.\n"
        )
    }

    fn mind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MindRecord { positions, among: [first, third, fifth], outside, played, expected } =
            &self.mind;
        if *positions == 0 {
            return Ok(());
        }
        writeln!(f, "What comes to mind: {positions} positions had one clearly best move.")?;
        writeln!(
            f,
            "  For people rated {}, it was the likeliest move in {first}, among the first three in {third},\n  \
             among the first five in {fifth}, and not in mind in {outside}.",
            self.rating
        )?;
        writeln!(f, "  You played it {played} times, and {expected:.1} times are expected.\n")
    }

    fn next(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(NextRecord { rating, positions, chances: [now, later], cues }) = &self.next else {
            if self.is_enough {
                writeln!(f, "Next to learn: the model of human play knows no stronger player.\n")?;
            }
            return Ok(());
        };
        writeln!(f, "Next to learn: what players rated {rating} consider")?;
        writeln!(
            f,
            "  In {positions} positions where you lost 5 points or more, they play the best move in {later:.0} %,\n  \
             and players of your rating in {now:.0} %. What makes the difference:"
        )?;
        for RaisingCue { meaning, share, examples, .. } in cues {
            writeln!(f, "  {share:.0} %: {meaning}")?;
            examples.iter().try_for_each(|example| writeln!(f, "     {example}"))?;
        }
        writeln!(f)
    }

    fn lessons(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lessons")?;
        for (index, lesson) in self.lessons.iter().enumerate() {
            write!(f, "\n{}. {lesson}", index + 1)?;
        }
        if self.lessons.len() < LESSONS {
            let found = self.lessons.len();
            write!(
                f,
                "\nThe games have confirmed errors of {found} kinds, so there are {found} lessons instead of {LESSONS}."
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Lesson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, advice, errors, lost_per_game, examples, .. } = self;
        let times = if *errors == 1 { "once".into() } else { format!("{errors} times") };
        write!(
            f,
            "{title}: {times}, {lost_per_game:.1} points of winning chance per game.\n   {advice}"
        )?;
        examples.iter().try_for_each(|example| write!(f, "\n     {example}"))
    }
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { game, number, fen, played, better, reply, lost, goal, feeling } = self;
        write!(f, "game {game}, {number} {played}")?;
        if let Some(reply) = reply {
            write!(f, " (then {reply})")?;
        }
        let goal = goal.unwrap_or("none").replace('_', " ");
        write!(f, " lost {lost:.0} points, better {better}; goal {goal}, {feeling}\n       {fen}")
    }
}
