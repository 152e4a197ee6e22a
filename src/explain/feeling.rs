//! The way from a position to the factors of its evaluation, as printed by `deepfeeling feel`.
//!
//! It shows each step of the appraisal in order: measures, concepts, map, goal, factors.

use super::schema::{self, AppraisalRecord, ByName, verdict};
use crate::{
    chess::{game::Game, known::KnownGames},
    chess_mind::{Appraisal, Fact, FeltChess, GivenValues, concept_name, concept_named},
    eval::{
        group::Group,
        measures::{Measures, QUARTERS},
    },
    mind::{
        appraisal::emotion_word,
        channels::ChannelEffects,
        concept::{Activations, Concept},
    },
    player::remembered_feeling,
    profile::Profile,
};
use serde::Serialize;
use shakmaty::Position;
use std::{
    fmt::{self, Write},
    sync::Arc,
};

/// An appraisal with every intermediate result.
#[derive(Clone, Debug)]
pub struct Feeling {
    pub(super) game: Game,
    pub(super) profile: Profile,
    pub(super) appraisal: Appraisal,
    /// The games that the player remembers.
    pub(super) known: Option<Arc<KnownGames>>,
    /// The map's activations after each step, from the initial state on.
    steps: Vec<Activations>,
}

/// The JSON form of a [`Feeling`].
#[derive(Clone, Debug, Serialize)]
pub struct FeelingRecord {
    fen: String,
    profile: String,
    side: &'static str,
    #[serde(flatten)]
    appraisal: AppraisalRecord,
    /// The map's activations after each step, from the initial state on.
    steps: Vec<ByName<f64>>,
    /// What the opponent would feel with the same profile, if it were to move.
    opponent: AppraisalRecord,
}

impl Feeling {
    /// Appraises the position of `game` for the side to move, at 100 % emotion strength and without
    /// inertia from earlier moves.
    pub fn of(game: Game, profile: Profile) -> Self {
        Self::remembering(game, profile, None)
    }

    /// Like [`Self::of`], for a player who remembers `known` games.
    pub fn remembering(game: Game, profile: Profile, known: Option<Arc<KnownGames>>) -> Self {
        let (chess, side) = (&game.chess, game.chess.turn());
        let counts = known.as_ref().and_then(|known| known.counts(chess));
        let given = remembered_feeling(&profile, counts, side);
        let appraisal = profile.mind.appraise_given(chess, side, 100, None, &given);
        Self { known, ..Self::new(game, profile, appraisal, &given) }
    }

    /// Recomputes the steps of the map that led to `appraisal`, which `profile` has made of `game`
    /// and the `given` values.
    pub fn new(game: Game, profile: Profile, appraisal: Appraisal, given: &GivenValues) -> Self {
        let (steps, _) = profile.mind.settle_traced(&appraisal.perceived, given);
        Self { game, profile, appraisal, known: None, steps }
    }

    /// Returns the whole appraisal for JSON.
    pub fn record(&self) -> FeelingRecord {
        let step = |state: &Activations| schema::activations::<FeltChess>(state, Concept::ALL);
        FeelingRecord {
            fen: self.game.fen(),
            profile: self.profile.name.clone(),
            side: schema::side(self.appraisal.side),
            appraisal: AppraisalRecord::from(&self.appraisal),
            steps: self.steps.iter().map(step).collect(),
            opponent: AppraisalRecord::from(&self.opponent()),
        }
    }

    /// Returns what the opponent would feel with the same profile, if it were to move.
    fn opponent(&self) -> Appraisal {
        let mind = &self.profile.mind;
        mind.appraise(&self.game.chess, self.appraisal.side.other(), 100, None)
    }

    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.appraisal.side.fold_wb("White", "Black");
        writeln!(f, "{}\nprofile {}, feelings of {side}\n", self.game.fen(), self.profile.name)?;
        writeln!(f, "Board (the article's four measures, from {side}'s point of view)")?;
        for ((name, unit), quarters) in
            Measures::NAMES.into_iter().zip(self.appraisal.measures.in_order())
        {
            let Some(concept) = concept_named(name) else { continue };
            let value = f64::from(quarters) / f64::from(QUARTERS);
            let perceived = self.appraisal.perceived[concept as usize];
            let label = concept.label(perceived);
            writeln!(f, "  {name:<14} {value:>9.2} {unit:<11} → {perceived:>6.3}  {label}")?;
        }
        let held: Vec<_> = Fact::ALL
            .into_iter()
            .filter(|fact| self.appraisal.facts.holds(*fact))
            .map(Fact::name)
            .collect();
        writeln!(f, "  facts: {}", if held.is_empty() { "none".into() } else { held.join(", ") })
    }

    /// Prints the steps of the map like table 5 of the article. Long runs are shortened in the
    /// middle.
    fn map(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |concept: Concept| concept_name(concept).len().max("-0.123456".len());
        write!(f, "\nMap\n  {:>4}", "step")?;
        for concept in Concept::ALL {
            write!(f, " {:>1$}", concept_name(concept), width(concept))?;
        }
        writeln!(f)?;
        let last = self.steps.len().saturating_sub(1);
        for (number, state) in self.steps.iter().enumerate() {
            if number > 8 && number + 3 < last {
                if number == 9 {
                    writeln!(f, "   ...")?;
                }
                continue;
            }
            write!(f, "  {number:>4}")?;
            for concept in Concept::ALL {
                write!(f, " {:>1$.6}", state[concept as usize], width(concept))?;
            }
            writeln!(f)?;
        }
        let relief = self.appraisal.settled[Concept::Relief as usize];
        writeln!(f, "  {}", verdict(self.appraisal.settling))?;
        let (word, felt) = (Concept::Relief.label(relief), self.appraisal.intensity);
        writeln!(f, "  relief {relief:.6} ({word}), felt as intensity {felt:+.6}")
    }

    fn goal(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nGoal (the first one whose conditions all hold)")?;
        for rule in &self.appraisal.rules {
            let name = rule.goal.name();
            if rule.failed.is_empty() {
                writeln!(f, "  {name:<20} chosen: {}", rule.goal.description())?;
            } else {
                let failed: Vec<_> = rule.failed.iter().map(ToString::to_string).collect();
                writeln!(f, "  {name:<20} needs {}", failed.join(", "))?;
            }
        }
        if self.appraisal.goal.is_none() {
            writeln!(f, "  no goal applies, so all factors are 1")?;
        }
        Ok(())
    }

    /// Prints the effects of the feeling other than the factors, if there are any.
    pub(super) fn effects(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ChannelEffects { draw, time, attention, taste, empathy } = self.appraisal.effects;
        if self.appraisal.effects == ChannelEffects::default() {
            return Ok(());
        }
        writeln!(f, "\nOther effects")?;
        if draw != 0 {
            writeln!(f, "  a draw is worth {draw:+} centipawns")?;
        }
        if time != 0 {
            writeln!(f, "  thinking time changes by {time:+}%")?;
        }
        if attention != 0 {
            writeln!(
                f,
                "  late moves that concern the goal are reduced by {attention}/1024 ply less"
            )?;
        }
        if taste != 0 {
            writeln!(
                f,
                "  a move that the player likes may cost up to {taste} centipawns, less beyond depth 10"
            )?;
            let bend = 100.0 * self.profile.bend();
            if bend > 0.0 {
                writeln!(f, "  {bend:.0} % of each factor's distance from 1 bends the search")?;
            }
        }
        if empathy != 0 {
            writeln!(f, "  full fear of the opponent is worth {empathy} centipawns")?;
        }
        Ok(())
    }

    fn factors(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let other = self.appraisal.side.other().fold_wb("White's", "Black's");
        let own = self.appraisal.side.fold_wb("White's", "Black's");
        let mut text = format!("\nFactors\n  {:<12} {own:>9} {other:>9}\n", "group");
        for group in Group::ALL {
            let ratios = &self.appraisal.ratios;
            let (own, other) = (ratios.own[group as usize], ratios.other[group as usize]);
            writeln!(text, "  {:<12} {own:>9.3} {other:>9.3}", group.name())?;
        }
        write!(f, "{}", text.trim_end())
    }
}

impl fmt::Display for Feeling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.board(f)?;
        self.map(f)?;
        self.goal(f)?;
        self.effects(f)?;
        self.factors(f)?;
        let side = self.appraisal.side.other();
        let name = side.fold_wb("White", "Black");
        let opponent = self.opponent();
        let (word, intensity) = (emotion_word(opponent.intensity), opponent.intensity);
        let goal = opponent.goal.map_or("none", |goal| goal.name());
        write!(f, "\n\nOpponent\n  {name} would feel {word} ({intensity:+.2}), goal {goal}")
    }
}
