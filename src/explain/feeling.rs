//! The way from a position to the factors of its evaluation, as printed by `deepfeeling feel`.
//!
//! It shows each step of the appraisal in order: measures, concepts, map, goal, factors.

use crate::{
    chess::game::Game,
    eval::group::Group,
    mind::{
        appraisal::Appraisal,
        channels::ChannelEffects,
        concept::{Activations, Concept},
        fact::{Fact, Facts},
        fcm::Settling,
        goal::{self, ExaminedRule},
        relevance::Ratios,
    },
    profile::Profile,
};
use serde_json::{Value, json};
use shakmaty::Position;
use std::fmt::{self, Write};

/// An appraisal with every intermediate result.
#[derive(Clone, Debug)]
pub struct Feeling {
    pub(super) game: Game,
    pub(super) profile: Profile,
    pub(super) appraisal: Appraisal,
    /// The map's activations after each step, from the initial state on.
    steps: Vec<Activations>,
    pub(super) facts: Facts,
    pub(super) rules: Vec<ExaminedRule>,
}

/// Returns the values of all concepts and their labels as JSON.
pub(super) fn concepts(state: &Activations) -> Value {
    let pairs = Concept::ALL.into_iter().map(|concept| {
        let value = state[concept as usize];
        (concept.name().to_owned(), json!({"value": value, "label": concept.label(value)}))
    });
    Value::Object(pairs.collect())
}

/// Returns as JSON which facts hold.
pub(super) fn facts(facts: &Facts) -> Value {
    let pairs = Fact::ALL.into_iter().map(|f| (f.name().into(), facts.holds(f).into()));
    Value::Object(pairs.collect())
}

/// Returns the factors of all groups for both sides as JSON.
pub(super) fn factors(ratios: &Ratios) -> Value {
    let side = |ratios: &[f64; Group::COUNT]| {
        let pairs = Group::ALL.into_iter().map(|g| (g.name().into(), ratios[g as usize].into()));
        Value::Object(pairs.collect())
    };
    json!({"own": side(&ratios.own), "other": side(&ratios.other)})
}

/// Returns the effects of the feeling other than the factors as JSON.
#[must_use]
pub fn effects(effects: ChannelEffects) -> Value {
    let ChannelEffects { draw, time, attention } = effects;
    json!({"draw": draw, "time": time, "attention": attention})
}

/// Describes how the map settled: at a fixed point, in a cycle, or not at all.
#[must_use]
pub fn verdict(settling: Settling) -> String {
    match settling {
        Settling::FixedPoint { steps } => format!("fixed point after {steps} steps"),
        Settling::Cycle { period } => format!("cycle of length {period}: its mean is felt"),
        Settling::Unsettled => "unsettled: nothing is felt".to_owned(),
    }
}

impl Feeling {
    /// Appraises the position of `game` for the side to move, at 100 % emotion strength and without
    /// inertia from earlier moves.
    pub fn of(game: Game, profile: Profile) -> Self {
        let appraisal = profile.mind.appraise(&game.chess, game.chess.turn(), 100, None);
        Self::new(game, profile, appraisal)
    }

    /// Recomputes the steps that led to `appraisal`, which `profile` has made of `game`.
    pub fn new(game: Game, profile: Profile, appraisal: Appraisal) -> Self {
        let mind = &profile.mind;
        let (steps, _) = mind.settle_traced(&appraisal.perceived);
        let facts = Facts::of(&game.chess, appraisal.side, &mind.thresholds);
        let rules = goal::examine(&mind.ladder, &facts, &appraisal.perceived);
        Self { game, profile, appraisal, steps, facts, rules }
    }

    /// Returns the name, value and unit of each of the four measures.
    fn measures(&self) -> [(&'static str, f64, &'static str); 4] {
        let points = self.appraisal.measures.in_order().map(|quarters| f64::from(quarters) / 4.0);
        [
            ("material", points[0], "centipawns"),
            ("mobility", points[1], "squares"),
            ("king_safety", points[2], "points"),
            ("king_exposure", points[3], "points"),
        ]
    }

    /// Returns the whole appraisal as JSON.
    pub fn as_json(&self) -> Value {
        let appraisal = &self.appraisal;
        let measures: serde_json::Map<_, _> = self
            .measures()
            .into_iter()
            .map(|(name, value, _)| (name.into(), value.into()))
            .collect();
        let ladder: Vec<_> = self
            .rules
            .iter()
            .map(|rule| {
                let failed: Vec<_> = rule.failed.iter().map(ToString::to_string).collect();
                json!({"goal": rule.goal.name(), "failed": failed})
            })
            .collect();
        json!({
            "fen": self.game.fen(), "profile": self.profile.name,
            "side": appraisal.side.fold_wb("white", "black"),
            "measures": measures, "perceived": concepts(&appraisal.perceived), "facts": facts(&self.facts),
            "steps": self.steps.iter().map(nalgebra::Matrix::as_slice).collect::<Vec<_>>(),
            "settled": concepts(&appraisal.settled), "verdict": verdict(appraisal.settling),
            "intensity": appraisal.intensity, "ladder": ladder,
            "goal": appraisal.goal.map(goal::Goal::name),
            "factors": factors(&appraisal.ratios),
            "channels": effects(appraisal.effects),
        })
    }

    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = self.appraisal.side.fold_wb("White", "Black");
        writeln!(f, "{}\nprofile {}, feelings of {side}\n", self.game.fen(), self.profile.name)?;
        writeln!(f, "Board (the article's four measures, from {side}'s point of view)")?;
        for (name, value, unit) in self.measures() {
            let Some(concept) = Concept::from_name(name) else { continue };
            let perceived = self.appraisal.perceived[concept as usize];
            let label = concept.label(perceived);
            writeln!(f, "  {name:<14} {value:>9.2} {unit:<11} → {perceived:>6.3}  {label}")?;
        }
        let held: Vec<_> =
            Fact::ALL.into_iter().filter(|fact| self.facts.holds(*fact)).map(Fact::name).collect();
        writeln!(f, "  facts: {}", if held.is_empty() { "none".into() } else { held.join(", ") })
    }

    /// Prints the steps of the map like table 5 of the article. Long runs are shortened in the
    /// middle.
    fn map(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\nMap\n  {:>4}", "step")?;
        for concept in Concept::ALL {
            write!(f, " {:>9}", concept.symbol())?;
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
            for value in state.iter() {
                write!(f, " {value:>9.6}")?;
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
        for rule in &self.rules {
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
        let ChannelEffects { draw, time, attention } = self.appraisal.effects;
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
        self.factors(f)
    }
}
