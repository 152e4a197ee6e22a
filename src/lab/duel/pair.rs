//! Plays pairs of games between two players whose search parameters change from pair to pair.

use super::{DuelError, DuelOptions, DuelWorker, openings::Openings, record::first_is};
use crate::{player::Engine, search::params::Params};

/// The two players of one thread, and the openings they play.
pub(in crate::lab) struct PairPlayer<'b> {
    worker: DuelWorker,
    openings: Openings<'b>,
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

    /// Sets the search parameters of both players.
    ///
    /// # Errors
    /// If they are invalid.
    pub(in crate::lab) fn set_params(&mut self, params: [&Params; 2]) -> Result<(), DuelError> {
        let engines: [&mut Engine; 2] = [&mut self.worker.first, &mut self.worker.second];
        for (engine, params) in engines.into_iter().zip(params) {
            engine.change(|options| options.params = params.clone())?;
        }
        Ok(())
    }

    /// Plays a pair of games, counted from 0. Returns the half points of the first player, or `None`
    /// if the games were stopped.
    ///
    /// # Errors
    /// If no balanced opening is found.
    pub(in crate::lab) fn play(
        &mut self,
        options: &DuelOptions,
        pair: u64,
        stopped: &impl Fn() -> bool,
    ) -> Result<Option<u8>, DuelError> {
        let mut half_points = 0;
        for number in [2 * pair, 2 * pair + 1] {
            let played = self.worker.play(&self.openings, number, options, stopped)?;
            let Some(played) = played else { return Ok(None) };
            half_points += first_is(number).fold_wb(played.result, 2 - played.result);
        }
        Ok(Some(half_points))
    }
}
