//! A game between a person and a player, with undo: for the terminal and for other interfaces.

use crate::{
    agent::{Agent, AgentOptions, Thought},
    game::Side,
    level::{Playable, PlayerSpec},
    notation::NotationError,
    record::GameRecord,
};

/// A game in progress.
#[derive(Debug)]
pub struct Session<'p, G: Playable> {
    player: &'p PlayerSpec<G>,
    options: AgentOptions,
    seed: u64,
    agent: Agent<'p, G>,
    person: Side,
    record: GameRecord<G>,
}

impl<'p, G: Playable> Session<'p, G> {
    /// Starts a game. The person has the side `person`, and is called so in the record.
    #[must_use]
    pub fn new(
        player: &'p PlayerSpec<G>,
        options: AgentOptions,
        start: G,
        person: Side,
        seed: u64,
    ) -> Self {
        let mut players = ["person"; 2];
        players[person.other() as usize] = &player.name;
        let record = GameRecord::new(players, start);
        Self { player, options, seed, agent: Agent::new(player, options, seed), person, record }
    }

    /// Returns the position.
    #[must_use]
    pub fn position(&self) -> G {
        self.record.last()
    }

    /// Returns the game so far.
    #[must_use]
    pub fn record(&self) -> &GameRecord<G> {
        &self.record
    }

    /// Returns whether it is the person's turn.
    #[must_use]
    pub fn is_persons_turn(&self) -> bool {
        let position = self.position();
        position.outcome().is_none() && position.turn() == self.person
    }

    /// Lets the player move, if it is its turn. Returns what it thought.
    pub fn reply(&mut self) -> Option<Thought<G>> {
        let position = self.position();
        if position.turn() == self.person {
            return None;
        }
        let thought = self.agent.choose(&position)?;
        self.record.moves.push(thought.m);
        Some(thought)
    }

    /// Plays a move of the person.
    ///
    /// # Errors
    /// If it is not a legal move.
    pub fn play(&mut self, text: &str) -> Result<(), NotationError> {
        let m = self.position().parse_move(text)?;
        self.record.moves.push(m);
        Ok(())
    }

    /// Takes back the person's last move and what came after it. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        let is_taken = self.record.take_back(self.person);
        if is_taken {
            // what the player felt after that move has not happened
            self.agent = Agent::new(self.player, self.options, self.seed);
        }
        is_taken
    }
}
