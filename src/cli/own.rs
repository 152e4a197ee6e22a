//! The arguments of commands about one player, and the games of this player.

use super::played::PlayedArgs;
use crate::pgn::OwnGames;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct OwnArgs {
    #[command(flatten)]
    games: PlayedArgs,
    /// Name of the player in the games, in upper or lower case
    #[arg(long, value_name = "NAME")]
    pub(super) player: String,
    /// Rating of the player, instead of the ratings in the games
    #[arg(long, value_name = "ELO", value_parser = clap::value_parser!(u16).range(1..=4000))]
    pub(super) rating: Option<u16>,
}

impl OwnArgs {
    /// Reads the games of the player.
    ///
    /// # Errors
    /// If a file cannot be read, or has no rated game of the player.
    pub(super) fn games(&self) -> anyhow::Result<OwnGames> {
        let mut own = OwnGames::new(&self.player, self.rating);
        self.games.read(|games| own.add(games))?;
        Ok(own.found()?)
    }
}
