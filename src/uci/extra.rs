//! Commands beyond the UCI protocol that inspect the position, for use at a terminal.

use crate::support::variants::variants;
use crate::{
    chess::game::{Game, GameError},
    explain::{evaluation::Evaluation, feeling::Feeling},
    player::Engine,
};

/// A command that inspects or changes the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum ExtraCommand {
    /// `d`: print the position.
    #[strum(serialize = "d")]
    Position,
    /// `eval`: print the static evaluation.
    Eval,
    /// `feel`: print the feelings of the side to move.
    Feel,
    /// `flip`: swap the colours.
    Flip,
}

impl ExtraCommand {
    const ALL: [Self; 4] = variants();

    /// Returns the word that the user types.
    pub(super) const fn word(self) -> &'static str {
        self.into_str()
    }

    /// Returns the command called `word`, if there is one.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|extra| extra.word() == word)
    }

    /// Describes `game` as `engine` would evaluate it in a search, or changes `game`. The answer
    /// may have several lines, or none.
    ///
    /// # Errors
    /// If the position cannot be flipped.
    pub(super) fn carry_out(self, game: &mut Game, engine: &Engine) -> Result<String, GameError> {
        let evaluation = |felt| Evaluation::new(game.clone(), engine.profile().clone(), felt);
        Ok(match self {
            Self::Position => format!("info string fen {}", game.fen()),
            Self::Eval => evaluation(engine.appraise(game)).to_string(),
            Self::Feel => match engine.appraise(game) {
                Some(felt) => {
                    let given = engine.remembered_feeling(&game.chess);
                    Feeling::new(game.clone(), engine.profile().clone(), felt, &given).to_string()
                }
                None => evaluation(None).to_string(),
            },
            Self::Flip => {
                *game = game.flipped()?;
                String::new()
            }
        })
    }
}
