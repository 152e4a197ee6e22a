//! The root of the search: iterative deepening, time management, tablebases, limited strength and
//! reports.

pub mod blur;
pub mod bonus;
pub mod budget;
pub(super) mod deepening;
pub(super) mod endgames;
pub mod handicap;
pub mod lag;
pub mod limits;
pub mod moment;
pub(super) mod poll;
pub mod report;
pub(super) mod state;
pub mod time;
pub mod weakening;
