//! The levels and temperaments of Horses. Depths 2, 4 and 6 are the report's; `random` and `master`
//! are ours.

use super::{Horses, evaluation::REPORT};
use crate::{
    evaluation::Ends,
    game::Side,
    level::{Level, Playable, Strategy},
};
use deepfeeling::profile::BuiltinMind;

const fn level(
    name: &'static str,
    summary: &'static str,
    strategy: Strategy<Horses>,
    ends: Ends,
) -> Level<Horses> {
    Level { name, summary, strategy, weights: REPORT, ends }
}

impl Playable for Horses {
    const LEVELS: &'static [Level<Self>] = &[
        level("random", "any legal move", Strategy::Random, Ends::Weighed),
        level("beginner", "looks 2 moves ahead", Strategy::Minimax(2), Ends::Weighed),
        level("amateur", "looks 4 moves ahead", Strategy::Minimax(4), Ends::Weighed),
        level("expert", "looks 6 moves ahead", Strategy::Minimax(6), Ends::Weighed),
        level("master", "looks ahead as far as time allows", Strategy::Deepening, Ends::Ranked),
    ];

    const BY_DEPTH: Level<Self> =
        level("depth", "looks a number of moves ahead", Strategy::Minimax(1), Ends::Weighed);

    const EXPLAINED: &'static str = "expert";
    const PERSON: Side = Side::Second;

    const TEMPERAMENTS: &'static [BuiltinMind] = &[
        BuiltinMind { name: "standard", text: include_str!("../../config/horses/standard.toml") },
        BuiltinMind { name: "neutral", text: include_str!("../../config/horses/neutral.toml") },
    ];
}
