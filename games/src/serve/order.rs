//! Reads a request: which game, against whom, and the moves so far.

use super::{
    Action,
    feeling::{self, Feeling, FeelingDetail},
};
use crate::{
    agent::{Agent, AgentOptions, Thought},
    game::Side,
    level::{Level, PlayerSpec},
    notation::{NotationError, shown},
    record::GameRecord,
    view::Shown,
};
use deepfeeling::{
    profile::{MindProfile, ProfileError},
    serve::{refusal::Refusal, request::Request},
    support::{random::mixed, spelling::nearest},
};
use serde::Serialize;

/// The temperament of a machine that does not feel.
pub(super) const CALM: &str = "calm";
/// The largest seed that a request may have.
const LARGEST_SEED: u64 = 999_999_999;
/// The longest list of moves, in bytes. No game has more.
const LONGEST_GAME: usize = 4096;
/// The longest other text of a request, in bytes.
const LONGEST_TEXT: usize = 64;

/// A game as a request describes it.
#[derive(Debug)]
pub(super) struct Order<G: Shown> {
    /// The machine. It feels unless the temperament is [`CALM`].
    pub(super) player: PlayerSpec<G>,
    /// The name of a built-in temperament, or [`CALM`].
    pub(super) temperament: &'static str,
    /// The temperament that the feelings on the page are shown for. The first one if the machine
    /// does not feel.
    pub(super) mind: MindProfile<G>,
    pub(super) person: Side,
    pub(super) seed: u64,
    pub(super) record: GameRecord<G>,
    /// The imagined strength of emotions, in percent.
    strength: u16,
}

/// The machine's last decision with its feeling and without.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ChoiceView {
    /// The number of the move, counted from 1.
    number: usize,
    /// The move that was played.
    played: String,
    /// The move with the feeling.
    felt: String,
    /// The move without.
    calm: String,
}

/// The machine's last decision, had it felt more or less strongly.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct ImaginedChoice {
    /// The move that was played.
    played: String,
    /// The move with this strength of emotions.
    chosen: String,
    feeling: Feeling,
    detail: FeelingDetail,
}

/// The largest strength of emotions, in percent.
const MOST_STRENGTH: u64 = 200;

/// Returns a built-in temperament.
pub(super) fn mind<G: Shown>(name: &str) -> Result<MindProfile<G>, ProfileError> {
    MindProfile::builtin(name, G::TEMPERAMENTS)
}

/// Returns the one of `allowed` that a request names.
fn one_of<'n>(key: &str, name: &str, allowed: &[&'n str]) -> Result<&'n str, NotationError> {
    allowed.iter().find(|other| **other == name).copied().ok_or_else(|| {
        let near = nearest(name, allowed.iter().copied());
        NotationError::new(key, shown(name), allowed.join(", ")).with_nearest(near)
    })
}

impl<G: Shown> Order<G> {
    /// Reads a request for an action.
    pub(super) fn parse(body: &[u8], action: Action) -> Result<Self, Refusal> {
        let mut keys = vec!["level", "temperament", "side", "rules", "seed", "moves"];
        keys.extend(action.key());
        let request = Request::parse(body, &keys)?;
        let text = |key: &str| request.text(key, LONGEST_TEXT);
        let first = G::TEMPERAMENTS.first().map_or(CALM, |builtin| builtin.name);
        let temperament = text("temperament")?.unwrap_or(first);
        let mut names: Vec<&'static str> =
            G::TEMPERAMENTS.iter().map(|builtin| builtin.name).collect();
        names.push(CALM);
        let temperament = one_of("temperament", temperament, &names).map_err(Refusal::because)?;
        let is_calm = temperament == CALM;
        let mind =
            mind::<G>(if is_calm { first } else { temperament }).map_err(Refusal::because)?;
        let level = level::<G>(text("level")?.unwrap_or(G::EXPLAINED))?;
        let feels = (!is_calm).then(|| mind.clone());
        let player = PlayerSpec { name: level.name.into(), level, errs: 0.0, temperament: feels };
        let person =
            text("side")?.map_or(Ok(G::PERSON), G::parse_side).map_err(Refusal::because)?;
        let rules = text("rules")?.map(G::parse_rules).transpose().map_err(Refusal::because)?;
        let seed = request.count("seed", 0..=LARGEST_SEED)?.unwrap_or(1);
        let mut record = GameRecord::new(["", ""], G::start(rules.unwrap_or_default(), seed));
        let moves = request.text("moves", LONGEST_GAME)?.unwrap_or_default();
        record.play(moves).map_err(Refusal::because)?;
        let strength = request.count("strength", 0..=MOST_STRENGTH)?.unwrap_or(100) as u16;
        let order = Self { player, temperament, mind, person, seed, record, strength };
        if action == Action::Move {
            return order.with_move(text("move")?.unwrap_or_default());
        }
        Ok(order)
    }

    /// Plays a move of the person.
    fn with_move(mut self, name: &str) -> Result<Self, Refusal> {
        let last = self.record.last();
        if last.outcome().is_none() && last.turn() != self.person {
            let turn = G::side_name(last.turn());
            return Err(Refusal::bad("move", name, &format!("none, because it is {turn}'s turn")));
        }
        self.record.moves.push(last.parse_move(name).map_err(Refusal::because)?);
        Ok(self)
    }

    /// Takes back the person's last move and what came after it.
    pub(super) fn undo(&mut self) -> Result<(), Refusal> {
        if !self.record.take_back(self.person) {
            return Err(Refusal::because("undo: found no move of yours to take back"));
        }
        Ok(())
    }

    /// Lets the machine make one move. Returns what it thought.
    pub(super) fn reply(&mut self) -> Result<Thought<G>, Refusal> {
        let last = self.record.last();
        let is_its_turn = last.outcome().is_none() && last.turn() != self.person;
        let thought = is_its_turn.then(|| self.thought(&self.player, self.record.moves.len()));
        let thought = thought.flatten().ok_or_else(|| {
            Refusal::because("reply: found a game in which the machine is not to move")
        })?;
        self.record.moves.push(thought.m);
        Ok(thought)
    }

    /// Returns the machine's last decision with its feeling and without. `None` if it has not moved.
    pub(super) fn choice(&self) -> Option<ChoiceView> {
        let (number, _, last) = self.last_decision()?;
        let chosen = |temperament| {
            let player = PlayerSpec { temperament, ..self.player.clone() };
            Some(self.thought(&player, number)?.m.to_string())
        };
        let (felt, calm) = (chosen(Some(self.mind.clone()))?, chosen(None)?);
        Some(ChoiceView { number: number + 1, played: last.to_string(), felt, calm })
    }

    /// Returns the machine's last decision with the imagined strength of emotions. `None` if it has not
    /// moved.
    pub(super) fn imagined(&self) -> Option<ImaginedChoice> {
        let (number, position, last) = self.last_decision()?;
        let player = PlayerSpec { temperament: Some(self.mind.clone()), ..self.player.clone() };
        let options = AgentOptions { strength: self.strength, ..AgentOptions::default() };
        let chosen = self.thought_with(&player, number, options)?.m;
        let appraisal = feeling::appraise(self, &position, self.person.other(), self.strength);
        Some(ImaginedChoice {
            played: last.to_string(),
            chosen: chosen.to_string(),
            feeling: Feeling::new(&appraisal),
            detail: FeelingDetail::new(&appraisal),
        })
    }

    /// Returns the machine's last move, with its number, counted from 0, and the position before it.
    fn last_decision(&self) -> Option<(usize, G, G::Move)> {
        let positions = self.record.positions().zip(&self.record.moves).enumerate();
        let its = positions.filter(|(_, (position, _))| position.turn() != self.person);
        its.last().map(|(number, (position, m))| (number, position, *m))
    }

    /// Returns what `player` thinks after this number of moves.
    fn thought(&self, player: &PlayerSpec<G>, number: usize) -> Option<Thought<G>> {
        self.thought_with(player, number, AgentOptions::default())
    }

    fn thought_with(
        &self,
        player: &PlayerSpec<G>,
        number: usize,
        options: AgentOptions,
    ) -> Option<Thought<G>> {
        let position = self.record.positions().nth(number)?;
        // a seed of its own for each move, so that a taken back move does not change the next ones
        let seed = mixed(self.seed) ^ number as u64;
        Agent::new(player, options, seed).choose(&position)
    }
}

/// Returns a level by its name. A search depth as a number could take too long.
fn level<G: Shown>(name: &str) -> Result<Level<G>, Refusal> {
    let names: Vec<&str> = G::LEVELS.iter().map(|level| level.name).collect();
    let name = one_of("level", name, &names).map_err(Refusal::because)?;
    crate::level::level(name).map_err(Refusal::because)
}
