//! Turns a game into observations: one per move of a rated player, from ply 8 on.

use super::{
    ending::Ending,
    scores::{GameScores, is_quiet},
};
use crate::{
    chess_mind::{Goal, Mind},
    eval::measures::piece_value,
    mind::concept::Concept,
    pgn::{Clocks, FIRST_PLY, PlayedGame},
};
use shakmaty::{ByColor, Chess, Color, Position};

/// The inputs of the map, in the order of the article's measures.
pub(super) const INPUTS: [Concept; 4] =
    [Concept::Material, Concept::Mobility, Concept::Safety, Concept::Exposure];

/// A move of a rated player who had at least two legal moves, with the position before it. Scores
/// and feelings are from the mover's point of view.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    /// The mover and the opponent, numbered over all games.
    pub player: u32,
    pub opponent: u32,
    /// The game, numbered over all files.
    pub game: u32,
    pub is_quiet: bool,
    /// Number of plies before the move.
    pub ply: u16,
    pub elo: u16,
    /// What the map perceives, in the order of [`INPUTS`], -1 to 1.
    pub perceived: [f32; 4],
    /// The emotion before rounding, from -1 (fear) to 1 (relief).
    pub felt: f32,
    /// The emotion that inertia would carry over from the mover's earlier turns. 0 if there were none.
    pub mood: f32,
    pub goal: Option<Goal>,
    /// The score before the move, within ±2,000 centipawns.
    pub centipawns: i16,
    /// The winning chance before the move, in percent.
    pub chance: f32,
    /// The winning chance that the move lost, in percentage points.
    pub loss: Option<f32>,
    /// The winning chance that the opponent's last move lost.
    pub slip: Option<f32>,
    /// The winning chance that the mover's own last move lost.
    pub own_slip: Option<f32>,
    /// Number of legal moves.
    pub moves: u16,
    /// All pieces and pawns of both sides, in centipawns.
    pub material: u16,
    /// The share of legal moves that are blunders, 0 to 1. Only in quiet positions.
    pub difficulty: Option<f32>,
    pub clock: Option<ClockState>,
    /// Whether the player resigned after this move, before moving again. `None` if the game ended
    /// in another way.
    pub resigns: Option<bool>,
}

/// The share of a mood that is left after each turn. Half of it is gone after three.
const MOOD_INERTIA: f64 = 0.8;

/// The clocks around a move, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockState {
    /// Time left before the move.
    pub left: f32,
    /// Time used for this move, the player's last one, and the opponent's last one.
    pub used: Option<f32>,
    pub own_last: Option<f32>,
    pub their_last: Option<f32>,
    pub base: f32,
    pub increment: f32,
}

/// Returns the observations of a game. The numbers of players and game are left at 0.
pub(super) fn observations(
    game: &PlayedGame,
    scores: &GameScores,
    mind: &Mind,
) -> Vec<Observation> {
    let clocks = Clocks::of(game);
    let plies = game.moves.len();
    let ending = Ending::of(game, clocks.as_ref(), |side| scores.chance(plies, side));
    let mut last = None;
    let mut moods = ByColor::<Option<f64>>::default();
    let mut found = Vec::new();
    for (ply, (before, played)) in game.walk().enumerate() {
        let turn = before.turn();
        let appraisal = mind.appraise(&before, turn, 100, None);
        let earlier = *moods.get(turn);
        *moods.get_mut(turn) = Some(carried(earlier, appraisal.felt));
        let is_quiet = is_quiet(&before, played.m, last);
        last = Some(played.m);
        let moves = before.legal_moves().len();
        let (Some(elo), Some(centipawns), Some(chance)) =
            (*game.tags.elos.get(turn), scores.centipawns(ply, turn), scores.chance(ply, turn))
        else {
            continue;
        };
        if ply < FIRST_PLY || moves < 2 {
            continue;
        }
        found.push(Observation {
            player: 0,
            opponent: 0,
            game: 0,
            is_quiet,
            ply: ply as u16,
            elo,
            perceived: INPUTS.map(|concept| appraisal.perceived[concept as usize] as f32),
            felt: appraisal.felt as f32,
            mood: earlier.unwrap_or(0.0) as f32,
            goal: appraisal.goal,
            centipawns,
            chance: chance as f32,
            loss: scores.loss(ply, turn).map(|loss| loss as f32),
            slip: scores.loss(ply - 1, !turn).map(|loss| loss as f32),
            own_slip: scores.loss(ply - 2, turn).map(|loss| loss as f32),
            moves: moves as u16,
            material: material(&before),
            difficulty: scores.difficulty(ply).map(|share| share as f32),
            clock: clocks.as_ref().and_then(|clocks| clock_state(clocks, ply)),
            resigns: resigns(ending, turn, ply, plies),
        });
    }
    found
}

/// Returns the mood after a turn with the emotion `felt`, as [`Mind::inertia`] carries it over.
fn carried(mood: Option<f64>, felt: f64) -> f64 {
    mood.map_or(felt, |mood| MOOD_INERTIA * mood + (1.0 - MOOD_INERTIA) * felt)
}

/// Returns whether the mover resigned after this move, if the game ended by resignation.
fn resigns(ending: Ending, mover: Color, ply: usize, plies: usize) -> Option<bool> {
    match ending {
        // the last or the last but one ply is the loser's last move
        Ending::Resignation(loser) => Some(loser == mover && ply + 2 >= plies),
        Ending::Mate | Ending::Draw | Ending::Time | Ending::Unclear => None,
    }
}

fn clock_state(clocks: &Clocks, ply: usize) -> Option<ClockState> {
    let used = |ply: usize| clocks.used(ply).map(|used| used as f32);
    Some(ClockState {
        left: clocks.left(ply)? as f32,
        used: used(ply),
        own_last: used(ply - 2),
        their_last: used(ply - 1),
        base: clocks.control.base as f32,
        increment: clocks.control.increment as f32,
    })
}

fn material(chess: &Chess) -> u16 {
    let board = chess.board();
    board.iter().map(|(_, piece)| piece_value(piece.role) as u16).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        lab::study::{judge::Judge, scores::Searched},
        pgn::Games,
        profile::Profile,
    };
    use std::num::NonZeroU64;

    fn observed(tags: &str, moves: &str) -> Vec<Observation> {
        let text = format!("{tags}\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 {moves}\n");
        let game = Games::of(Box::new(std::io::Cursor::new(text))).next().unwrap().unwrap();
        let searched = Searched::of(&game, &mut Judge::new(NonZeroU64::MIN).unwrap());
        let mind = Profile::builtin("standard").unwrap().mind;
        observations(&game, &GameScores::new(&game, &searched), &mind)
    }

    const BOTH: &str = "[WhiteElo \"1500\"]\n[BlackElo \"1700\"]";

    #[test]
    fn moves_of_rated_players_from_ply_8_on_are_observed() {
        let moves = "4. Ba4 Nf6 {[%eval 0.3]} 5. O-O {[%eval -1.0]} Be7 {[%eval 0.0]} 6. Re1 *";
        let all = observed(BOTH, moves);
        let seen: Vec<_> = all.iter().map(|one| (one.ply, one.elo, one.is_quiet)).collect();
        assert_eq!(seen, [(8, 1500, true), (9, 1700, true), (10, 1500, true)]);
        assert_eq!(observed("[BlackElo \"1700\"]", moves).len(), 1);
        let black = &all[1];
        assert_eq!((black.centipawns, black.material), (100, 8150));
        // White lost 0.3 - -1.0 pawns, Black then 1.0 pawns
        assert!(
            (black.slip.unwrap() - 12.0).abs() < 1.0 && (black.loss.unwrap() - 9.1).abs() < 0.1
        );
        assert!(all[2].loss.is_none() && all[2].slip.is_some(), "the final position is searched");
        assert!(all.iter().all(|one| one.clock.is_none() && one.resigns.is_none()));
        assert!(all.iter().all(|one| one.moves > 20 && one.difficulty.is_some()));
    }

    #[test]
    fn the_emotion_is_split_by_its_sign_and_belongs_to_the_mover() {
        // White has won a queen
        let moves = "4. Bxc6 Qg5 5. Nxg5 h6 6. d3 *";
        let all = observed(BOTH, moves);
        let felt: Vec<_> = all.iter().map(|one| one.felt).collect();
        assert!(felt[1] < -0.5 && felt[2] > 0.5, "{felt:?}");
        assert!(all[2].perceived[0] > 0.9 && all[2].perceived.iter().all(|one| one.abs() <= 1.0));
    }

    #[test]
    fn a_mood_follows_the_emotions_of_the_same_player() {
        // White wins a queen at ply 8, so White's mood rises at the turn after, and Black's falls
        let moves = "4. Bxc6 Qg5 5. Nxg5 h6 6. d3 a5 7. d4 a4 *";
        let all = observed(BOTH, moves);
        let of = |ply: u16| all.iter().find(|one| one.ply == ply).unwrap();
        let (before, after) = (of(10), of(12));
        let expected = 0.8 * before.mood + 0.2 * before.felt;
        assert!((after.mood - expected).abs() < 1e-6 && after.mood > before.mood, "{after:?}");
        assert!(of(11).mood < of(9).mood, "{all:?}");
        assert!((carried(None, 0.5) - 0.5).abs() < 1e-12);
        assert_eq!(of(10).own_slip, of(8).loss);
    }

    #[test]
    fn clocks_around_a_move_are_observed() {
        let tags = format!("{BOTH}\n[TimeControl \"60+1\"]");
        let moves = "4. Ba4 {[%clk 0:00:50]} Nf6 {[%clk 0:00:40]} 5. O-O {[%clk 0:00:45]} Be7 {[%clk 0:00:31]} \
                     6. Re1 {[%clk 0:00:46]} O-O {[%clk 0:00:20]} *";
        let all = observed(&tags, moves);
        let clock = all[2].clock.unwrap();
        assert_eq!((clock.left, clock.used, clock.base), (45.0, Some(0.0), 60.0));
        assert_eq!((clock.own_last, clock.their_last), (Some(6.0), Some(10.0)));
        assert_eq!(all[1].clock.unwrap().own_last, None);
        assert_eq!(all[3].clock.unwrap().used, Some(12.0));
    }

    #[test]
    fn only_the_last_move_of_the_loser_is_a_resignation() {
        let resigned = |moves: &str, tags: &str| -> Vec<_> {
            let tags = format!("{BOTH}\n[Termination \"{tags}\"]");
            observed(&tags, moves).iter().map(|one| one.resigns).collect()
        };
        // the loser resigns instead of moving, or after a move
        let moves = "4. Ba4 Nf6 5. O-O Be7 6. Re1";
        let (no, yes) = (Some(false), Some(true));
        assert_eq!(resigned(&format!("{moves} 1-0"), "Normal"), [no, yes, no]);
        assert_eq!(resigned(&format!("{moves} b5 1-0"), "Normal"), [no, no, no, yes]);
        assert_eq!(resigned(&format!("{moves} 0-1"), "Normal"), [no, no, yes]);
        assert_eq!(resigned(&format!("{moves} 1-0"), "Time forfeit"), [None; 3]);
        assert_eq!(resigned(&format!("{moves} 1/2-1/2"), "Normal"), [None; 3]);
    }
}
