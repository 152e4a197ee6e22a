//! Builds the HTML report of a reviewed game: board, winning chances, feelings, goals, map and
//! terms for every move.

mod page;
mod parts;

use crate::{
    chess::score::Score,
    eval::group::Group,
    explain::feeling::verdict,
    mind::{
        concept::{Activations, Concept},
        goal::Goal,
    },
    pgn::Eval,
    profile::{EvaluatorKind, Profile},
    review::{Contributions, MoveGrade, Review, Reviewed},
};
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, fen::Fen, uci::UciMove};

/// A review of a game and the profile that made it.
#[derive(Clone, Copy, Debug)]
pub struct ProfileReview<'a> {
    pub profile: &'a Profile,
    pub review: &'a Review,
}

/// Returns the HTML page of a game with one review or two. `limit` describes the search limit per
/// position. The page needs no other files and no network.
pub fn page(first: ProfileReview<'_>, second: Option<ProfileReview<'_>>, limit: &str) -> String {
    let tags = &first.review.tags;
    let name = |side: Color| {
        let player = if tags.players.get(side).is_empty() {
            side.fold_wb("White", "Black")
        } else {
            tags.players.get(side)
        };
        tags.elos.get(side).map_or_else(|| player.to_owned(), |elo| format!("{player} ({elo})"))
    };
    let [white, black] = Color::ALL.map(name);
    let profile_reviews: Vec<_> = [Some(first), second].into_iter().flatten().collect();
    let felt: Vec<_> =
        profile_reviews.iter().map(|profile_review| profile_review.profile.name.as_str()).collect();
    let about = [format!("feelings of {}", felt.join(" and ")), limit.to_owned()];
    let goals = Goal::ALL.map(|goal| json!({"name": goal.name(), "text": goal.description()}));
    let result = tags.result.map_or("unfinished".into(), |result| result.to_string());
    let game = json!({
        "players": {"white": white, "black": black}, "result": result, "about": about,
        "start": fen(&first.review.start.chess),
        "moves": first.review.plies.iter().map(move_json).collect::<Vec<_>>(),
        "goals": goals,
        "reviews": profile_reviews.into_iter().map(ProfileReview::as_json).collect::<Vec<_>>(),
    });
    page::page(&format!("{white} – {black}"), &game)
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

/// Returns the properties of a move that do not depend on the profile.
fn move_json(ply: &Reviewed) -> Value {
    let side = ply.mover();
    let [from, to] = squares(ply.m, ply.before.castles().mode());
    json!({
        "label": format!("{}{}", ply.before.fullmoves(), side.fold_wb(".", "…")),
        "side": side.fold_wb("white", "black"),
        "san": ply.san, "from": from, "to": to, "fen": fen(&ply.after()),
    })
}

impl ProfileReview<'_> {
    fn as_json(self) -> Value {
        let mind = &self.profile.mind;
        let (_, still) = mind.entry(&Activations::zeros());
        let concepts = Concept::ALL.map(|c| json!({"name": c.name(), "symbol": c.symbol()}));
        let links: Vec<_> = mind
            .map
            .links()
            .map(|link| {
                let [from, to] = [link.from, link.to].map(|i| Concept::ALL[i].name());
                json!({"from": from, "to": to, "weight": link.weight, "acts": !still[link.to]})
            })
            .collect();
        let groups = counted(self.profile.evaluator);
        json!({
            "profile": self.profile.name, "concepts": concepts, "links": links,
            "terms": groups.iter().map(|group| group.name()).collect::<Vec<_>>(),
            "plies": self.review.plies.iter().map(|ply| ply_json(ply, groups)).collect::<Vec<_>>(),
            "accuracy": parts::accuracy(self.review),
        })
    }
}

/// Returns the groups that an evaluator uses.
fn counted(evaluator: EvaluatorKind) -> &'static [Group] {
    match evaluator {
        EvaluatorKind::Terms => &Group::ALL,
        EvaluatorKind::Measures => &[Group::Material, Group::Mobility, Group::King],
    }
}

/// Returns one profile's view of a move. Scores, chances and terms are from White's point of view.
fn ply_json(ply: &Reviewed, groups: &[Group]) -> Value {
    let side = ply.mover();
    let white = |score: Score| side.fold_wb(score, -score);
    let chance = |own: f64| short(side.fold_wb(own, 100.0 - own), 1);
    let pawns =
        |parts: &Contributions, group| side.fold_wb(1.0, -1.0) * parts.balance(group) / 100.0;
    let pair =
        |of: &dyn Fn(&Contributions) -> f64| [short(of(&ply.neutral), 2), short(of(&ply.felt), 2)];
    let terms: Vec<_> = groups.iter().map(|&group| pair(&|parts| pawns(parts, group))).collect();
    let total = pair(&|parts| groups.iter().map(|&group| pawns(parts, group)).sum());
    let scores = [ply.score_before, ply.score_after].map(|score| text(Eval::of(side, score)));
    let [from, to] = squares(ply.best, ply.before.castles().mode());
    let felt = &ply.appraisal;
    json!({
        "best": {"san": ply.line.first(), "from": from, "to": to},
        "line": ply.line, "depth": ply.depth,
        "score": scores,
        "centipawns": white(ply.score_before).centipawns(),
        "chance": [chance(ply.chance_before), chance(ply.chance_after)],
        "accuracy": short(ply.accuracy, 1),
        "judgement": ply.grade.map(MoveGrade::name),
        "goal": felt.goal.map(|goal| goal as usize),
        "intensity": short(felt.intensity, 3),
        "concepts": felt.settled.iter().map(|&value| short(value, 3)).collect::<Vec<_>>(),
        "settled": verdict(felt.settling),
        "factors": factors(ply), "terms": terms, "total": total,
    })
}

/// Lists the factors that differ from 1: side, group and factor.
fn factors(ply: &Reviewed) -> Vec<Value> {
    let mut factors = Vec::new();
    let ratios = &ply.appraisal.ratios;
    for (side, ratios) in [(ply.mover(), &ratios.own), (!ply.mover(), &ratios.other)] {
        for group in Group::ALL {
            let factor = short(ratios[group as usize], 2);
            if (factor - 1.0).abs() > 0.001 {
                factors.push(json!([side.fold_wb("White", "Black"), group.name(), factor]));
            }
        }
    }
    factors
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
