//! Plays one game between two players.

use super::TimeControl;
use crate::{
    chess::{game::Game, score::Score},
    chess_mind::Goal,
    lab::self_play::adjudication::{Adjudicator, is_drawn, natural_result},
    pgn::{EmotionTag, PlayedGame, PlayedMove, Tags},
    player::{Engine, LastAppraisal},
    search::{
        SearchResult, Signals,
        root::{
            limits::Limits,
            time::{Timer, time_of},
        },
    },
};
use shakmaty::{ByColor, Color, KnownOutcome, Move, Position};

/// A move with the score, depth and emotion of the player.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DuelPly {
    pub m: Move,
    /// The score from the mover's point of view.
    pub score: Score,
    pub depth: u8,
    /// The mover's emotion, from -1 to 1, and its goal; `None` if the player has no emotions.
    pub feeling: Option<(f64, Option<Goal>)>,
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Termination {
    /// Checkmate, or a draw by the rules.
    Rules,
    /// Adjudication: the scores of both players have agreed on the result for many plies.
    Agreed,
    /// This side lost on time.
    Time(Color),
}

/// A finished game of a duel.
#[derive(Clone, Debug)]
pub(super) struct DuelGame {
    pub start: Game,
    pub plies: Vec<DuelPly>,
    /// The result in half points for White: 0, 1 or 2.
    pub result: u8,
    pub end: Termination,
}

impl DuelGame {
    /// Returns the game as if it had been read from a file, without names and comments.
    pub(super) fn played(self) -> PlayedGame {
        let felt = |(intensity, goal)| EmotionTag { intensity, goal };
        let ply = |ply: DuelPly| PlayedMove {
            m: ply.m,
            comment: String::new(),
            eval: None,
            felt: ply.feeling.map(felt),
        };
        let result = match self.result {
            0 => KnownOutcome::Decisive { winner: Color::Black },
            1 => KnownOutcome::Draw,
            _ => KnownOutcome::Decisive { winner: Color::White },
        };
        PlayedGame {
            number: 1,
            tags: Tags { result: Some(result), ..Tags::default() },
            start: self.start,
            moves: self.plies.into_iter().map(ply).collect(),
        }
    }
}

/// Plays a game from `start`. Returns `None` if the game was stopped.
///
/// Decided games are adjudicated, unless `to_the_end` is set.
pub(super) fn play(
    start: Game,
    mut players: ByColor<&mut Engine>,
    pace: TimeControl,
    to_the_end: bool,
    stopped: &impl Fn() -> bool,
) -> Option<DuelGame> {
    for player in &mut players {
        player.new_game();
    }
    let mut game = start.clone();
    let mut clocks = pace.clock().map(|clock| ByColor { white: clock, black: clock });
    let mut judge = Adjudicator::default();
    let mut plies = Vec::new();
    let over = |plies, result, end| Some(DuelGame { start, plies, result, end });
    for number in 0.. {
        if stopped() {
            return None;
        }
        if is_drawn(&game) {
            return over(plies, 1, Termination::Rules);
        }
        let side = game.chess.turn();
        let nodes_per_ms = pace.nodes_per_ms();
        let limits =
            Limits { nodes: pace.nodes(), clock: clocks, nodes_per_ms, ..Limits::default() };
        let mut felt = LastAppraisal::default();
        let timer = Timer::stopwatch();
        let player = players.get_mut(side);
        let Some(outcome) = player.go(&game, &limits, &Signals::default(), &mut felt) else {
            return over(plies, natural_result(&game.chess), Termination::Rules);
        };
        if let Some(clocks) = &mut clocks {
            let clock = clocks.get_mut(side);
            let spent =
                nodes_per_ms.map_or_else(|| timer.elapsed(), |each| time_of(outcome.nodes, each));
            let Some(left) = clock.left.checked_sub(spent) else {
                return over(plies, side.fold_wb(0, 2), Termination::Time(side));
            };
            clock.left = left + clock.increment;
        }
        let SearchResult { best, score, depth, .. } = outcome;
        let draw = felt.0.as_ref().map_or(0, |felt| felt.effects.draw);
        let feeling = felt.0.map(|felt| (felt.intensity, felt.goal));
        plies.push(DuelPly { m: best, score, depth, feeling });
        let cp = balance(score, draw);
        let agreed = judge.result(number, side.fold_wb(cp, -cp));
        if let Some(result) = agreed.filter(|_| !to_the_end) {
            return over(plies, result, Termination::Agreed);
        }
        game.push(best);
    }
    None
}

/// Returns `score` in centipawns for adjudication.
///
/// A draw counts as 0, whatever `draw` score the player's emotions assign to it.
fn balance(score: Score, draw: i32) -> i32 {
    if score == Score::cp(draw) { 0 } else { score.centipawns() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{player::Options, profile::Profile, search::root::limits::Clock};
    use std::{
        num::{NonZeroU32, NonZeroU64},
        time::Duration,
    };

    fn engine(emotion: bool) -> Engine {
        let options = Options { emotion, ..Options::default() };
        Engine::new(Profile::builtin("standard").unwrap(), options).unwrap()
    }

    fn play_from(fen: &str, pace: TimeControl) -> DuelGame {
        play_to(false, fen, pace)
    }

    fn play_to(the_end: bool, fen: &str, pace: TimeControl) -> DuelGame {
        let (mut white, mut black) = (engine(true), engine(false));
        let players = ByColor { white: &mut white, black: &mut black };
        play(Game::from_fen(fen, None).unwrap(), players, pace, the_end, &|| false).unwrap()
    }

    #[test]
    fn a_draw_score_counts_as_even() {
        for (score, draw, cp) in [(-11, -11, 0), (11, -11, 11), (0, 12, 0), (-7, 0, -7)] {
            assert_eq!(balance(Score::cp(score), draw), cp);
        }
    }

    #[test]
    fn a_game_ends_by_the_rules_and_records_emotions() {
        let pace = TimeControl::Nodes(NonZeroU64::new(500).unwrap());
        let played = play_from("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", pace);
        assert_eq!((played.result, played.end), (2, Termination::Rules));
        let first = &played.plies[0];
        assert_eq!(first.score, Score::mate_in(1));
        assert!(first.depth > 0 && first.feeling.is_some());
        let stalemate = play_from("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", pace);
        assert_eq!((stalemate.result, stalemate.plies.len()), (1, 0));
        let bare = play_from("7k/8/6K1/8/8/8/8/8 b - - 0 1", pace);
        assert_eq!((bare.result, bare.end), (1, Termination::Rules));
    }

    #[test]
    fn to_the_end_disables_adjudication() {
        let (ending, pace) =
            ("7k/8/8/8/8/PPP5/8/KQ6 w - - 0 1", TimeControl::Nodes(NonZeroU64::new(300).unwrap()));
        assert_eq!(play_from(ending, pace).end, Termination::Agreed);
        let played = play_to(true, ending, pace);
        assert_eq!((played.result, played.end), (2, Termination::Rules));
    }

    #[test]
    fn games_on_a_clock_that_counts_nodes_are_repeatable() {
        let (left, increment) = (Duration::from_millis(500), Duration::from_millis(5));
        let pace = TimeControl::Clock(Clock { left, increment }, NonZeroU32::new(40));
        let start = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
        let [first, second] = [play_from(start, pace), play_from(start, pace)];
        assert_eq!((&first.plies, first.end), (&second.plies, second.end));
        assert!(!matches!(first.end, Termination::Time(_)) && first.plies.len() > 20);
    }

    #[test]
    fn a_player_without_time_loses() {
        let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO };
        let played =
            play_from("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1", TimeControl::Clock(clock, None));
        assert_eq!((played.result, played.end), (2, Termination::Time(Color::Black)));
    }
}
