//! The profiles offered for a game: the built-in ones, and optionally one from a file.

use crate::{
    eval::group::Group,
    mind::{
        concept::{Activations, Concept},
        goal::Goal,
    },
    profile::{Profile, ProfileError},
};
use serde_json::{Value, json};

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

    /// Returns name, summary and map of the profile for the page.
    fn as_json(&self) -> Value {
        let mind = &self.profile.mind;
        let (_, still) = mind.entry(&Activations::zeros());
        let ends = Concept::ALL.into_iter().zip(still);
        let pairs = ends.flat_map(|(to, is_still)| Concept::ALL.map(|from| (from, to, is_still)));
        let links: Vec<_> = pairs
            .filter_map(|(from, to, is_still)| {
                let weight = *mind.map.influence.get((to as usize, from as usize))?;
                let link = || {
                    json!({
                        "from": from.name(), "to": to.name(), "weight": weight, "acts": !is_still,
                    })
                };
                (weight != 0.0).then(link)
            })
            .collect();
        json!({
            "id": self.id, "name": self.profile.name, "summary": self.profile.summary, "links": links,
        })
    }
}

/// Returns the static data that the page needs at its start.
pub(super) fn about(all: &[Temperament], follows: bool) -> Value {
    let concepts: Vec<_> = Concept::ALL
        .into_iter()
        .map(|concept| {
            json!({
                "name": concept.name(), "symbol": concept.symbol(),
                "perceived": concept.is_perceived(),
            })
        })
        .collect();
    let goals: serde_json::Map<_, _> =
        Goal::ALL.into_iter().map(|g| (g.name().into(), g.description().into())).collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"), "follows": follows, "concepts": concepts, "goals": goals,
        "groups": Group::ALL.map(Group::name),
        "profiles": all.iter().map(Temperament::as_json).collect::<Vec<_>>(),
    })
}
