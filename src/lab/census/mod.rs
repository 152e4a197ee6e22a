//! Counts how a profile's mind appraises the positions of real games.
//!
//! The census counts how often each goal is pursued, how often each label occurs, and how strong
//! emotions are. It shows where to place the ranges of a profile.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod report;
mod spread;

use crate::{
    chess_mind::{Appraisal, Goal, Mind},
    eval::measures::QUARTERS,
    mind::concept::Concept,
    pgn::{FIRST_PLY, GameStage, PlayedGame, is_sampled},
};
use shakmaty::{Chess, Position};
use spread::Spread;

/// The number of intensity bins from 0 to 1 for a mind that does not round intensities.
const BINS: u16 = 10;
/// Activations are counted in steps of 1/1000.
const FINENESS: f64 = 1000.0;

/// The counts over the positions of any number of games.
#[derive(Clone, Debug)]
pub struct Census {
    steps: u16,
    pub games: u64,
    /// Positions appraised, by game stage.
    pub positions: [u64; GameStage::ALL.len()],
    /// Positions by goal and by game stage. The last row counts positions without a goal.
    goals: [[u64; GameStage::ALL.len()]; Goal::COUNT + 1],
    /// The sum of intensities per goal. The last entry is for positions without a goal.
    felt: [f64; Goal::COUNT + 1],
    /// Activations in thousandths: perceived for concepts that the board activates, settled for
    /// others.
    concepts: [Spread; Concept::COUNT],
    /// How often each label of the article's table 1 applies.
    labels: [Vec<u64>; Concept::COUNT],
    /// The four measures in quarter points, by game stage.
    measures: [[Spread; 4]; GameStage::ALL.len()],
    /// Intensities, in steps of 1/`steps`.
    intensities: Spread,
    changes: Changes,
}

/// Counts of changes between the appraisals of one side at two consecutive own moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    pairs: u64,
    goal: u64,
    intensity: u64,
    either: u64,
}

/// The goal and intensity of an appraisal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct GoalIntensity {
    goal: Option<Goal>,
    /// In steps of 1/`steps`.
    intensity: i32,
}

impl Census {
    /// Creates an empty census. `mind` determines the steps of intensity.
    #[must_use]
    pub fn new(mind: &Mind) -> Self {
        Self {
            steps: mind.steps.unwrap_or(BINS),
            games: 0,
            positions: Default::default(),
            goals: Default::default(),
            felt: Default::default(),
            concepts: Default::default(),
            labels: Concept::ALL.map(|concept| vec![0; concept.labels().len()]),
            measures: Default::default(),
            intensities: Spread::default(),
            changes: Changes::default(),
        }
    }

    /// Appraises the positions of `game` from [`FIRST_PLY`] on, for the side to move and without
    /// inertia.
    ///
    /// One of every `every` moves is sampled, with both of its positions. Each appraisal is compared
    /// with the next appraisal of the same side.
    pub fn add(&mut self, mind: &Mind, game: &PlayedGame, every: usize) {
        self.games += 1;
        let mut last = [GoalIntensity::default(); 2];
        for (ply, (chess, _)) in game.walk().enumerate().skip(FIRST_PLY) {
            let counts = |ply| is_sampled(ply, game.number, every);
            let follows = ply >= FIRST_PLY + 2 && counts(ply - 2);
            if !follows && !counts(ply) {
                continue;
            }
            let appraisal = mind.appraise(&chess, chess.turn(), 100, None);
            let feeling = self.feeling(&appraisal);
            if follows {
                self.changes.add(last[ply % 2], feeling);
            }
            last[ply % 2] = feeling;
            if counts(ply) {
                self.count(&chess, &appraisal, feeling);
            }
        }
    }

    fn feeling(&self, appraisal: &Appraisal) -> GoalIntensity {
        let intensity = (appraisal.intensity * f64::from(self.steps)).round() as i32;
        GoalIntensity { goal: appraisal.goal, intensity }
    }

    fn count(&mut self, chess: &Chess, appraisal: &Appraisal, feeling: GoalIntensity) {
        let stage = GameStage::of(chess.board()) as usize;
        self.positions[stage] += 1;
        let goal = appraisal.goal.map_or(Goal::COUNT, |goal| goal as usize);
        self.goals[goal][stage] += 1;
        self.felt[goal] += appraisal.intensity;
        self.intensities.add(feeling.intensity);
        for concept in Concept::ALL {
            let settled =
                if concept.is_perceived() { &appraisal.perceived } else { &appraisal.settled };
            let value = settled[concept as usize];
            self.concepts[concept as usize].add((value * FINENESS).round() as i32);
            self.labels[concept as usize][concept.label_of(value)] += 1;
        }
        for (spread, quarters) in self.measures[stage].iter_mut().zip(appraisal.measures.in_order())
        {
            spread.add(quarters);
        }
    }

    /// Adds the counts of another census of the same mind.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        add_all(&mut self.positions, &other.positions);
        for (mine, theirs) in self.goals.iter_mut().zip(&other.goals) {
            add_all(mine, theirs);
        }
        for (mine, theirs) in self.felt.iter_mut().zip(&other.felt) {
            *mine += theirs;
        }
        for (mine, theirs) in self.labels.iter_mut().zip(&other.labels) {
            add_all(mine, theirs);
        }
        let mine = self.measures.iter_mut().flatten().chain(&mut self.concepts);
        let theirs = other.measures.iter().flatten().chain(&other.concepts);
        for (mine, theirs) in mine.zip(theirs) {
            mine.merge(theirs);
        }
        self.intensities.merge(&other.intensities);
        self.changes.merge(other.changes);
    }

    /// Returns the number of positions appraised.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.positions.iter().sum()
    }
}

impl Changes {
    fn add(&mut self, before: GoalIntensity, now: GoalIntensity) {
        let goal = before.goal != now.goal;
        let intensity = before.intensity != now.intensity;
        self.pairs += 1;
        self.goal += u64::from(goal);
        self.intensity += u64::from(intensity);
        self.either += u64::from(goal || intensity);
    }

    fn merge(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.goal += other.goal;
        self.intensity += other.intensity;
        self.either += other.either;
    }
}

fn add_all(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pgn::Games, profile::Profile};

    /// Kings walk while White is a queen up: 12 plies, of which 4 are counted.
    const KINGS: &str = "[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\"]\n\n1. Kf1 Ke7 2. Ke1 Ke8 3. Kf1 Ke7 \
                         4. Ke1 Ke8 5. Kf1 Ke7 6. Qe1+ Kf8 *\n";

    fn census(text: &str, every: usize) -> Census {
        let mind = Profile::builtin("standard").unwrap().mind;
        let mut census = Census::new(&mind);
        for game in Games::of(Box::new(std::io::Cursor::new(text.to_owned()))) {
            census.add(&mind, &game.unwrap(), every);
        }
        census
    }

    #[test]
    fn every_position_is_counted_once_in_each_table() {
        let census = census(KINGS, 1);
        assert_eq!((census.games, census.total(), census.changes.pairs), (1, 4, 2));
        assert_eq!(census.positions, [0, 0, 4]);
        assert_eq!(census.goals.iter().flatten().sum::<u64>(), 4);
        assert_eq!(census.goals[Goal::EscapeCheck as usize], [0, 0, 1]);
        for concept in Concept::ALL {
            assert_eq!(census.labels[concept as usize].iter().sum::<u64>(), 4, "{concept:?}");
        }
        // one side is a queen up, the other a queen down
        assert_eq!(census.labels[Concept::Material as usize], [2, 0, 2]);
        let steps = i32::from(census.steps);
        let felt: u64 = (-steps..=steps).map(|step| census.intensities.count(step)).sum();
        assert_eq!(felt, 4);
    }

    #[test]
    fn sampling_keeps_both_sides_and_compares_each_with_its_next_move() {
        // the first game samples its last move, which has no next one; the second an earlier move
        let first = census(KINGS, 2);
        assert_eq!((first.total(), first.changes.pairs), (2, 0));
        let both = census(&KINGS.repeat(2), 2);
        assert_eq!((both.total(), both.changes), (4, census(KINGS, 1).changes));
        assert_eq!(both.labels[Concept::Material as usize], [2, 0, 2]);
    }

    #[test]
    fn merging_two_halves_equals_counting_all_games() {
        let other = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O *\n";
        let mut merged = census(KINGS, 1);
        merged.merge(&census(other, 1));
        let whole = census(&format!("{KINGS}\n{other}"), 1);
        assert_eq!(merged.record(), whole.record());
        assert_eq!(merged.to_string(), whole.to_string());
        assert_eq!(whole.positions, [6, 0, 4]);
    }
}
