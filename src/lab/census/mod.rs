//! What a mind makes of the positions of real games: how often each goal is pursued, each label
//! occurs, and how strong feelings are. The ranges of a profile are placed by this.
#![allow(clippy::cast_precision_loss, reason = "counts are far within what floats hold")]

mod report;
mod spread;

use crate::{
    eval::measures::QUARTERS,
    mind::{Mind, appraisal::Appraisal, concept::Concept, goal::Goal},
    pgn::{FIRST_PLY, PlayedGame, Stage, is_sampled},
};
use shakmaty::{Chess, Position};
use spread::Spread;

/// Bins of intensity from 0 to 1 for a mind that does not round it.
const BINS: u16 = 10;
/// Activations are counted in steps of a thousandth.
const FINENESS: f64 = 1000.0;

/// What is counted, from the positions of any number of games.
#[derive(Clone, Debug)]
pub struct Census {
    steps: u16,
    pub games: u64,
    /// Positions appraised, by stage of the game.
    pub positions: [u64; Stage::ALL.len()],
    /// By goal, the last for none, and by stage.
    goals: [[u64; Stage::ALL.len()]; Goal::COUNT + 1],
    /// Sum of the intensities under each goal, the last for none.
    felt: [f64; Goal::COUNT + 1],
    /// Activations in thousandths: perceived where the board raises a concept, else settled.
    concepts: [Spread; Concept::COUNT],
    /// How often each label of table 1 holds.
    labels: [Vec<u64>; Concept::COUNT],
    /// The four measures in quarter points, by stage.
    measures: [[Spread; 4]; Stage::ALL.len()],
    /// Intensities in steps.
    intensities: Spread,
    changes: Changes,
}

/// What changed between two appraisals of one side, a move apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    pairs: u64,
    goal: u64,
    intensity: u64,
    either: u64,
}

/// What is compared between appraisals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mood {
    goal: Option<Goal>,
    /// In steps.
    intensity: i32,
}

impl Census {
    /// Nothing counted yet; `mind` tells by which steps intensity is.
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

    /// Appraises every position of `game` from [`FIRST_PLY`] on in which a move was played, or the
    /// two of one move of `every`, for the side to move and without inertia. Each of these is
    /// compared with what the same side feels at its next move.
    pub fn add(&mut self, mind: &Mind, game: &PlayedGame, every: usize) {
        self.games += 1;
        let mut last = [Mood::default(); 2];
        for (ply, (chess, _)) in game.walk().enumerate().skip(FIRST_PLY) {
            let counts = |ply| is_sampled(ply, game.number, every);
            let follows = ply >= FIRST_PLY + 2 && counts(ply - 2);
            if !follows && !counts(ply) {
                continue;
            }
            let appraisal = mind.appraise(&chess, chess.turn(), 100, None);
            let mood = self.mood(&appraisal);
            if follows {
                self.changes.add(last[ply % 2], mood);
            }
            last[ply % 2] = mood;
            if counts(ply) {
                self.count(&chess, &appraisal, mood);
            }
        }
    }

    fn mood(&self, appraisal: &Appraisal) -> Mood {
        let intensity = (appraisal.intensity * f64::from(self.steps)).round() as i32;
        Mood { goal: appraisal.goal, intensity }
    }

    fn count(&mut self, chess: &Chess, appraisal: &Appraisal, mood: Mood) {
        let stage = Stage::of(chess.board()) as usize;
        self.positions[stage] += 1;
        let goal = appraisal.goal.map_or(Goal::COUNT, |goal| goal as usize);
        self.goals[goal][stage] += 1;
        self.felt[goal] += appraisal.intensity;
        self.intensities.add(mood.intensity);
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

    /// Adds what another census of the same mind has counted.
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

    /// Positions appraised.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.positions.iter().sum()
    }
}

impl Changes {
    fn add(&mut self, before: Mood, now: Mood) {
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

    /// Kings walk while White has a queen more: 12 plies, of which 4 are counted.
    const KINGS: &str = "[FEN \"4k3/8/8/8/8/8/8/3QK3 w - - 0 1\"]\n\n1. Kf1 Ke7 2. Ke1 Ke8 3. Kf1 Ke7 \
                         4. Ke1 Ke8 5. Kf1 Ke7 6. Qe1+ Kf8 *\n";

    fn census(text: &str, every: usize) -> Census {
        let mind = Profile::builtin("default").unwrap().mind;
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
        // a queen more for one, less for the other
        assert_eq!(census.labels[Concept::Material as usize], [2, 0, 2]);
        let steps = i32::from(census.steps);
        let felt: u64 = (-steps..=steps).map(|step| census.intensities.count(step)).sum();
        assert_eq!(felt, 4);
    }

    #[test]
    fn thinned_out_both_sides_are_counted_and_compared_with_their_next_move() {
        // of the first game the later move is taken, which has no next one, of the second the earlier
        let first = census(KINGS, 2);
        assert_eq!((first.total(), first.changes.pairs), (2, 0));
        let both = census(&KINGS.repeat(2), 2);
        assert_eq!((both.total(), both.changes), (4, census(KINGS, 1).changes));
        assert_eq!(both.labels[Concept::Material as usize], [2, 0, 2]);
    }

    #[test]
    fn halves_merged_are_the_whole() {
        let other = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 O-O *\n";
        let mut merged = census(KINGS, 1);
        merged.merge(&census(other, 1));
        let whole = census(&format!("{KINGS}\n{other}"), 1);
        assert_eq!(merged.as_json(), whole.as_json());
        assert_eq!(merged.to_string(), whole.to_string());
        assert_eq!(whole.positions, [6, 0, 4]);
    }
}
