//! An agent: a player in a game, who feels, bends its weights and chooses a move.

use crate::{
    evaluation::{Evaluation, Noise, WIN},
    game::Side,
    level::{Playable, PlayerSpec, Strategy},
    search::{
        RootMove, best_by, best_moves,
        deepening::{Limit, deepen},
        table::Table,
    },
};
use deepfeeling::{
    mind::{appraisal::Appraisal, relevance::Ratios},
    support::random::{Random, mixed},
};

/// The number of table slots as a power of two, for `master`.
const TABLE_BITS: u32 = 18;

/// Options of all agents of a command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentOptions {
    /// When `master` stops to think.
    pub limit: Limit,
    /// The largest deviation of the noise on each evaluated position. 0 for none.
    pub noise: f64,
    /// The strength of emotions in percent, 0 to 200.
    pub strength: u16,
}

impl AgentOptions {
    /// The number of positions that `master` searches for a move by default.
    pub const DEFAULT_NODES: u64 = 200_000;
}

impl Default for AgentOptions {
    fn default() -> Self {
        Self { limit: Limit::Nodes(Self::DEFAULT_NODES), noise: 0.0, strength: 100 }
    }
}

/// What an agent decided, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<G: Playable> {
    /// The move.
    pub m: G::Move,
    /// Its value for the mover, in units of the evaluation. `None` for a random move.
    pub value: Option<f64>,
    /// The depth of the search in moves. `None` without a search.
    pub depth: Option<u8>,
    /// Whether the value is the true result of the game, found by `master`.
    pub is_solved: bool,
    /// What the agent felt. `None` if it does not feel.
    pub appraisal: Option<Appraisal<G>>,
}

impl<G: Playable> Thought<G> {
    /// Says how the game ends if `master` has solved it: `solved: White by 4`. `mover` is the side
    /// that thought.
    #[must_use]
    pub fn verdict(&self, mover: Side) -> Option<String> {
        let value = self.value.filter(|_| self.is_solved)?;
        let side = if value < 0.0 { mover.other() } else { mover };
        let lead = value.abs() - WIN;
        Some(if lead < -WIN / 2.0 {
            "solved: a draw".into()
        } else if lead > 0.0 {
            format!("solved: {} by {lead}", G::side_name(side))
        } else {
            format!("solved: {} wins", G::side_name(side))
        })
    }
}

/// A player in a game.
#[derive(Debug)]
pub struct Agent<'p, G: Playable> {
    player: &'p PlayerSpec<G>,
    options: AgentOptions,
    seed: u64,
    random: Random,
    /// Searched positions, all under the evaluation beside them.
    table: Table<G::Move>,
    table_of: Option<Evaluation<G>>,
    /// The last emotion, for minds with inertia.
    felt: Option<f64>,
}

impl<'p, G: Playable> Agent<'p, G> {
    /// Creates an agent for one game. Equal seeds give equal games, unless `master` searches by
    /// time.
    #[must_use]
    pub fn new(player: &'p PlayerSpec<G>, options: AgentOptions, seed: u64) -> Self {
        let random = Random::new(mixed(seed));
        let table = Table::new(TABLE_BITS);
        Self { player, options, seed, random, table, table_of: None, felt: None }
    }

    /// Chooses a move. Returns `None` if the game is over.
    pub fn choose(&mut self, position: &G) -> Option<Thought<G>> {
        let appraisal = self.appraise(position, position.turn());
        self.felt = appraisal.as_ref().map(|appraisal| appraisal.felt);
        let ratios = appraisal.as_ref().map_or(Ratios::NEUTRAL, |appraisal| appraisal.ratios);
        let errs = self.player.errs > 0.0 && self.random.unit() < self.player.errs;
        let strategy = if errs { Strategy::Random } else { self.player.level.strategy };
        let thought = self.think(position, strategy, &self.evaluation(position.turn(), &ratios))?;
        Some(Thought { appraisal, ..thought })
    }

    /// Returns what the player feels as `side`. `None` if it does not feel.
    pub fn appraise(&self, position: &G, side: Side) -> Option<Appraisal<G>> {
        let mind = &self.player.temperament.as_ref()?.mind;
        Some(mind.appraise(position, side, self.options.strength, self.felt))
    }

    /// Returns the evaluation of `side` under the ratios of a feeling.
    pub fn evaluation(&self, side: Side, ratios: &Ratios<G>) -> Evaluation<G> {
        let level = &self.player.level;
        let noise = (self.options.noise > 0.0)
            .then_some(Noise { most: self.options.noise, seed: mixed(!self.seed) });
        Evaluation { noise, ..Evaluation::new(side, level.weights, level.ends).bent(ratios) }
    }

    fn think(
        &mut self,
        position: &G,
        strategy: Strategy<G>,
        evaluation: &Evaluation<G>,
    ) -> Option<Thought<G>> {
        let quiet = |m| Thought { m, value: None, depth: None, is_solved: false, appraisal: None };
        match strategy {
            Strategy::Random => {
                let moves = position.moves();
                moves.as_ref().get(self.random.below(moves.as_ref().len())).copied().map(quiet)
            }
            Strategy::OnePly(value) => {
                let best = best_by(position, |m| value(position, m, evaluation));
                let RootMove { m, value } = self.draw(&best)?;
                Some(Thought { value: Some(value), ..quiet(m) })
            }
            Strategy::Minimax(depth) => {
                let RootMove { m, value } = self.draw(&best_moves(position, depth, evaluation))?;
                Some(Thought { value: Some(value), depth: Some(depth), ..quiet(m) })
            }
            Strategy::Deepening => {
                if self.table_of.as_ref() != Some(evaluation) {
                    // values under another feeling are wrong under this one
                    self.table.clear();
                    self.table_of = Some(*evaluation);
                }
                let found = deepen(position, evaluation, self.options.limit, &mut self.table)?;
                let RootMove { m, value } = found.best;
                let (value, depth) = (Some(value), Some(found.depth));
                Some(Thought { value, depth, is_solved: found.is_solved, ..quiet(m) })
            }
        }
    }

    /// Draws one of equally good moves.
    fn draw(&mut self, best: &[RootMove<G::Move>]) -> Option<RootMove<G::Move>> {
        best.get(self.random.below(best.len())).copied()
    }
}
