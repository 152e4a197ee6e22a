//! A game in progress: the current position and the keys of earlier positions, for detecting
//! repetitions.

mod notation;

use shakmaty::{
    Board, Castles, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Move, Position,
    PositionError, PositionErrorKinds, Setup, Square, fen::Fen, uci::UciMove, zobrist::Zobrist64,
};

/// A position with the keys needed to detect repetitions.
#[derive(Clone, Debug, Default)]
pub struct Game {
    pub chess: Chess,
    /// Keys of the positions since the last irreversible move, oldest first, without the current
    /// one.
    pub keys: Vec<Zobrist64>,
    /// The last moves, the latest first. `None` before the first known move.
    pub recent: [Option<Move>; 3],
}

/// The error returned when a position or a move is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    #[error("FEN `{0}` cannot be read ({1}); expected e.g. `{FEN_EXAMPLE}`")]
    Fen(String, String),
    #[error("position `{0}` is illegal: {1}")]
    Position(String, String),
    /// A FEN without a castling field, although kings and rooks are on their initial squares.
    #[error(
        "FEN `{found}` has no castling field; use `{complete}`, or `-` instead of `{rights}` if \
         neither side may castle"
    )]
    NoCastlingField { found: String, complete: String, rights: String },
    #[error("move `{0}` is not a move; expected e.g. e2e4, e7e8q or e1g1")]
    Move(String),
    #[error("move `{0}` is illegal in `{1}`")]
    Illegal(String, String),
    #[error("`{text}` is not a move, expected e.g. Nf3, exd5, O-O or e2e4{hint}")]
    Notation { text: String, hint: String },
    /// A move in SAN or UCI notation that matches no legal move, or more than one.
    #[error("`{text}` is {problem} in `{fen}`{hint}")]
    Unplayable { text: String, problem: &'static str, fen: String, hint: String },
    /// An error in a list of moves. Plies count from 1, move numbers from the one in the position.
    #[error("ply {ply} (move {number}, {side}): {error}", side = side.fold_wb("White", "Black"))]
    InList { ply: usize, number: u32, side: Color, error: Box<Self> },
}

const FEN_EXAMPLE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Game {
    /// Creates a game that starts from the FEN `text`.
    ///
    /// Without `mode`, the castling rights decide whether it is Chess960. With `mode`, impossible
    /// castling rights are dropped. Missing fields are completed with `w - - 0 1`, unless that
    /// would drop castling rights.
    ///
    /// # Errors
    /// If the text is not a FEN, the castling rights are ambiguous, or the position is illegal.
    pub fn from_fen(text: &str, mode: Option<CastlingMode>) -> Result<Self, GameError> {
        let fen: Fen = text.parse().map_err(|e: shakmaty::fen::ParseFenError| {
            GameError::Fen(text.into(), e.to_string())
        })?;
        let setup = fen.into_setup();
        check_castling_field(text, &setup.board)?;
        Self::from_setup(setup, mode, text)
    }

    /// Creates a game that starts from `setup`. Error messages show `text` for the position.
    fn from_setup(setup: Setup, mode: Option<CastlingMode>, text: &str) -> Result<Self, GameError> {
        // a GUI whose user has set up a board may send castling rights that are impossible in any
        // mode
        let drops = mode.is_some() && Castles::from_setup(&setup, CastlingMode::Chess960).is_err();
        let mode = mode.unwrap_or_else(|| CastlingMode::detect(&setup));
        let is_playable = Color::ALL.iter().all(|side| is_material_plausible(&setup.board, *side));
        let chess = Chess::from_setup(setup, mode)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_impossible_check);
        let chess = if is_playable {
            chess.or_else(PositionError::ignore_too_much_material)
        } else {
            chess
        };
        let chess = if drops {
            chess.or_else(PositionError::ignore_invalid_castling_rights)
        } else {
            chess
        };
        let chess = chess.map_err(|e| GameError::Position(text.into(), describe(&e, mode)))?;
        Ok(Self { chess, ..Self::default() })
    }

    /// Parses a position as all commands accept it: a FEN or `startpos`, optionally followed by
    /// `moves` and a list of moves in SAN or UCI notation. Move numbers in the list are skipped.
    ///
    /// # Errors
    /// If the position or a move cannot be parsed or is illegal.
    pub fn parse(text: &str, mode: Option<CastlingMode>) -> Result<Self, GameError> {
        let (position, moves) = match text.split_once("moves") {
            Some((position, moves)) => (position.trim(), moves),
            None => (text.trim(), ""),
        };
        let mut game = match position {
            "startpos" => Self::default(),
            fen => Self::from_fen(fen, mode)?,
        };
        let words = moves.split_whitespace().filter(|word| !notation::is_move_number(word));
        for (index, word) in words.enumerate() {
            let m = game.read_move(word).map_err(|error| GameError::InList {
                ply: index + 1,
                number: game.chess.fullmoves().get(),
                side: game.chess.turn(),
                error: Box::new(error),
            })?;
            game.push(m);
        }
        Ok(game)
    }

    /// Plays a move in UCI notation. Castling may be written as the king's jump or as king takes
    /// rook.
    ///
    /// # Errors
    /// If the text is not a move, or the move is illegal. The game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), GameError> {
        self.push(self.read_uci(text)?);
        Ok(())
    }

    /// Parses a legal move in UCI notation.
    ///
    /// # Errors
    /// If the text is not a move, or the move is illegal.
    pub fn read_uci(&self, text: &str) -> Result<Move, GameError> {
        let uci: UciMove = text.parse().map_err(|_| GameError::Move(text.into()))?;
        uci.to_move(&self.chess).map_err(|_| GameError::Illegal(text.into(), self.fen()))
    }

    /// Plays a legal move.
    pub fn push(&mut self, m: Move) {
        if self.chess.is_irreversible(m) {
            self.keys.clear();
        } else {
            self.keys.push(self.chess.zobrist_hash(EnPassantMode::Legal));
        }
        self.recent = [Some(m), self.recent[0], self.recent[1]];
        self.chess.play_unchecked(m);
    }

    /// Counts how often the current position occurred before.
    pub fn repetitions(&self) -> usize {
        let key = self.chess.zobrist_hash(EnPassantMode::Legal);
        self.keys.iter().filter(|&&before| before == key).count()
    }

    /// Returns the position with colours and ranks exchanged, without its earlier positions.
    ///
    /// # Errors
    /// If the resulting position is illegal.
    pub fn flipped(&self) -> Result<Self, GameError> {
        let setup = self.chess.to_setup(EnPassantMode::Legal).into_mirrored();
        let mode = self.chess.castles().mode();
        Self::from_setup(setup, Some(mode), &format!("{} flipped", self.fen()))
    }

    /// Returns the position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(&self.chess, EnPassantMode::Legal).to_string()
    }
}

/// Whether `side` has at most 16 pieces, 8 pawns, and 3 extra pieces besides those that its missing
/// pawns can have become. This allows handicap positions such as a second queen with all pawns. It
/// also bounds the number of legal moves for the rest of the game, so that move lists never
/// overflow.
fn is_material_plausible(board: &Board, side: Color) -> bool {
    const TOO_MANY: u8 = 3;
    let men = board.material_side(side);
    let first = [(men.queen, 1), (men.rook, 2), (men.bishop, 2), (men.knight, 2)];
    let additional: u8 = first.iter().map(|(count, first)| count.saturating_sub(*first)).sum();
    board.by_color(side).count() <= 16 && men.pawn <= 8 && men.pawn + additional <= 8 + TOO_MANY
}

/// Rejects a FEN that ends before its castling field if a king and a rook of one side are on their
/// initial squares. In that case, the castling rights are unknown.
fn check_castling_field(text: &str, board: &Board) -> Result<(), GameError> {
    let fields: Vec<&str> =
        text.split([' ', '_']).filter(|field| !field.trim().is_empty()).collect();
    let (placement, turn) = match fields[..] {
        [placement] => (placement, "w"),
        [placement, turn] => (placement, turn),
        _ => return Ok(()),
    };
    let rights = home_rights(board);
    if rights.is_empty() {
        return Ok(());
    }
    let complete = format!("{placement} {turn} {rights} - 0 1");
    Err(GameError::NoCastlingField { found: text.into(), complete, rights })
}

/// Returns the castling rights, as in a FEN, of all kings and rooks on their initial squares.
fn home_rights(board: &Board) -> String {
    let mut rights = String::new();
    for side in Color::ALL {
        let stands =
            |file, piece| board.piece_at(Square::from_coords(file, side.backrank())) == Some(piece);
        let corners = [(File::H, 'k'), (File::A, 'q')];
        if stands(File::E, side.king()) {
            let held = corners.into_iter().filter(|(file, _)| stands(*file, side.rook()));
            rights.extend(held.map(|(_, right)| side.fold_wb(right.to_ascii_uppercase(), right)));
        }
    }
    rights
}

/// Describes what is wrong with a position, with a hint if there is a remedy.
fn describe(error: &PositionError<Chess>, mode: CastlingMode) -> String {
    let castling = error.kinds().contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS);
    let hint =
        if castling && mode.is_standard() { " (Chess960 positions need UCI_Chess960)" } else { "" };
    let text = error.to_string();
    format!("{}{hint}", text.strip_prefix("illegal position: ").unwrap_or(&text))
}

/// Splits a line into its position, with move counters if present, and the rest. Returns `None` if
/// the line has fewer than four fields.
///
/// ```
/// use deepfeeling::chess::game::split_position;
/// let line = "8/8/8/8/8/8/4K3/7k w - - bm Kf2;";
/// assert_eq!(split_position(line), Some(("8/8/8/8/8/8/4K3/7k w - -", " bm Kf2;")));
/// ```
pub fn split_position(line: &str) -> Option<(&str, &str)> {
    let mut ends = [0; 6];
    let mut count = 0;
    let mut at = 0;
    for field in line.split_whitespace().take(6) {
        at += line[at..].find(field)? + field.len();
        if count >= 4 && field.parse::<u32>().is_err() {
            break;
        }
        ends[count] = at;
        count += 1;
    }
    let end = match count {
        4 | 5 => ends[3],
        6 => ends[5],
        _ => return None,
    };
    Some((line[..end].trim(), &line[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_move_leaves_the_game_unchanged() {
        let mut game = Game::parse("startpos moves e2e4 e7e5", None).unwrap();
        let before = game.fen();
        assert!(matches!(game.play("e4e5"), Err(GameError::Illegal(..))));
        assert!(matches!(game.play("e9e5"), Err(GameError::Move(_))));
        assert_eq!(game.fen(), before);
    }

    #[test]
    fn errors_name_what_was_found_and_what_is_allowed() {
        let error = Game::parse("rnbqkbnr/pppp w", None).unwrap_err().to_string();
        assert!(error.contains("`rnbqkbnr/pppp w`") && error.contains(FEN_EXAMPLE), "{error}");
        let kingless = Game::parse("8/8/8/8/8/8/8/K7 w - - 0 1", None).unwrap_err().to_string();
        assert!(kingless.contains("missing king"), "{kingless}");
    }

    #[test]
    fn handicap_positions_are_accepted_and_excess_material_is_rejected() {
        let handicap = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1";
        assert_eq!(Game::from_fen(handicap, None).unwrap().fen(), handicap);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQK3 w Qkq - 0 1",
            "7k/8/8/8/QQ6/QQQQQQ2/QQQQQQ2/K7 b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            let error = Game::from_fen(fen, None).unwrap_err().to_string();
            assert!(error.contains("too much material"), "{error}");
        }
    }

    #[test]
    fn both_castling_notations_give_the_same_move() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let mut jump = Game::from_fen(fen, Some(CastlingMode::Standard)).unwrap();
        let mut takes = Game::from_fen(fen, Some(CastlingMode::Chess960)).unwrap();
        jump.play("e1g1").unwrap();
        takes.play("e1h1").unwrap();
        assert_eq!(jump.fen(), takes.fen());
    }

    #[test]
    fn a_fen_without_a_castling_field_never_drops_rights_silently() {
        let placement = "r3k2r/8/8/8/8/8/8/R3K3";
        for (found, turn) in [(placement.to_owned(), 'w'), (format!("{placement} b"), 'b')] {
            let error = Game::parse(&format!("{found} moves"), None).unwrap_err().to_string();
            let complete = format!("`{placement} {turn} Qkq - 0 1`");
            assert!(error.starts_with(&format!("FEN `{found}` has no castling field")), "{error}");
            assert!(error.contains(&complete), "{error}");
        }
        assert!(Game::parse(&format!("{placement} w -"), None).is_ok());
        for (found, complete) in [
            ("4k3/8/8/8/8/8/8/R2K4", "4k3/8/8/8/8/8/8/R2K4 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/R2K4 b", "4k3/8/8/8/8/8/8/R2K4 b - - 0 1"),
            (&format!("{placement} w Q"), &format!("{placement} w Q - 0 1")),
        ] {
            assert_eq!(Game::parse(found, None).unwrap().fen(), complete);
        }
    }

    #[test]
    fn flipping_a_position_twice_restores_it() {
        for (fen, flipped) in [
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                "rnbqkbnr/pppp1ppp/8/8/3PpP2/8/PPP1P1PP/RNBQKBNR b KQkq f3 0 3",
            ),
            (
                "1r2k1r1/8/8/8/8/8/6P1/1R2K1R1 b Kq - 3 9",
                "1r2k1r1/6p1/8/8/8/8/8/1R2K1R1 w Qk - 3 9",
            ),
        ] {
            let game = Game::from_fen(fen, None).unwrap();
            assert_eq!(game.flipped().unwrap().fen(), flipped);
            assert_eq!(game.flipped().unwrap().flipped().unwrap().fen(), fen);
        }
    }

    #[test]
    fn move_counters_belong_to_the_position() {
        assert_eq!(split_position("8/8 w - - 3 45 [0.5]"), Some(("8/8 w - - 3 45", " [0.5]")));
        assert_eq!(split_position(" 8/8  w - -"), Some(("8/8  w - -", "")));
        assert_eq!(split_position("8/8 w - - 3 bm Kf2;"), Some(("8/8 w - -", " 3 bm Kf2;")));
        assert_eq!(split_position("8/8 w -"), None);
        assert_eq!(split_position("é é é"), None);
    }
}
