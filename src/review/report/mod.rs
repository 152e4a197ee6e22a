//! Builds the HTML report of a reviewed game: board, winning chances, feelings, goals, map and
//! terms for every move.

mod occasion;
mod page;
mod parts;

pub use page::{served_module, served_page};

use crate::{
    chess::score::Score,
    chess_mind::Goal,
    eval::group::Group,
    explain::schema::{self, AppraisalRecord, ConceptRecord, GoalRecord, LinkRecord},
    mind::concept::Concept,
    pgn::Eval,
    profile::{EvaluatorKind, Profile},
    review::{MoveGrade, Review, Reviewed, coach::PlayerLessons},
};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

/// A review of a game and the profile that made it.
#[derive(Clone, Copy, Debug)]
pub struct ProfileReview<'a> {
    pub profile: &'a Profile,
    pub review: &'a Review,
}

/// The data of the page.
#[derive(Debug, Serialize)]
struct GameRecord<'a> {
    players: PlayersRecord<'a>,
    /// Event, place and date, as far as they are known.
    occasion: Vec<String>,
    result: String,
    /// The profiles and the search limit.
    about: [String; 2],
    start: String,
    moves: Vec<MoveRecord<'a>>,
    goals: [GoalRecord; Goal::COUNT],
    reviews: Vec<ReviewRecord<'a>>,
    /// What White and Black can learn, by the first review.
    lessons: &'a [PlayerLessons; 2],
}

#[derive(Debug, Serialize)]
struct PlayersRecord<'a> {
    white: &'a str,
    black: &'a str,
}

/// The properties of a move that do not depend on the profile.
#[derive(Debug, Serialize)]
struct MoveRecord<'a> {
    /// The move number, such as `5.` or `5…`.
    label: String,
    side: &'static str,
    san: &'a str,
    from: String,
    to: String,
    /// The position after the move.
    fen: String,
}

/// One profile's view of the game.
#[derive(Debug, Serialize)]
struct ReviewRecord<'a> {
    profile: &'a str,
    concepts: [ConceptRecord; Concept::COUNT],
    links: Vec<LinkRecord>,
    /// The names of the groups that the profile's evaluation uses.
    terms: Vec<&'static str>,
    plies: Vec<PlyRecord<'a>>,
    accuracy: Vec<parts::Row>,
}

/// One profile's view of a move. Scores, chances and terms are from White's point of view.
#[derive(Debug, Serialize)]
struct PlyRecord<'a> {
    best: BestRecord<'a>,
    line: &'a [String],
    depth: u8,
    /// The scores before and after the move, as text.
    score: [String; 2],
    /// The score before the move.
    centipawns: i32,
    /// The winning chances before and after the move, in percent.
    chance: [f64; 2],
    /// The accuracy of the move, 0 to 100.
    accuracy: f64,
    judgement: Option<&'static str>,
    #[serde(flatten)]
    appraisal: AppraisalRecord,
    /// What each group contributes without and with emotion, in pawns.
    terms: Vec<[f64; 2]>,
    /// The sum of all terms without and with emotion, in pawns.
    total: [f64; 2],
}

/// The best move. Its name is missing if it is unknown.
#[derive(Debug, Serialize)]
struct BestRecord<'a> {
    san: Option<&'a String>,
    from: String,
    to: String,
}

/// The report of a game: the data that its page shows.
#[derive(Clone, Debug)]
pub struct Report {
    title: String,
    json: String,
}

impl Report {
    /// Makes the report of a game with one review or two, and with the `lessons` of the first.
    /// `limit` describes the search limit per position.
    #[must_use]
    pub fn new(
        first: ProfileReview<'_>,
        second: Option<ProfileReview<'_>>,
        lessons: &[PlayerLessons; 2],
        limit: &str,
    ) -> Self {
        let tags = &first.review.tags;
        let name = |side: Color| {
            let player = if tags.players.get(side).is_empty() {
                side.fold_wb("White", "Black")
            } else {
                tags.players.get(side)
            };
            tags.elos.get(side).map_or_else(|| player.to_owned(), |elo| format!("{player} ({elo})"))
        };
        let [white, black] = &Color::ALL.map(name);
        let all: Vec<_> = [Some(first), second].into_iter().flatten().collect();
        let felt: Vec<_> = all.iter().map(|one| one.profile.name.as_str()).collect();
        let game = GameRecord {
            players: PlayersRecord { white, black },
            occasion: occasion::of(tags),
            result: tags.result.map_or("unfinished".into(), |result| result.to_string()),
            about: [format!("feelings of {}", felt.join(" and ")), limit.to_owned()],
            start: fen(&first.review.start.chess),
            moves: first.review.plies.iter().map(MoveRecord::of).collect(),
            goals: schema::goals(),
            reviews: all.into_iter().map(ProfileReview::record).collect(),
            lessons,
        };
        Self { title: format!("{white} – {black}"), json: schema::text(&game) }
    }

    /// Returns the HTML page. It needs no other files and no network.
    #[must_use]
    pub fn page(&self) -> String {
        page::whole(&self.title, &self.json)
    }

    /// Returns the data as JSON, for the page that [`served_page`] returns.
    #[must_use]
    pub fn json(&self) -> String {
        self.json.clone()
    }
}

/// Returns the FEN. In Chess960, castling rights are given by the files of the rooks if necessary.
fn fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Returns the squares where a move begins and ends, as in UCI notation.
fn squares(m: Move, mode: CastlingMode) -> [String; 2] {
    let uci = UciMove::from_move(m, mode).to_string();
    [uci.chars().take(2).collect(), uci.chars().skip(2).take(2).collect()]
}

impl<'a> MoveRecord<'a> {
    fn of(ply: &'a Reviewed) -> Self {
        let side = ply.mover();
        let [from, to] = squares(ply.m, ply.before.castles().mode());
        let label = format!("{}{}", ply.before.fullmoves(), side.fold_wb(".", "…"));
        let (side, fen) = (schema::side(side), fen(&ply.after()));
        Self { label, side, san: &ply.san, from, to, fen }
    }
}

impl<'a> ProfileReview<'a> {
    fn record(self) -> ReviewRecord<'a> {
        let groups = counted(self.profile.evaluator);
        ReviewRecord {
            profile: &self.profile.name,
            concepts: Concept::ALL.map(ConceptRecord::from),
            links: schema::links(&self.profile.mind),
            terms: groups.iter().map(|group| group.name()).collect(),
            plies: self.review.plies.iter().map(|ply| PlyRecord::of(ply, groups)).collect(),
            accuracy: parts::accuracy(self.review),
        }
    }
}

/// Returns the groups that an evaluator uses.
fn counted(evaluator: EvaluatorKind) -> &'static [Group] {
    match evaluator {
        EvaluatorKind::Terms => &Group::ALL,
        EvaluatorKind::Measures => &[Group::Material, Group::Mobility, Group::King],
    }
}

impl<'a> PlyRecord<'a> {
    fn of(ply: &'a Reviewed, groups: &[Group]) -> Self {
        let side = ply.mover();
        let white = |score: Score| side.fold_wb(score, -score);
        let chance = |own: f64| short(side.fold_wb(own, 100.0 - own), 1);
        let pawns = |parts: &[f64; Group::COUNT], group| {
            side.fold_wb(1.0, -1.0) * parts[group as usize] / 100.0
        };
        let both = [&ply.neutral, &ply.felt];
        let term = |group: &Group| both.map(|parts| short(pawns(parts, *group), 2));
        let sum = |parts| groups.iter().map(|&group| pawns(parts, group)).sum();
        let [from, to] = squares(ply.best, ply.before.castles().mode());
        Self {
            best: BestRecord { san: ply.line.first(), from, to },
            line: &ply.line,
            depth: ply.depth,
            score: [ply.score_before, ply.score_after].map(|score| text(Eval::of(side, score))),
            centipawns: white(ply.score_before).centipawns(),
            chance: [chance(ply.chance_before), chance(ply.chance_after)],
            accuracy: short(ply.accuracy, 1),
            judgement: ply.grade.map(MoveGrade::name),
            appraisal: AppraisalRecord::from(&ply.appraisal),
            terms: groups.iter().map(term).collect(),
            total: both.map(|parts| short(sum(parts), 2)),
        }
    }
}

/// Formats a score: `+0.35`, or `#−3` if Black mates in three moves.
fn text(score: Eval) -> String {
    match score {
        Eval::Mate(0) => "mate".into(),
        Eval::Mate(moves) => format!("#{moves}").replace('-', "−"),
        Eval::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0).replace('-', "−"),
    }
}

/// Rounds a number to `decimals` decimals. Negative zero becomes zero.
fn short(value: f64, decimals: i32) -> f64 {
    let unit = f64::powi(10.0, decimals);
    (value * unit).round() / unit + 0.0
}
