//! Turns games with clocks into think times.

use super::super::policy::is_held_out;
use crate::{
    chess::time_control::TimeControl,
    pgn::{Clocks, FIRST_PLY, GameStage, PlayedGame},
    player::human::clock_cue::{ClockCues, ClockView},
};
use rayon::prelude::*;
use shakmaty::Position;
use std::{collections::BTreeMap, ops::RangeInclusive};

/// At most this many moves of a player count, so that nobody dominates.
const MOST_PER_PLAYER: usize = 500;

/// The time that a person used for a move.
#[derive(Clone, Debug)]
pub struct ThinkTime {
    /// The clock cues before the move.
    pub cues: ClockCues,
    pub control: TimeControl,
    /// The time left before the move, in seconds.
    pub left: f64,
    /// The time used, in seconds. Clocks usually show whole seconds.
    pub used: f64,
    /// The stage of the game.
    pub stage: GameStage,
    /// Whether this is one of the first moves, which people play from memory.
    pub is_early: bool,
    /// Whether the player is held out of the fit.
    pub is_held_out: bool,
    /// The number of the file.
    pub source: usize,
}

/// Collects think times from games.
#[derive(Debug)]
pub struct ClockSample {
    /// The times so far.
    pub times: Vec<ThinkTime>,
    players: BTreeMap<String, usize>,
    band: RangeInclusive<u16>,
    /// The share of players held out.
    holdout: f64,
    /// One game in this many is used.
    every: usize,
}

impl ClockSample {
    /// Creates an empty sample of moves by players rated in `band`, in one game in `every`. A share
    /// `holdout` of the players is held out.
    #[must_use]
    pub fn new(band: RangeInclusive<u16>, every: usize, holdout: f64) -> Self {
        Self { times: Vec::new(), players: BTreeMap::new(), band, holdout, every }
    }

    /// Adds the times of rated players in `games` of file number `source`.
    pub fn add(&mut self, games: &[PlayedGame], source: usize) {
        let sampled: Vec<_> =
            games.iter().filter(|game| game.number.is_multiple_of(self.every.max(1))).collect();
        let each: Vec<_> = sampled.par_iter().map(|game| times(game, source, &self.band)).collect();
        for (name, mut time) in each.into_iter().flatten() {
            time.is_held_out = is_held_out(&name, self.holdout);
            let count = self.players.entry(name).or_default();
            *count += 1;
            if *count <= MOST_PER_PLAYER {
                self.times.push(time);
            }
        }
    }

    /// Returns the number of players.
    #[must_use]
    pub fn players(&self) -> usize {
        self.players.len()
    }
}

/// Returns the times of a game with the players' names.
fn times(
    played: &PlayedGame,
    source: usize,
    band: &RangeInclusive<u16>,
) -> Vec<(String, ThinkTime)> {
    let Some(clocks) = Clocks::of(played).map(Clocks::usual) else { return Vec::new() };
    let mut game = played.start.clone();
    let mut found = Vec::new();
    for (ply, m) in played.moves.iter().map(|played| played.m).enumerate() {
        let turn = game.chess.turn();
        let rating = played.tags.elos.get(turn).filter(|rating| band.contains(rating));
        if let (Some(rating), Some(left), Some(used)) = (rating, clocks.left(ply), clocks.used(ply))
        {
            let last = |back: usize| clocks.used(ply.checked_sub(back)?);
            let control = clocks.control;
            let view = ClockView { control, left, own_last: last(2), their_last: last(1) };
            let time = ThinkTime {
                cues: view.cues(&game, m, rating),
                control,
                left,
                used,
                stage: GameStage::of(game.chess.board()),
                is_early: ply < FIRST_PLY,
                is_held_out: false,
                source,
            };
            found.push((played.tags.players.get(turn).clone(), time));
        }
        game.push(m);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{pgn::Games, player::human::clock_cue::ClockCue};

    #[test]
    fn times_of_rated_players_are_collected_from_the_second_move_on() {
        let text = "[White \"a\"]\n[Black \"b\"]\n[WhiteElo \"2000\"]\n[TimeControl \"60+1\"]\n\n\
            1. e4 {[%clk 0:01:01]} d5 {[%clk 0:01:01]} 2. exd5 {[%clk 0:01:00]} Qxd5 {[%clk 0:00:52]} \
            3. Nc3 {[%clk 0:00:55]} *\n";
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        let mut sample = ClockSample::new(0..=4000, 1, 1.0);
        sample.add(std::slice::from_ref(&game), 3);
        let used: Vec<_> = sample.times.iter().map(|time| (time.used, time.left)).collect();
        assert_eq!(used, [(2.0, 61.0), (6.0, 60.0)]);
        let last = &sample.times[1];
        assert!(last.is_early && last.is_held_out && last.source == 3);
        assert!((last.cues[ClockCue::AfterCapture as usize] - 1.0).abs() < 1e-9);
        assert_eq!((last.stage, sample.players()), (GameStage::Opening, 1));
        // the only game has number 1, and the player a rating of 2000
        for (band, every) in [(0..=4000, 2), (0..=1999, 1)] {
            let mut other = ClockSample::new(band, every, 0.0);
            other.add(std::slice::from_ref(&game), 0);
            assert!(other.times.is_empty());
        }
    }
}
