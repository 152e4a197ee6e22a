//! What happens at the root of a search: iterative deepening, limits, time, limited strength, reports.

pub(super) mod deepening;
pub(super) mod endgames;
pub mod handicap;
pub mod lag;
pub mod limits;
pub(super) mod poll;
pub mod report;
pub mod time;
