//! Explains a move of the human style: what came to mind, what spoke for each move, and what was
//! overlooked. Printed by `deepfeeling why --rating`.

use super::why::WhyError;
use crate::{
    chess::game::Game,
    chess_mind::cue::Cue,
    player::{
        Engine, LimitStyle, Listener, Options,
        human::choice::{Candidate, Choice},
    },
    profile::Profile,
    search::{
        Signals,
        root::{limits::Limits, report::SearchListener},
    },
};
use serde::Serialize;
use shakmaty::{Chess, Move, Position, san::SanPlus};
use std::{collections::BTreeMap, fmt};
use strum::IntoEnumIterator;

/// The number of moves in the table.
const SHOWN: usize = 8;
/// The number of reasons for each move.
const REASONS: usize = 3;
/// A reason weaker than this is not named, in nats.
const WEAK: f64 = 0.2;

/// How a person of some rating chooses a move.
#[derive(Clone, Debug)]
pub struct PersonView {
    game: Game,
    rating: u16,
    choice: Choice,
    asked: Option<Move>,
}

/// The JSON form of [`PersonView`]. Scores are in centipawns from the mover's point of view.
#[derive(Clone, Debug, Serialize)]
pub struct PersonRecord {
    rating: u16,
    #[serde(rename = "move")]
    played: String,
    overlooked: Option<String>,
    legal: usize,
    known_games: f64,
    in_mind: Vec<CandidateRecord>,
}

/// A move that came to mind.
#[derive(Clone, Debug, Serialize)]
struct CandidateRecord {
    #[serde(rename = "move")]
    m: String,
    chance: f64,
    score: i32,
    /// How much each cue raises the move above the others, in nats.
    cues: BTreeMap<&'static str, f64>,
}

/// Keeps what came to mind.
#[derive(Default)]
struct Recorder(Option<Choice>);

impl SearchListener for Recorder {}

impl Listener for Recorder {
    fn came_to_mind(&mut self, _: &Game, _: u16, choice: &Choice) {
        self.0 = Some(choice.clone());
    }
}

impl PersonView {
    /// Lets the human style of `profile` choose a move in `game`. `asked` is a move to explain.
    ///
    /// # Errors
    /// If the game is over, the rating is out of range, or a table cannot be allocated.
    pub fn of(
        game: Game,
        profile: Profile,
        rating: u16,
        seed: u64,
        asked: Option<Move>,
    ) -> Result<Self, WhyError> {
        let options = Options {
            limit_strength: true,
            limit_style: LimitStyle::Human,
            elo: rating,
            human_seed: seed,
            ..Options::default()
        };
        let mut engine = Engine::new(profile, options)?;
        let mut recorder = Recorder::default();
        engine.go(&game, &Limits::default(), &Signals::default(), &mut recorder);
        let choice = recorder.0.ok_or_else(|| WhyError::over(&game))?;
        Ok(Self { game, rating, choice, asked })
    }

    /// Returns the JSON form.
    #[must_use]
    pub fn record(&self) -> PersonRecord {
        let candidate = |one: &Candidate| CandidateRecord {
            m: self.san(one.m),
            chance: one.chance,
            score: one.score,
            cues: Cue::iter().map(|cue| (cue.name(), one.lifts[cue as usize])).collect(),
        };
        PersonRecord {
            rating: self.rating,
            played: self.san(self.choice.m),
            overlooked: self.overlooked(),
            legal: self.game.chess.legal_moves().len(),
            known_games: self.choice.known_games,
            in_mind: self.choice.in_mind.iter().map(candidate).collect(),
        }
    }

    fn san(&self, m: Move) -> String {
        SanPlus::from_move(self.game.chess.clone(), m).to_string()
    }

    /// Returns the reply that was overlooked.
    fn overlooked(&self) -> Option<String> {
        let mut after: Chess = self.game.chess.clone();
        after.play_unchecked(self.choice.m);
        self.choice.overlooked.map(|reply| SanPlus::from_move(after, reply).to_string())
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, one: &Candidate) -> fmt::Result {
        let (chance, pawns) = (percent(one.chance), f64::from(one.score) / 100.0);
        let row = format!("{:<8}{chance:>6}{pawns:>+8.2}   {}", self.san(one.m), reasons(one));
        writeln!(f, "{}", row.trim_end())
    }

    fn answer(&self, f: &mut fmt::Formatter<'_>, asked: Move) -> fmt::Result {
        let name = self.san(asked);
        let place = self.choice.in_mind.iter().position(|one| one.m == asked);
        match place.map(|place| (place, &self.choice.in_mind[place])) {
            Some((place, one)) => {
                writeln!(f, "\n{name} comes to mind, with a chance of {}.", percent(one.chance))?;
                if place < SHOWN { Ok(()) } else { self.row(f, one) }
            }
            None => writeln!(f, "\n{name} does not come to mind."),
        }
    }
}

/// Returns a probability in whole percent.
fn percent(chance: f64) -> String {
    if chance < 0.005 { "<1 %".into() } else { format!("{:.0} %", 100.0 * chance) }
}

/// Returns the strongest reasons for and against a move, with their weight in nats.
fn reasons(one: &Candidate) -> String {
    let mut lifts = BTreeMap::<&str, f64>::new();
    for cue in Cue::iter() {
        *lifts.entry(reason(cue)).or_default() += one.lifts[cue as usize];
    }
    let mut lifts: Vec<(&str, f64)> = lifts.into_iter().collect();
    lifts.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    let strong = lifts.into_iter().filter(|(_, lift)| lift.abs() >= WEAK).take(REASONS);
    let words = strong.map(|(reason, lift)| format!("{reason} ({lift:+.1})"));
    words.collect::<Vec<_>>().join(", ")
}

/// Returns the reason that a cue belongs to. All cues of the same reading are one reason.
const fn reason(cue: Cue) -> &'static str {
    match cue {
        Cue::GlanceLoss | Cue::GlanceDoubt | Cue::GlanceBest => "value at first sight",
        Cue::LookLoss | Cue::LookDoubt | Cue::LookBest => "value after the reply",
        Cue::ReadLoss
        | Cue::ReadDoubt
        | Cue::ReadChance
        | Cue::ReadError
        | Cue::EndgameChance
        | Cue::EndgameError
        | Cue::ReadBest
        | Cue::SearchBest => "value some moves later",
        _ => cue.phrase(),
    }
}

impl fmt::Display for PersonView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (legal, seen) = (self.game.chess.legal_moves().len(), self.choice.in_mind.len());
        writeln!(f, "Rated {}: {seen} of {legal} moves come to mind.", self.rating)?;
        if self.choice.known_games >= 1.0 {
            let games = self.choice.known_games;
            writeln!(
                f,
                "Chances also follow about {games:.0} games of people from this position."
            )?;
        }
        writeln!(f, "\nmove    chance   score   what raises (+) or lowers (-) the chance")?;
        for one in self.choice.in_mind.iter().take(SHOWN) {
            self.row(f, one)?;
        }
        if let Some(asked) = self.asked {
            self.answer(f, asked)?;
        }
        writeln!(f, "\nPlays {}.", self.san(self.choice.m))?;
        match self.overlooked() {
            Some(reply) => writeln!(f, "Did not see {reply}."),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HANGING: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4";

    fn view(fen: &str, rating: u16, seed: u64) -> Result<PersonView, WhyError> {
        let profile = Profile::builtin("standard").unwrap();
        PersonView::of(Game::from_fen(fen, None).unwrap(), profile, rating, seed, None)
    }

    #[test]
    fn a_mate_in_one_is_the_only_move_in_mind() {
        let text = view(HANGING, 1000, 1).unwrap().to_string();
        assert!(text.starts_with("Rated 1000: 1 of "), "{text}");
        assert!(text.ends_with("\nPlays Qxf7#.\n"), "{text}");
    }

    #[test]
    fn each_move_has_reasons_and_the_played_one_is_in_mind() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let view = view(start, 1400, 3).unwrap();
        let record = view.record();
        assert!(record.known_games > 100.0 && record.legal == 20);
        assert!(record.in_mind.iter().any(|one| one.m == record.played));
        let text = view.to_string();
        assert!(text.contains("games of people from this position"), "{text}");
        assert!(text.contains("a move that people often play ("), "{text}");
    }

    #[test]
    fn a_move_asked_about_has_its_chance_and_its_row_once() {
        let start = Game::default();
        let about = |m: &str| {
            let profile = Profile::builtin("standard").unwrap();
            let asked = start.read_uci(m).ok();
            PersonView::of(start.clone(), profile, 1400, 3, asked).unwrap().to_string()
        };
        let text = about("e2e4");
        assert!(text.contains("\ne4 comes to mind, with a chance of "), "{text}");
        assert_eq!(text.matches("\ne4   ").count(), 1, "{text}");
        assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
        assert!(about("h2h3").contains("\nh3 "), "{text}");
        assert_eq!((percent(0.004), percent(0.016)), ("<1 %".into(), "2 %".into()));
    }

    #[test]
    fn a_finished_game_is_refused() {
        let error = view("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1400, 1).unwrap_err();
        assert!(error.to_string().contains("stalemate"), "{error}");
    }
}
