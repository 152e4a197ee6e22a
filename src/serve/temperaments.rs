//! The profiles offered for a game: the built-in ones, and optionally one from a file.

use crate::{
    chess_mind::Goal,
    eval::group::Group,
    explain::schema::{self, ConceptRecord, GoalRecord, LinkRecord},
    mind::concept::Concept,
    profile::{Profile, ProfileError},
};
use serde::Serialize;

/// A profile and the text from which it was read.
#[derive(Clone, Debug)]
pub(super) struct Temperament {
    /// The identifier used in requests.
    pub id: String,
    pub profile: Profile,
    pub text: String,
}

impl Temperament {
    /// Returns all available profiles. `own`, given as source name and text, comes first.
    pub(super) fn all(own: Option<(&str, &str)>) -> Result<Vec<Self>, ProfileError> {
        let mut all = Vec::new();
        if let Some((source, text)) = own {
            let profile = Profile::from_text(text, source)?;
            all.push(Self { id: "own".into(), profile, text: text.into() });
        }
        for name in Profile::BUILTIN {
            let text = Profile::builtin_text(name)?.to_owned();
            all.push(Self { id: name.into(), profile: Profile::builtin(name)?, text });
        }
        Ok(all)
    }

    fn record(&self) -> TemperamentRecord<'_> {
        let Profile { name, summary, mind, .. } = &self.profile;
        TemperamentRecord { id: &self.id, name, summary, links: schema::links(mind) }
    }
}

/// What the page needs to know about a profile.
#[derive(Debug, Serialize)]
struct TemperamentRecord<'a> {
    id: &'a str,
    name: &'a str,
    summary: &'a str,
    /// The links of its map.
    links: Vec<LinkRecord>,
}

/// The static data that the page needs at its start.
#[derive(Debug, Serialize)]
pub(super) struct About<'a> {
    version: &'static str,
    follows: bool,
    concepts: [ConceptRecord; Concept::COUNT],
    goals: [GoalRecord; Goal::COUNT],
    groups: [&'static str; Group::COUNT],
    profiles: Vec<TemperamentRecord<'a>>,
}

impl<'a> About<'a> {
    /// Describes these profiles. `follows`: whether the server follows a feelings file.
    pub(super) fn new(all: &'a [Temperament], follows: bool) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            follows,
            concepts: Concept::ALL.map(ConceptRecord::from),
            goals: schema::goals(),
            groups: Group::ALL.map(Group::name),
            profiles: all.iter().map(Temperament::record).collect(),
        }
    }
}
