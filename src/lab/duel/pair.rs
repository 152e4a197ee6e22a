//! Plays pairs of games between two players that change from pair to pair.

use super::{DuelError, DuelGame, DuelOptions, DuelWorker, openings::Openings, record::first_is};
use crate::{lab::style::Style, profile::Profile};

#[cfg(feature = "tuning")]
use crate::{eval::weights::Weights, player::Engine, search::params::Params};

/// The two players of one thread, and the openings they play.
pub(in crate::lab) struct PairPlayer<'b> {
    worker: DuelWorker,
    openings: Openings<'b>,
}

/// What the first player achieved in a game, and the styles of both.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::lab) struct StyledGame {
    /// The points of the first player in half points: 0, 1 or 2.
    pub(in crate::lab) half_points: u8,
    pub(in crate::lab) first: Style,
    pub(in crate::lab) second: Style,
}

impl<'b> PairPlayer<'b> {
    /// Creates the players of `options`.
    ///
    /// # Errors
    /// If a hash table cannot be allocated.
    pub(in crate::lab) fn new(options: &'b DuelOptions) -> Result<Self, DuelError> {
        let openings = Openings::new(options.book.as_ref(), options.seed);
        Ok(Self { worker: DuelWorker::new(options)?, openings })
    }

    /// Sets the search parameters and the weights of both players.
    ///
    /// # Errors
    /// If they are invalid.
    #[cfg(feature = "tuning")]
    pub(in crate::lab) fn set_players(
        &mut self,
        players: [(&Params, &Weights); 2],
    ) -> Result<(), DuelError> {
        let engines: [&mut Engine; 2] = [&mut self.worker.first, &mut self.worker.second];
        for (engine, (params, weights)) in engines.into_iter().zip(players) {
            engine.change(|options| options.params = params.clone())?;
            engine.set_profile(Profile { weights: weights.clone(), ..engine.profile().clone() });
        }
        Ok(())
    }

    /// Sets the profile of the first player.
    pub(in crate::lab) fn set_first(&mut self, profile: Profile) {
        self.worker.first.set_profile(profile);
    }

    /// Plays a pair of games, counted from 0. Returns the half points of the first player, or `None`
    /// if the games were stopped.
    ///
    /// # Errors
    /// If no balanced opening is found.
    #[cfg(feature = "tuning")]
    pub(in crate::lab) fn play(
        &mut self,
        options: &DuelOptions,
        pair: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<u8>, DuelError> {
        let games = self.games(options, pair, stopped)?;
        Ok(games.map(|games| games.iter().map(|(number, game)| half_points(*number, game)).sum()))
    }

    /// Like `play`, but returns each game with the styles of both players.
    ///
    /// # Errors
    /// If no balanced opening is found.
    pub(in crate::lab) fn play_styled(
        &mut self,
        options: &DuelOptions,
        pair: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<[StyledGame; 2]>, DuelError> {
        let styled = |(number, game): (u64, DuelGame)| {
            let (half_points, side) = (half_points(number, &game), first_is(number));
            let played = game.played();
            let [first, second] = [side, !side].map(|side| Style::of(&played, side));
            StyledGame { half_points, first, second }
        };
        Ok(self.games(options, pair, stopped)?.map(|games| games.map(styled)))
    }

    /// Plays a pair of games, and returns them with their numbers.
    fn games(
        &mut self,
        options: &DuelOptions,
        pair: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<[(u64, DuelGame); 2]>, DuelError> {
        let numbers = [2 * pair, 2 * pair + 1];
        let mut play = |number| self.worker.play(&self.openings, number, options, stopped);
        let (Some(one), Some(other)) = (play(numbers[0])?, play(numbers[1])?) else {
            return Ok(None);
        };
        Ok(Some([(numbers[0], one), (numbers[1], other)]))
    }
}

/// Returns the half points of the first player in the game of this number.
fn half_points(number: u64, game: &DuelGame) -> u8 {
    first_is(number).fold_wb(game.result, 2 - game.result)
}
